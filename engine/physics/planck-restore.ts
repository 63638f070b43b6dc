import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyTypes, bodyFields as motionFields } from './flat/body-fields.ts';
import type { BodyStore } from './flat/body-store.ts';
import type { FlatProxy } from './flat/graph.ts';
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
import { writeMember } from './planck-members.ts';
import {
  BodyFlag,
  bodyAt,
  bodyNumbers,
  box,
  ContactBit,
  circle,
  contactAt,
  contactNumbers,
  corners,
  leafFields,
  motionNumbers,
  motionStart,
  type PlanckNumbers,
  pointNumbers,
  shapeAt,
  shapeNumbers,
  stepAt,
  stepFields,
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
    // Zero times what is not finite is no number.
    let sum = 0;
    for (let i = 0; i < list.length; i++) sum += 0 * list[i]!;
    check(sum === 0, 'physics is made of finite numbers');
  }
  const byProxy = new Map<number, InnerBody>();
  const store = planck instanceof FlatWorld ? planck.bodies : undefined;
  store?.reserve(bodies.length / bodyNumbers);
  // By digest: bodies share what never changes.
  const made = new Map<number, CircleShape | BoxShape>();
  for (let at = 0; at < shapes.length; at += shapeNumbers)
    made.set(shapes[at + shapeAt.digest]!, makeShape(shapes, at));
  for (let at = bodies.length - bodyNumbers; at >= 0; at -= bodyNumbers) makeBody(planck, bodies, at, made, byProxy);
  // Before the contacts, which look up proxies; they wake bodies, so that these get their state afterwards.
  if (planck instanceof FlatWorld)
    restoreTree(flatNodes(planck, numbers.tree), numbers.tree, step[stepAt.lastProxy]!, byProxy);
  else restoreTree(planckNodes(world, numbers.tree), numbers.tree, step[stepAt.lastProxy]!, byProxy);
  for (let at = contacts.length - contactNumbers; at >= 0; at -= contactNumbers)
    makeContact(world, contacts, at, byProxy);
  for (let at = 0, body = world.m_bodyList; body !== null; at += bodyNumbers, body = body.m_next)
    fillBody(body, bodies, at, store);
  for (const id of numbers.moved) {
    check(byProxy.has(id), 'what has moved is in the tree');
    world.m_broadPhase.touchProxy(id);
  }
  world.s_step.dt = step[stepAt.seconds]!;
  world.s_step.inv_dt = step[stepAt.perSecond]!;
  world.s_step.inv_dt0 = step[stepAt.formerPerSecond]!;
  world.s_step.dtRatio = step[stepAt.ratio]!;
  world.m_newFixture = step[stepAt.hasNewFixture] === 1;
  return byProxy;
}

function makeBody(
  planck: PlanckWorld,
  from: Float64Array,
  at: number,
  shapes: ReadonlyMap<number, CircleShape | BoxShape>,
  byProxy: Map<number, InnerBody>,
): void {
  const proxy = from[at + bodyAt.proxy]!;
  const type = bodyTypes[from[at + bodyAt.type]!];
  check(type !== undefined, 'a body is static, kinematic or dynamic');
  check(isProxy(proxy) && !byProxy.has(proxy), 'a body has a proxy of its own');
  const shape = shapes.get(from[at + bodyAt.shape]!);
  check(shape !== undefined, 'a body has a shape');
  // Inactive at first, so that planck does not build a tree that would only be replaced.
  const body = planck.createBody({ type, active: false, userData: from[at + bodyAt.entity]! });
  body.createFixture({
    shape,
    density: 0,
    friction: from[at + bodyAt.friction]!,
    restitution: from[at + bodyAt.restitution]!,
    isSensor: (from[at + bodyAt.flags]! & BodyFlag.sensor) !== 0,
    filterGroupIndex: from[at + bodyAt.group]!,
    filterCategoryBits: from[at + bodyAt.category]!,
    filterMaskBits: from[at + bodyAt.mask]!,
  });
  const inside = insideBody(body);
  inside.m_fixtureList.m_density = from[at + bodyAt.density]!;
  inside.m_fixtureList.m_proxyCount = 1;
  inside.m_fixtureList.m_proxies[0]!.proxyId = proxy;
  byProxy.set(proxy, inside);
}

function fillBody(body: InnerBody, from: Float64Array, at: number, store: BodyStore | undefined): void {
  const flags = from[at + bodyAt.flags]!;
  body.m_awakeFlag = (flags & BodyFlag.awake) !== 0;
  body.m_autoSleepFlag = (flags & BodyFlag.maySleep) !== 0;
  body.m_bulletFlag = (flags & BodyFlag.bullet) !== 0;
  body.m_fixedRotationFlag = (flags & BodyFlag.fixedRotation) !== 0;
  body.m_activeFlag = (flags & BodyFlag.active) !== 0;
  const start = at + motionStart;
  if (store !== undefined) {
    const { numbers } = store;
    const { place } = body as unknown as FlatBody;
    for (let i = 0; i < motionNumbers; i++) numbers[place + i] = from[start + i]!;
    return;
  }
  for (const [i, field] of motionFields.entries()) writeMember(body, field, from[start + i]!);
}

