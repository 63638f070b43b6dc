import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyFields, bodyTypes } from './flat/body-fields.ts';
import type { FlatProxy } from './flat/graph.ts';
import { boxStride } from './flat/tree.ts';
import { FlatWorld } from './flat/world.ts';
import { BoxShape, CircleShape, type World as PlanckWorld, Vec2 } from './planck/planck.ts';
import {
  type InnerBody,
  type InnerBox,
  type InnerNode,
  type InnerProxy,
  type InnerShape,
  type InnerWorld,
  insideBody,
  insideOf,
} from './planck-inside.ts';
import {
  fixtureStart,
  MemberReader,
  members,
  motionStart,
  type PlanckNumbers,
  planckTables,
  sensorFlag,
  setFlags,
  shapeTypes,
} from './planck-members.ts';

const { bodies: bodyTable, contacts: contactTable, shapes: shapeTable, step: stepTable } = planckTables;
type Shape = CircleShape | BoxShape;
type ByProxy = ReadonlyMap<number, InnerBody>;

/**
 * Fills a world in which nothing has been made yet with numbers that their declaration accepts. Throws `MalformedBytes` for those that no world can
 * have together; the world is then of no use.
 */
export function restorePlanck(planck: PlanckWorld, numbers: PlanckNumbers): ByProxy {
  const world = insideOf(planck);
  assert(planck.getBodyList() === null, 'a snapshot is restored into an empty world');
  const { step, shapes, bodies, contacts, tree } = numbers;
  if (planck instanceof FlatWorld) planck.bodies.reserve(bodies.length / bodyTable.width);
  // By digest: bodies share what never changes.
  const made = new Map<number, Shape>();
  for (let at = 0; at < shapes.length; at += shapeTable.width)
    made.set(shapes[at + shapeTable.at.digest]!, makeShape(shapes, at));
  const byProxy = new Map<number, InnerBody>();
  for (let at = bodies.length - bodyTable.width; at >= 0; at -= bodyTable.width) {
    const proxy = bodies[at + bodyTable.at.proxy]!;
    check(!byProxy.has(proxy), 'a body has a proxy of its own');
    byProxy.set(proxy, makeBody(planck, bodies, at, made));
  }
  // Before the contacts, which look up proxies; they wake bodies, so that these get their state afterwards.
  const lastProxy = step[stepTable.at.lastProxy]!;
  if (planck instanceof FlatWorld) restoreTree(flatNodes(planck, tree), tree, lastProxy, byProxy);
  else restoreTree(planckNodes(world, tree), tree, lastProxy, byProxy);
  const reader = new MemberReader(contacts);
  for (let at = contacts.length - contactTable.width; at >= 0; at -= contactTable.width) {
    reader.at = at;
    makeContact(world, contacts, reader, byProxy);
  }
  fillBodies(planck, bodies);
  for (const id of numbers.moved) {
    check(byProxy.has(id), 'what has moved is in the tree');
    world.m_broadPhase.touchProxy(id);
  }
  members.step.pass(world, new MemberReader(step));
  return byProxy;
}

function makeBody(planck: PlanckWorld, from: Float64Array, at: number, shapes: ReadonlyMap<number, Shape>): InnerBody {
  const shape = shapes.get(from[at + bodyTable.at.shape]!);
  check(shape !== undefined, 'a body has a shape');
  // Inactive at first, so that planck does not build a tree that would only be replaced.
  const type = bodyTypes[from[at + bodyTable.at.type]!]!;
  const body = planck.createBody({ type, active: false, userData: from[at + bodyTable.at.entity]! });
  body.createFixture({ shape, density: 0, isSensor: (from[at + bodyTable.at.flags]! & sensorFlag) !== 0 });
  const inside = insideBody(body);
  const { m_fixtureList: fixture } = inside;
  fixture.m_proxyCount = 1;
  fixture.m_proxies[0]!.proxyId = from[at + bodyTable.at.proxy]!;
  members.fixture.pass(fixture, new MemberReader(from, at + fixtureStart));
  return inside;
}

function fillBodies(planck: PlanckWorld, from: Float64Array): void {
  const store = planck instanceof FlatWorld ? planck.bodies : undefined;
  const reader = new MemberReader(from);
  for (let at = 0, body = insideOf(planck).m_bodyList; body !== null; at += bodyTable.width, body = body.m_next) {
    setFlags(body, from[at + bodyTable.at.flags]!);
    reader.at = at + motionStart;
    if (store === undefined) members.motion.pass(body, reader);
    else {
      const { place } = body as unknown as FlatBody;
      for (let i = 0; i < bodyFields.length; i++) store.numbers[place + i] = reader.pass();
    }
  }
}

function makeShape(from: Float64Array, at: number): Shape {
  const isCircle = shapeTypes[from[at + shapeTable.at.kind]!] === 'circle';
  const shape = isCircle ? new CircleShape(new Vec2(0, 0), 0) : new BoxShape(1, 1);
  const inside = shape as unknown as InnerShape;
  const reader = new MemberReader(from, at + shapeTable.at.radius);
  if (inside.m_type === 'circle') members.circle.pass(inside, reader);
  else members.box.pass(inside, reader);
  return shape;
}

