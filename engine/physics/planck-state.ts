import { assert } from '../base/assert.ts';
import { MalformedBytes } from '../base/bytes.ts';
import type { NumberList } from '../base/number-list.ts';
import { BoxShape, CircleShape, type World as PlanckWorld, Vec2 } from './planck.ts';
import {
  type InnerBody,
  type InnerBox,
  type InnerContact,
  type InnerNode,
  type InnerProxy,
  type InnerTree,
  type InnerWorld,
  insideBody,
  insideOf,
} from './planck-inside.ts';

/**
 * A planck world as numbers, exactly: a world restored from them makes the same steps for ever. planck's own serializer loses the impulses
 * that contacts start the next step with, the order of contacts, the boxes and shape of the tree that finds pairs, sleep times and the
 * rotation's sine and cosine. What is left out here is written anew by planck before it is read: the constraints of contacts, flags of
 * islands, times of impact, the tight boxes of fixtures. Every body has one fixture of one circle or box, and there are no joints.
 */

/** Names of the numbers of one body. Flags: 1 awake, 2 may sleep, 4 bullet, 8 fixed rotation, 16 active, 32 sensor. */
export const bodyFields = [
  'proxy',
  'entity',
  'type',
  'flags',
  'shape',
  'mass',
  'inverseMass',
  'inertia',
  'inverseInertia',
  'x',
  'y',
  'sine',
  'cosine',
  'localCentreX',
  'localCentreY',
  'centreX',
  'centreY',
  'angle',
  'formerFraction',
  'formerCentreX',
  'formerCentreY',
  'formerAngle',
  'forceX',
  'forceY',
  'torque',
  'velocityX',
  'velocityY',
  'angularVelocity',
  'linearDamping',
  'angularDamping',
  'gravityScale',
  'sleepTime',
  'friction',
  'restitution',
  'density',
  'group',
  'category',
  'mask',
] as const;
const bodyNumbers = bodyFields.length;
const types = ['static', 'kinematic', 'dynamic'] as const;

/** Names of the numbers of one contact. Flags: 1 enabled, 2 touching, 4 to be filtered anew. Points beyond the count are zeros. */
export const contactFields = [
  'firstProxy',
  'secondProxy',
  'flags',
  'manifold',
  'normalX',
  'normalY',
  'pointX',
  'pointY',
  'count',
  'x1',
  'y1',
  'normalImpulse1',
  'tangentImpulse1',
  'indexA1',
  'typeA1',
  'indexB1',
  'typeB1',
  'x2',
  'y2',
  'normalImpulse2',
  'tangentImpulse2',
  'indexA2',
  'typeA2',
  'indexB2',
  'typeB2',
] as const;
const contactNumbers = contactFields.length;
const manifoldNumbers = 9;
const pointNumbers = 8;
const pointsMost = 2;

/** Names of the numbers of one shape: a circle has radius and centre, a box also four corners and the directions of its sides. */
export const shapeFields = [
  'kind',
  'radius',
  'centreX',
  'centreY',
  'cornerX1',
  'cornerY1',
  'cornerX2',
  'cornerY2',
  'cornerX3',
  'cornerY3',
  'cornerX4',
  'cornerY4',
  'normalX1',
  'normalY1',
  'normalX2',
  'normalY2',
  'normalX3',
  'normalY3',
  'normalX4',
  'normalY4',
] as const;
const shapeNumbers = shapeFields.length;
const corners = 4;
const circle = 0;
const box = 1;

/** Of a leaf of the tree: its id and its box. Of an inner node: its id, negative; then follow both its branches. */
export const leafFields = ['id', 'left', 'top', 'right', 'bottom'] as const;

export const stepFields = ['seconds', 'perSecond', 'formerPerSecond', 'ratio', 'hasNewFixture', 'lastProxy'] as const;

export type Shape = InnerBody['m_fixtureList']['m_shape'];

/** `shapeNumber` says what stands for a shape: its place in a table, or a digest. Newest body first. */
export function pushBodies(planck: PlanckWorld, to: NumberList, shapeNumber: (shape: Shape) => number): void {
  for (let body = insideOf(planck).m_bodyList; body !== null; body = body.m_next) pushBody(body, to, shapeNumber);
}

