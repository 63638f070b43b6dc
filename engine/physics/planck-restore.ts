import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { FlatProxy } from './flat/broad-phase.ts';
import { boxStride } from './flat/tree.ts';
import { FlatWorld } from './flat/world.ts';
import { BoxShape, CircleShape, type World as PlanckWorld, Vec2 } from './planck/planck.ts';
import {
  type InnerBody,
  type InnerBox,
  type InnerNode,
  type InnerProxy,
  type InnerWorld,
  insideBody,
  insideOf,
} from './planck-inside.ts';
import {
  bodyNumbers,
  box,
  circle,
  contactNumbers,
  corners,
  leafFields,
  manifoldNumbers,
  type PlanckNumbers,
  pointNumbers,
  shapeNumbers,
  stepFields,
  types,
} from './planck-numbers.ts';

/** Fills a world in which nothing has been made yet. Throws `MalformedBytes` for numbers that no world can have; the world is then of no use. */
export function restorePlanck(planck: PlanckWorld, numbers: PlanckNumbers): ReadonlyMap<number, InnerBody> {
  const world = insideOf(planck);
  assert(planck.getBodyList() === null, 'a snapshot is restored into an empty world');
  const { step, shapes, bodies, contacts } = numbers;
  check(step.length === stepFields.length, 'a step has its numbers');
  check(bodies.length % bodyNumbers === 0, 'bodies have their numbers');
  check(contacts.length % contactNumbers === 0, 'contacts have their numbers');
  check(shapes.length % shapeNumbers === 0, 'shapes have their numbers');
  for (const list of Object.values(numbers) as Float64Array[]) {
    for (let i = 0; i < list.length; i++) check(Number.isFinite(list[i]), 'physics is made of finite numbers');
  }
  const byProxy = new Map<number, InnerBody>();
  for (let at = bodies.length - bodyNumbers; at >= 0; at -= bodyNumbers) makeBody(planck, bodies, at, shapes, byProxy);
  // Before the contacts, which look up proxies; they wake bodies, so that these get their state afterwards.
  if (planck instanceof FlatWorld) restoreTree(flatNodes(planck, numbers.tree), numbers.tree, step[5]!, byProxy);
  else restoreTree(planckNodes(world, numbers.tree), numbers.tree, step[5]!, byProxy);
  for (let at = contacts.length - contactNumbers; at >= 0; at -= contactNumbers)
    makeContact(world, contacts, at, byProxy);
  for (let at = 0, body = world.m_bodyList; body !== null; at += bodyNumbers, body = body.m_next)
    fillBody(body, bodies, at);
  for (const id of numbers.moved) {
    check(byProxy.has(id), 'what has moved is in the tree');
    world.m_broadPhase.touchProxy(id);
  }
  world.s_step.dt = step[0]!;
  world.s_step.inv_dt = step[1]!;
  world.s_step.inv_dt0 = step[2]!;
  world.s_step.dtRatio = step[3]!;
  world.m_newFixture = step[4] === 1;
  return byProxy;
}

function makeBody(
  planck: PlanckWorld,
  from: Float64Array,
  at: number,
  shapes: Float64Array,
  byProxy: Map<number, InnerBody>,
): void {
  const proxy = from[at]!;
  const flags = from[at + 3]!;
  const type = types[from[at + 2]!];
  check(type !== undefined, 'a body is static, kinematic or dynamic');
  check(isProxy(proxy) && !byProxy.has(proxy), 'a body has a proxy of its own');
  // Inactive at first, so that planck does not build a tree that would only be replaced.
  const body = planck.createBody({ type, active: false, userData: from[at + 1]! });
  body.createFixture({
    shape: makeShape(shapes, from[at + 4]!),
    density: 0,
    friction: from[at + 32]!,
    restitution: from[at + 33]!,
    isSensor: (flags & 32) !== 0,
    filterGroupIndex: from[at + 35]!,
    filterCategoryBits: from[at + 36]!,
    filterMaskBits: from[at + 37]!,
  });
  const inside = insideBody(body);
  inside.m_fixtureList.m_density = from[at + 34]!;
  inside.m_fixtureList.m_proxyCount = 1;
  inside.m_fixtureList.m_proxies[0]!.proxyId = proxy;
  byProxy.set(proxy, inside);
}

