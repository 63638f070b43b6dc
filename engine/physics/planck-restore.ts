import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyFields } from './flat/body-fields.ts';
import type { FlatContact } from './flat/contact.ts';
import { FlatFixture } from './flat/fixture.ts';
import type { FlatProxy } from './flat/graph.ts';
import { boxStride } from './flat/tree.ts';
import type { FlatWorld } from './flat/world.ts';
import { BoxShape, CircleShape, Vec2 } from './planck/planck.ts';
import { type InnerShape, insideOf } from './planck-inside.ts';
import {
  MemberReader,
  type PlanckNumbers,
  passContact,
  passFixture,
  passShape,
  passStep,
  planckTables,
  sensorFlag,
  setFlags,
  shapeTypes,
} from './planck-members.ts';

const { bodies: bodyTable, contacts: contactTable, shapes: shapeTable, step: stepTable } = planckTables;
type Shape = CircleShape | BoxShape;

const sensor = { isSensor: true };
const solid = { isSensor: false };

/**
 * Fills a world in which nothing has been made yet with numbers that their declaration accepts. Throws `MalformedBytes` for those that no world can
 * have together; the world is then of no use.
 */
export function restorePlanck(planck: FlatWorld, { step, shapes, bodies, contacts, tree, moved }: PlanckNumbers): void {
  assert(planck.m_bodyList === null, 'a snapshot is restored into an empty world');
  const { bodies: store, m_broadPhase } = planck;
  const lastProxy = step[stepTable.at.lastProxy]!;
  store.reserve(bodies.length / bodyTable.width);
  m_broadPhase.tree.reserve(bodies.length / bodyTable.width + tree.length);
  // By digest: bodies share what never changes.
  const made = new Map<number, Shape>();
  for (let at = 0; at < shapes.length; at += shapeTable.width) made.set(shapes[at]!, makeShape(shapes, at));
  const fixture = new MemberReader(bodies);
  for (let at = bodies.length - bodyTable.width; at >= 0; at -= bodyTable.width) {
    const shape = made.get(bodies[at + bodyTable.at.shape]!);
    check(shape !== undefined, 'a body has a shape');
    check(bodies[at + bodyTable.at.proxy]! <= lastProxy, 'a body has a proxy that was made');
    fixture.at = at + bodyTable.at.friction;
    makeBody(planck, bodies, at, shape, fixture);
  }
  check(m_broadPhase.leafCount * bodyTable.width === bodies.length, 'a body has a proxy of its own');
  restoreTree(planck, tree, step);
  const contact = new MemberReader(contacts);
  for (contact.at = contacts.length; contact.at > 0; ) {
    const at = contact.at - contactTable.width;
    contact.at = at;
    passContact(makeContact(planck, contacts, at), contact);
    contact.at = at;
  }
  // Contacts wake bodies, so that these get their state afterwards.
  const { numbers } = store;
  const { flags, x } = bodyTable.at;
  const { length } = bodyFields;
  for (let at = 0, body = planck.m_bodyList as FlatBody | null; body !== null; body = body.m_next) {
    setFlags(store, body.row, bodies[at + flags]!);
    const { place } = body;
    for (let i = 0; i < length; i++) numbers[place + i] = bodies[at + x + i]!;
    at += bodyTable.width;
  }
  for (const id of moved) {
    check(proxyAt(planck, id) !== undefined, 'what has moved is in the tree');
    m_broadPhase.touchProxy(id);
  }
}

/** The body of a proxy; undefined where there is none. */
export function bodyOfProxy(planck: FlatWorld, id: number): FlatBody | undefined {
  return proxyAt(planck, id)?.fixture.getBody() as FlatBody | undefined;
}

function proxyAt({ m_broadPhase }: FlatWorld, id: number): FlatProxy | undefined {
  return m_broadPhase.getUserData(id);
}

function makeShape(from: Float64Array, at: number): Shape {
  const isCircle = shapeTypes[from[at + shapeTable.at.kind]!] === 'circle';
  const shape = isCircle ? new CircleShape(new Vec2(0, 0), 0) : new BoxShape(1, 1);
  passShape(shape as unknown as InnerShape, new MemberReader(from, at + shapeTable.at.radius));
  return shape;
}

/** With a leaf that hangs in no tree. */
function makeBody(planck: FlatWorld, from: Float64Array, at: number, shape: Shape, reader: MemberReader): void {
  const id = from[at + bodyTable.at.proxy]!;
  const { tree } = planck.m_broadPhase;
  const body = planck.createBlankBody();
  body.m_userData = from[at + bodyTable.at.entity]!;
  planck.bodies.type[body.row] = from[at + bodyTable.at.type]!;
  const fixture = new FlatFixture(body, shape, (from[at + bodyTable.at.flags]! & sensorFlag) !== 0 ? sensor : solid);
  body.m_fixtureList = fixture;
  const proxy = fixture.m_proxies[0]!;
  passFixture(fixture, reader);
  fixture.m_proxyCount = 1;
  proxy.proxyId = id;
  const leaf = tree.allocateWith(id);
  for (let i = 0; i < boxStride; i++) tree.boxes[leaf * boxStride + i] = from[at + bodyTable.at.left + i]!;
  planck.m_broadPhase.adopt(leaf, proxy);
}

/** Leaves that are not in it were saved from beside the tree. */
function restoreTree(planck: FlatWorld, ids: Float64Array, step: Float64Array): void {
  const { m_broadPhase, m_bodyList } = planck;
  const { tree } = m_broadPhase;
  const lastProxy = step[stepTable.at.lastProxy]!;
  const known = new Set<number>();
  // Backwards: when a node is met, both its branches are finished.
  const finished: number[] = [];
  for (let i = ids.length - 1; i >= 0; i--) {
    const id = Math.abs(ids[i]!);
    const isKnown = known.has(id) || (ids[i]! < 0 && proxyAt(planck, id) !== undefined);
    check(!isKnown && Number.isInteger(id) && id > 0 && id <= lastProxy, 'a node of the tree has an id of its own');
    known.add(id);
    const leaf = proxyAt(planck, id)?.leaf;
    check(leaf !== undefined || finished.length >= 2, 'a node of the tree has a body or two branches');
    const node = leaf ?? tree.allocateWith(id);
    if (leaf === undefined) tree.join(node, finished.pop()!, finished.pop()!);
    finished.push(node);
  }
  check(finished.length <= 1, 'a tree has one root');
  tree.root = finished[0] ?? tree.root;
  // Nodes that were made so far have ids of old; others get the ids after the last.
  passStep(planck, new MemberReader(step));
  for (let body = m_bodyList; body !== null; body = body.m_next) {
    const { leaf } = body.m_fixtureList!.m_proxies[0]!;
    if (tree.isLoose(leaf)) m_broadPhase.adoptLoose(leaf);
  }
  m_broadPhase.adopted();
}

function makeContact(planck: FlatWorld, from: Float64Array, at: number): FlatContact {
  const first = proxyAt(planck, from[at + contactTable.at.firstProxy]!);
  const second = proxyAt(planck, from[at + contactTable.at.secondProxy]!);
  check(first !== undefined && second !== undefined, 'a contact is between bodies');
  const before = planck.m_contactList;
  insideOf(planck).createContact(first, second);
  const contact = planck.m_contactList;
  check(
    contact !== null && contact !== before && contact.m_fixtureA === (first.fixture as unknown),
    'a contact is between two that can meet',
  );
  return contact;
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new MalformedBytes(`In this snapshot it does not hold that ${what}.`);
}