function pushBody(body: InnerBody, to: NumberList, shapeNumber: (shape: Shape) => number): void {
  const fixture = body.m_fixtureList;
  const { m_sweep: sweep, m_xf: transform } = body;
  assert(
    fixture !== null && fixture.m_next === null && fixture.m_proxyCount === 1,
    'a body has one fixture in one place',
  );
  to.push(fixture.m_proxies[0]!.proxyId);
  to.push(body.m_userData as number);
  to.push(body.m_type === 'static' ? 0 : body.m_type === 'kinematic' ? 1 : 2);
  to.push(
    (body.m_awakeFlag ? 1 : 0) |
      (body.m_autoSleepFlag ? 2 : 0) |
      (body.m_bulletFlag ? 4 : 0) |
      (body.m_fixedRotationFlag ? 8 : 0) |
      (body.m_activeFlag ? 16 : 0) |
      (fixture.m_isSensor ? 32 : 0),
  );
  to.push(shapeNumber(fixture.m_shape));
  to.push(body.m_mass);
  to.push(body.m_invMass);
  to.push(body.m_I);
  to.push(body.m_invI);
  to.push(transform.p.x);
  to.push(transform.p.y);
  to.push(transform.q.s);
  to.push(transform.q.c);
  to.push(sweep.localCenter.x);
  to.push(sweep.localCenter.y);
  to.push(sweep.c.x);
  to.push(sweep.c.y);
  to.push(sweep.a);
  to.push(sweep.alpha0);
  to.push(sweep.c0.x);
  to.push(sweep.c0.y);
  to.push(sweep.a0);
  to.push(body.m_force.x);
  to.push(body.m_force.y);
  to.push(body.m_torque);
  to.push(body.m_linearVelocity.x);
  to.push(body.m_linearVelocity.y);
  to.push(body.m_angularVelocity);
  to.push(body.m_linearDamping);
  to.push(body.m_angularDamping);
  to.push(body.m_gravityScale);
  to.push(body.m_sleepTime);
  to.push(fixture.m_friction);
  to.push(fixture.m_restitution);
  to.push(fixture.m_density);
  to.push(fixture.m_filterGroupIndex);
  to.push(fixture.m_filterCategoryBits);
  to.push(fixture.m_filterMaskBits);
}

/**
 * The same for a hash, which wants to be quick: of a static body, and most are walls, only what somebody could change or that something else
 * reads. It has no mass, no speed and no sleep.
 */
export function pushBodiesBriefly(planck: PlanckWorld, to: NumberList, shapeNumber: (shape: Shape) => number): void {
  for (let body = insideOf(planck).m_bodyList; body !== null; body = body.m_next) {
    if (body.m_type !== 'static') {
      pushBody(body, to, shapeNumber);
      continue;
    }
    const fixture = body.m_fixtureList;
    const { p, q } = body.m_xf;
    to.push(-fixture.m_proxies[0]!.proxyId);
    to.push(body.m_userData as number);
    to.push((body.m_awakeFlag ? 1 : 0) | (body.m_activeFlag ? 2 : 0) | (fixture.m_isSensor ? 4 : 0));
    to.push(shapeNumber(fixture.m_shape));
    to.push(p.x);
    to.push(p.y);
    to.push(q.s);
    to.push(q.c);
    to.push(body.m_sweep.a);
    to.push(fixture.m_friction);
    to.push(fixture.m_restitution);
    to.push(fixture.m_filterCategoryBits);
    to.push(fixture.m_filterMaskBits);
  }
}

/** Newest contact first. */
export function pushContacts(planck: PlanckWorld, to: NumberList): void {
  for (let contact = insideOf(planck).m_contactList; contact !== null; contact = contact.m_next)
    pushContact(contact, to);
}