function fillBody(body: InnerBody, from: Float64Array, at: number): void {
  const flags = from[at + 3]!;
  const { m_sweep: sweep, m_xf: transform } = body;
  body.m_awakeFlag = (flags & 1) !== 0;
  body.m_autoSleepFlag = (flags & 2) !== 0;
  body.m_bulletFlag = (flags & 4) !== 0;
  body.m_fixedRotationFlag = (flags & 8) !== 0;
  body.m_activeFlag = (flags & 16) !== 0;
  body.m_mass = from[at + 5]!;
  body.m_invMass = from[at + 6]!;
  body.m_I = from[at + 7]!;
  body.m_invI = from[at + 8]!;
  transform.p.x = from[at + 9]!;
  transform.p.y = from[at + 10]!;
  transform.q.s = from[at + 11]!;
  transform.q.c = from[at + 12]!;
  sweep.localCenter.x = from[at + 13]!;
  sweep.localCenter.y = from[at + 14]!;
  sweep.c.x = from[at + 15]!;
  sweep.c.y = from[at + 16]!;
  sweep.a = from[at + 17]!;
  sweep.alpha0 = from[at + 18]!;
  sweep.c0.x = from[at + 19]!;
  sweep.c0.y = from[at + 20]!;
  sweep.a0 = from[at + 21]!;
  body.m_force.x = from[at + 22]!;
  body.m_force.y = from[at + 23]!;
  body.m_torque = from[at + 24]!;
  body.m_linearVelocity.x = from[at + 25]!;
  body.m_linearVelocity.y = from[at + 26]!;
  body.m_angularVelocity = from[at + 27]!;
  body.m_linearDamping = from[at + 28]!;
  body.m_angularDamping = from[at + 29]!;
  body.m_gravityScale = from[at + 30]!;
  body.m_sleepTime = from[at + 31]!;
}

function makeShape(shapes: Float64Array, place: number): CircleShape | BoxShape {
  const at = place * shapeNumbers;
  check(Number.isInteger(place) && place >= 0 && at < shapes.length, 'a body has a shape');
  const kind = shapes[at]!;
  check(kind === circle || kind === box, 'a shape is a circle or a box');
  const radius = shapes[at + 1]!;
  const x = shapes[at + 2]!;
  const y = shapes[at + 3]!;
  if (kind === circle) return new CircleShape(new Vec2(x, y), radius);
  const shape = new BoxShape(1, 1);
  shape.m_radius = radius;
  shape.m_centroid.set(x, y);
  for (let i = 0; i < corners; i++) {
    shape.m_vertices[i]!.set(shapes[at + 4 + 2 * i]!, shapes[at + 5 + 2 * i]!);
    shape.m_normals[i]!.set(shapes[at + 12 + 2 * i]!, shapes[at + 13 + 2 * i]!);
  }
  return shape;
}

function makeContact(world: InnerWorld, from: Float64Array, at: number, byProxy: ReadonlyMap<number, InnerBody>): void {
  const first = proxyOf(byProxy, from[at]!);
  const second = proxyOf(byProxy, from[at + 1]!);
  const before = world.m_contactList;
  world.createContact(first, second);
  const contact = world.m_contactList;
  check(
    contact !== null && contact !== before && contact.m_fixtureA === first.fixture,
    'a contact is between two that can meet',
  );
  const flags = from[at + 2]!;
  contact.m_enabledFlag = (flags & 1) !== 0;
  contact.m_touchingFlag = (flags & 2) !== 0;
  if ((flags & 4) !== 0) contact.flagForFiltering();
  const { m_manifold: manifold } = contact;
  const type = from[at + 3]!;
  const pointCount = from[at + 8]!;
  check(pointCount === 0 || pointCount === 1 || pointCount === 2, 'two shapes meet in at most two points');
  check(type === 0 || type === 1 || type === 2, 'a manifold is of circles or of a face');
  manifold.pointCount = pointCount;
  if (pointCount === 0) return;
  manifold.type = type;
  manifold.localNormal.x = from[at + 4]!;
  manifold.localNormal.y = from[at + 5]!;
  manifold.localPoint.x = from[at + 6]!;
  manifold.localPoint.y = from[at + 7]!;
  for (let i = 0; i < pointCount; i++) {
    const start = at + manifoldNumbers + i * pointNumbers;
    const point = manifold.points[i]!;
    point.localPoint.x = from[start]!;
    point.localPoint.y = from[start + 1]!;
    point.normalImpulse = from[start + 2]!;
    point.tangentImpulse = from[start + 3]!;
    point.id.setFeatures(from[start + 4]!, from[start + 5]!, from[start + 6]!, from[start + 7]!);
  }
}