function makeContact(world: InnerWorld, from: Float64Array, reader: MemberReader, byProxy: ByProxy): void {
  const first = proxyOf(byProxy, from[reader.at + contactTable.at.firstProxy]!);
  const second = proxyOf(byProxy, from[reader.at + contactTable.at.secondProxy]!);
  const before = world.m_contactList;
  world.createContact(first, second);
  const contact = world.m_contactList;
  check(
    contact !== null && contact !== before && contact.m_fixtureA === first.fixture,
    'a contact is between two that can meet',
  );
  members.contact.pass(contact, reader);
}

/** How nodes of a tree are made, in planck's own or in ours. */
interface NodeMaker<Node> {
  leaf(id: number, at: number, body: InnerBody): Node;
  inner(id: number): Node;
  join(node: Node, first: Node, second: Node): void;
  /** Leaves that were saved beside the tree. */
  loose(leaf: Node): void;
  finish(root: Node | undefined, lastProxy: number): void;
}

function restoreTree<Node>(maker: NodeMaker<Node>, from: Float64Array, lastProxy: number, byProxy: ByProxy): void {
  const known = new Set<number>();
  const loose: Node[] = [];
  let leaves = 0;
  let at = 0;
  const next = (): Node => {
    const id = Math.abs(from[at]!);
    check(
      Number.isInteger(id) && id > 0 && id <= lastProxy && !known.has(id),
      'a node of the tree has an id of its own',
    );
    known.add(id);
    if (from[at]! < 0) {
      const node = maker.inner(id);
      at++;
      const first = next();
      maker.join(node, first, next());
      return node;
    }
    const body = byProxy.get(id);
    check(body !== undefined && at + boxStride < from.length, 'a leaf of the tree has a body and a box');
    const leaf = maker.leaf(id, at + 1, body);
    leaves++;
    at += 1 + boxStride;
    return leaf;
  };
  const root = from.length === 0 ? undefined : next();
  while (at < from.length) {
    check(from[at]! > 0, 'only leaves lie beside a tree');
    loose.push(next());
  }
  check(leaves === byProxy.size, 'every body is in the tree');
  maker.finish(root, lastProxy);
  for (const leaf of loose) maker.loose(leaf);
}

function planckNodes({ m_broadPhase: { m_tree: tree } }: InnerWorld, from: Float64Array): NodeMaker<InnerNode> {
  const nodeOf = (id: number): InnerNode => {
    tree.m_lastProxyId = id - 1;
    return tree.allocateNode();
  };
  return {
    leaf: (id, at, body) => {
      const node = nodeOf(id);
      node.userData = body.m_fixtureList.m_proxies[0]!;
      node.height = 0;
      setBox(node.aabb, from, at);
      setBox(node.userData.aabb, from, at);
      return node;
    },
    inner: nodeOf,
    join: (node, first, second) => {
      node.child1 = first;
      node.child2 = second;
      first.parent = node;
      second.parent = node;
      node.height = 1 + Math.max(first.height, second.height);
      node.aabb.combine(first.aabb, second.aabb);
    },
    loose: (leaf) => tree.insertLeaf(leaf),
    finish: (root, lastProxy) => {
      tree.m_root = root ?? null;
      tree.m_lastProxyId = lastProxy;
    },
  };
}

function flatNodes({ m_broadPhase }: FlatWorld, from: Float64Array): NodeMaker<number> {
  const { tree } = m_broadPhase;
  return {
    leaf: (id, at, body) => {
      const node = tree.allocateWith(id);
      for (let i = 0; i < boxStride; i++) tree.boxes[node * boxStride + i] = from[at + i]!;
      m_broadPhase.adopt(node, body.m_fixtureList.m_proxies[0]! as unknown as FlatProxy);
      return node;
    },
    inner: (id) => tree.allocateWith(id),
    join: (node, first, second) => tree.join(node, first, second),
    loose: (leaf) => m_broadPhase.adoptLoose(leaf),
    finish: (root, lastProxy) => {
      if (root !== undefined) tree.root = root;
      tree.lastId = lastProxy;
      m_broadPhase.adopted();
    },
  };
}

function setBox({ lowerBound, upperBound }: InnerBox, from: Float64Array, at: number): void {
  lowerBound.x = from[at]!;
  lowerBound.y = from[at + 1]!;
  upperBound.x = from[at + 2]!;
  upperBound.y = from[at + 3]!;
}

function proxyOf(byProxy: ByProxy, id: number): InnerProxy {
  const body = byProxy.get(id);
  check(body !== undefined, 'a contact is between bodies');
  return body.m_fixtureList.m_proxies[0]!;
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new MalformedBytes(`In this snapshot it does not hold that ${what}.`);
}