function pushContact(contact: InnerContact, to: NumberList): void {
  const { m_manifold: manifold } = contact;
  to.push(contact.m_fixtureA.m_proxies[0]!.proxyId);
  to.push(contact.m_fixtureB.m_proxies[0]!.proxyId);
  to.push((contact.m_enabledFlag ? 1 : 0) | (contact.m_touchingFlag ? 2 : 0) | (contact.m_filterFlag ? 4 : 0));
  const { pointCount } = manifold;
  // Without points nothing of a manifold is read before it is made anew.
  if (pointCount === 0) {
    for (let i = 3; i < contactNumbers; i++) to.push(0);
    return;
  }
  to.push(manifold.type ?? 0);
  to.push(manifold.localNormal.x);
  to.push(manifold.localNormal.y);
  to.push(manifold.localPoint.x);
  to.push(manifold.localPoint.y);
  to.push(pointCount);
  for (let i = 0; i < pointsMost; i++) {
    if (i >= pointCount) {
      for (let j = 0; j < pointNumbers; j++) to.push(0);
      continue;
    }
    const point = manifold.points[i]!;
    to.push(point.localPoint.x);
    to.push(point.localPoint.y);
    to.push(point.normalImpulse);
    to.push(point.tangentImpulse);
    to.push(point.id.indexA);
    to.push(point.id.typeA);
    to.push(point.id.indexB);
    to.push(point.id.typeB);
  }
}

// Reused by every walk over a tree.
const branches: InnerNode[] = [];

/** Boxes of inner nodes are those around their branches, and heights count them: neither has to be kept. */
export function pushTree(planck: PlanckWorld, to: NumberList): void {
  const { m_root } = insideOf(planck).m_broadPhase.m_tree;
  if (m_root === null) return;
  branches.push(m_root);
  for (let node = branches.pop(); node !== undefined; node = branches.pop()) {
    if (node.child1 !== null) {
      to.push(-node.id);
      branches.push(node.child2!, node.child1);
      continue;
    }
    const { lowerBound, upperBound } = node.aabb;
    to.push(node.id);
    to.push(lowerBound.x);
    to.push(lowerBound.y);
    to.push(upperBound.x);
    to.push(upperBound.y);
  }
}

/** Ids of the leaves whose pairs the next step looks for. Entries that planck only blanked mean nothing. */
export function pushMoved(planck: PlanckWorld, to: NumberList): void {
  for (const id of insideOf(planck).m_broadPhase.m_moveBuffer) if (id !== null) to.push(id);
}

export function pushStep(planck: PlanckWorld, to: NumberList): void {
  const { s_step: step, m_newFixture, m_broadPhase } = insideOf(planck);
  to.push(step.dt);
  to.push(step.inv_dt);
  to.push(step.inv_dt0);
  to.push(step.dtRatio);
  to.push(m_newFixture ? 1 : 0);
  to.push(m_broadPhase.m_tree.m_lastProxyId);
}

export function pushShape(shape: Shape, to: NumberList): void {
  const isCircle = shape.m_type === 'circle';
  const centre = isCircle ? shape.m_p : shape.m_centroid;
  to.push(isCircle ? circle : box);
  to.push(shape.m_radius);
  to.push(centre.x);
  to.push(centre.y);
  if (isCircle) {
    for (let i = 4; i < shapeNumbers; i++) to.push(0);
    return;
  }
  assert(shape.m_count === corners, 'a shape is a circle or a box');
  for (const { x, y } of shape.m_vertices) {
    to.push(x);
    to.push(y);
  }
  for (const { x, y } of shape.m_normals) {
    to.push(x);
    to.push(y);
  }
}

export interface PlanckNumbers {
  readonly step: Float64Array;
  readonly shapes: Float64Array;
  readonly bodies: Float64Array;
  readonly contacts: Float64Array;
  readonly tree: Float64Array;
  readonly moved: Float64Array;
}

export function savePlanck(planck: PlanckWorld, list: NumberList): PlanckNumbers {
  const shapes = new ShapeTable();
  const taken = (push: () => void): Float64Array => {
    list.clear();
    push();
    return list.from(0);
  };
  const bodies = taken(() => pushBodies(planck, list, shapes.place));
  return {
    step: taken(() => pushStep(planck, list)),
    shapes: taken(() => {
      for (const shape of shapes.shapes) pushShape(shape, list);
    }),
    bodies,
    contacts: taken(() => pushContacts(planck, list)),
    tree: taken(() => pushTree(planck, list)),
    moved: taken(() => pushMoved(planck, list)),
  };
}

/** Shapes that are equal are one in a snapshot, because most bodies of a type have the same. */
class ShapeTable {
  readonly shapes: Shape[] = [];
  private readonly places = new Map<string, number>();