function makeShape(shapes: Float64Array, at: number): CircleShape | BoxShape {
  const kind = shapes[at + shapeAt.kind]!;
  check(kind === circle || kind === box, 'a shape is a circle or a box');
  const radius = shapes[at + shapeAt.radius]!;
  check(radius >= 0, 'a radius is not below 0');
  for (let i = shapeAt.radius; i < shapeNumbers; i++)
    check(Math.abs(shapes[at + i]!) <= sizeMax, 'a shape is not endless');
  const x = shapes[at + shapeAt.centreX]!;
  const y = shapes[at + shapeAt.centreY]!;
  if (kind === circle) return new CircleShape(new Vec2(x, y), radius);
  const shape = new BoxShape(1, 1);
  shape.m_radius = radius;
  shape.m_centroid.set(x, y);
  for (let i = 0; i < corners; i++) {
    const corner = at + shapeAt.cornerX1 + 2 * i;
    const normal = at + shapeAt.normalX1 + 2 * i;
    shape.m_vertices[i]!.set(shapes[corner]!, shapes[corner + 1]!);
    shape.m_normals[i]!.set(shapes[normal]!, shapes[normal + 1]!);
  }
  return shape;
}

function makeContact(world: InnerWorld, from: Float64Array, at: number, byProxy: ReadonlyMap<number, InnerBody>): void {
  const first = proxyOf(byProxy, from[at + contactAt.firstProxy]!);
  const second = proxyOf(byProxy, from[at + contactAt.secondProxy]!);
  const before = world.m_contactList;
  world.createContact(first, second);
  const contact = world.m_contactList;
  check(
    contact !== null && contact !== before && contact.m_fixtureA === first.fixture,
    'a contact is between two that can meet',
  );
  const flags = from[at + contactAt.flags]!;
  contact.m_enabledFlag = (flags & ContactBit.enabled) !== 0;
  contact.m_touchingFlag = (flags & ContactBit.touching) !== 0;
  if ((flags & ContactBit.filter) !== 0) contact.flagForFiltering();
  const { m_manifold: manifold } = contact;
  const type = from[at + contactAt.manifold]!;
  const pointCount = from[at + contactAt.count]!;
  check(pointCount === 0 || pointCount === 1 || pointCount === 2, 'two shapes meet in at most two points');
  check(type === 0 || type === 1 || type === 2, 'a manifold is of circles or of a face');
  manifold.pointCount = pointCount;
  if (pointCount === 0) return;
  manifold.type = type;
  manifold.localNormal.x = from[at + contactAt.normalX]!;
  manifold.localNormal.y = from[at + contactAt.normalY]!;
  manifold.localPoint.x = from[at + contactAt.pointX]!;
  manifold.localPoint.y = from[at + contactAt.pointY]!;
  for (let i = 0; i < pointCount; i++) {
    const start = at + contactAt.x1 + i * pointNumbers;
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
  /** Leaves that were saved beside the tree. */
  loose(leaf: Node): void;
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
  const loose: Node[] = [];
  let root: Node | undefined;
  let leaves = 0;
  let at = 0;
  while (at < from.length) {
    const id = Math.abs(from[at]!);
    check(isProxy(id) && id <= lastProxy && !known.has(id), 'a node of the tree has an id of its own');
    const isBeside = at > 0 && open.length === 0;
    check(!isBeside || from[at]! > 0, 'only leaves lie beside a tree');
    known.add(id);
    if (from[at]! < 0) {
      open.push({ node: maker.inner(id), first: undefined });
      at++;
      continue;
    }
    const body = byProxy.get(id);
    check(body !== undefined && at + leafFields.length <= from.length, 'a leaf of the tree has a body and a box');
    const leaf = maker.leaf(id, at + 1, body);
    if (isBeside) loose.push(leaf);
    else root = close(maker, open, leaf);
    leaves++;
    at += leafFields.length;
  }
  check(open.length === 0, 'a tree is complete');
  check(leaves === byProxy.size, 'every body is in the tree');
  maker.finish(root, lastProxy);
  for (const leaf of loose) maker.loose(leaf);
}

/** Hangs a finished node into the innermost open one. That one is hung as well if it is finished by it. Returns a node with nothing above it. */
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

function proxyOf(byProxy: ReadonlyMap<number, InnerBody>, id: number): InnerProxy {
  const body = byProxy.get(id);
  check(body !== undefined, 'a contact is between bodies');
  return body.m_fixtureList.m_proxies[0]!;
}

function isProxy(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0 && id <= proxiesMax;
}

/** m. Products of a few larger sizes are infinite, and of what is not a number planck finds no nearest corner. */
const sizeMax = 1e50;

/** planck counts on from the last one: there has to be room for more than any game makes. */
const proxiesMax = 4_503_599_627_370_496;

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new MalformedBytes(`In this snapshot it does not hold that ${what}.`);
}