/** How nodes of a tree are made, in planck's own or in ours. */
interface NodeMaker<Node> {
  leaf(id: number, at: number, body: InnerBody): Node;
  inner(id: number): Node;
  join(node: Node, first: Node, second: Node): void;
  finish(root: Node | undefined, lastProxy: number): void;
}

/** A node whose branches are being read. */
interface OpenNode<Node> {
  readonly node: Node;
  first: Node | undefined;
}

function restoreTree<Node>(
  maker: NodeMaker<Node>,
  from: Float64Array,
  lastProxy: number,
  byProxy: ReadonlyMap<number, InnerBody>,
): void {
  check(lastProxy === 0 || isProxy(lastProxy), 'the last proxy is one');
  const open: OpenNode<Node>[] = [];
  const known = new Set<number>();
  let root: Node | undefined;
  let leaves = 0;
  let at = 0;
  while (at < from.length) {
    const id = Math.abs(from[at]!);
    check(isProxy(id) && id <= lastProxy && !known.has(id), 'a node of the tree has an id of its own');
    check(at === 0 || open.length > 0, 'a tree has one root');
    known.add(id);
    if (from[at]! < 0) {
      open.push({ node: maker.inner(id), first: undefined });
      at++;
      continue;
    }
    const body = byProxy.get(id);
    check(body !== undefined && at + leafFields.length <= from.length, 'a leaf of the tree has a body and a box');
    root = close(maker, open, maker.leaf(id, at + 1, body));
    leaves++;
    at += leafFields.length;
  }
  check(open.length === 0, 'a tree is complete');
  check(leaves === byProxy.size, 'every body is in the tree');
  maker.finish(root, lastProxy);
}

/** Hangs a finished node into the innermost open one, and that as well if it is finished by it; gives back a node that nothing is above of. */
function close<Node>(maker: NodeMaker<Node>, open: OpenNode<Node>[], finished: Node): Node | undefined {
  let node = finished;
  for (let parent = open.at(-1); parent !== undefined; parent = open.at(-1)) {
    if (parent.first === undefined) {
      parent.first = node;
      return undefined;
    }
    open.pop();
    maker.join(parent.node, parent.first, node);
    node = parent.node;
  }
  return node;
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
      tree.boxes.set(from.subarray(at, at + boxStride), node * boxStride);
      m_broadPhase.adopt(node, body.m_fixtureList.m_proxies[0]! as unknown as FlatProxy);
      return node;
    },
    inner: (id) => tree.allocateWith(id),
    join: (node, first, second) => tree.join(node, first, second),
    finish: (root, lastProxy) => {
      if (root !== undefined) tree.root = root;
      tree.lastId = lastProxy;
    },
  };
}

function setBox({ lowerBound, upperBound }: InnerBox, from: Float64Array, at: number): void {
  lowerBound.x = from[at]!;
  lowerBound.y = from[at + 1]!;
  upperBound.x = from[at + 2]!;
  upperBound.y = from[at + 3]!;
}

function proxyOf(byProxy: ReadonlyMap<number, InnerBody>, id: number): InnerProxy {
  const body = byProxy.get(id);
  check(body !== undefined, 'a contact is between bodies');
  return body.m_fixtureList.m_proxies[0]!;
}

function isProxy(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0 && id <= proxiesMax;
}

/** planck counts on from the last one: there has to be room for more than any game makes. */
const proxiesMax = 4_503_599_627_370_496;

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new MalformedBytes(`In this snapshot it does not hold that ${what}.`);
}