  readonly place = (shape: Shape): number => {
    const centre = shape.m_type === 'circle' ? shape.m_p : shape.m_centroid;
    const points = shape.m_type === 'circle' ? [] : [...shape.m_vertices, ...shape.m_normals];
    const key = [
      shape.m_type,
      shape.m_radius,
      ...[centre, ...points].flatMap(({ x, y }) => [signed(x), signed(y)]),
    ].join();
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.shapes.length;
      this.places.set(key, place);
      this.shapes.push(shape);
    }
    return place;
  };
}

function signed(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

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
  restoreTree(world, numbers.tree, step[5]!, byProxy);
  for (let at = contacts.length - contactNumbers; at >= 0; at -= contactNumbers)
    makeContact(world, contacts, at, byProxy);
  for (let at = 0, body = world.m_bodyList; body !== null; at += bodyNumbers, body = body.m_next)
    fillBody(body, bodies, at);
  restoreMoved(world, numbers.moved, byProxy);
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
  contact.m_filterFlag = (flags & 4) !== 0;
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

/** A node whose branches are being read. */
interface OpenNode {
  readonly node: InnerNode;
  first: InnerNode | null;
}

function restoreTree(
  { m_broadPhase: { m_tree: tree } }: InnerWorld,
  from: Float64Array,
  lastProxy: number,
  byProxy: ReadonlyMap<number, InnerBody>,
): void {
  const open: OpenNode[] = [];
  const known = new Set<number>();
  let leaves = 0;
  let at = 0;
  while (at < from.length) {
    const id = Math.abs(from[at]!);
    check(isProxy(id) && id <= lastProxy && !known.has(id), 'a node of the tree has an id of its own');
    check(at === 0 || open.length > 0, 'a tree has one root');
    known.add(id);
    let node: InnerNode | undefined = nodeOf(tree, id);
    if (from[at]! < 0) {
      open.push({ node, first: null });
      at++;
      continue;
    }
    const body = byProxy.get(id);
    check(body !== undefined && at + leafFields.length <= from.length, 'a leaf of the tree has a body and a box');
    node.userData = body.m_fixtureList.m_proxies[0]!;
    node.height = 0;
    setBox(node.aabb, from, at + 1);
    setBox(node.userData.aabb, from, at + 1);
    leaves++;
    at += leafFields.length;
    while (node !== undefined) node = close(tree, open, node);
  }
  check(open.length === 0, 'a tree is complete');
  check(leaves === byProxy.size, 'every body is in the tree');
  tree.m_lastProxyId = lastProxy;
}

/** Hangs a finished node into the innermost open one; gives that back if it is finished, too. */
function close(tree: InnerTree, open: OpenNode[], node: InnerNode): InnerNode | undefined {
  const parent = open.at(-1);
  if (parent === undefined) {
    tree.m_root = node;
    node.parent = null;
    return undefined;
  }
  node.parent = parent.node;
  if (parent.first === null) {
    parent.first = node;
    return undefined;
  }
  open.pop();
  parent.node.child1 = parent.first;
  parent.node.child2 = node;
  parent.node.height = 1 + Math.max(parent.first.height, node.height);
  parent.node.aabb.combine(parent.first.aabb, node.aabb);
  return parent.node;
}

function nodeOf(tree: InnerTree, id: number): InnerNode {
  tree.m_lastProxyId = id - 1;
  return tree.allocateNode();
}

function setBox({ lowerBound, upperBound }: InnerBox, from: Float64Array, at: number): void {
  lowerBound.x = from[at]!;
  lowerBound.y = from[at + 1]!;
  upperBound.x = from[at + 2]!;
  upperBound.y = from[at + 3]!;
}

function restoreMoved(world: InnerWorld, moved: Float64Array, byProxy: ReadonlyMap<number, InnerBody>): void {
  for (const id of moved) {
    check(byProxy.has(id), 'what has moved is in the tree');
    world.m_broadPhase.m_moveBuffer.push(id);
  }
}

function proxyOf(byProxy: ReadonlyMap<number, InnerBody>, id: number): InnerProxy {
  const body = byProxy.get(id);
  check(body !== undefined, 'a contact is between bodies');
  return body.m_fixtureList.m_proxies[0]!;
}

function isProxy(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0;
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new MalformedBytes(`In this snapshot it does not hold that ${what}.`);
}
