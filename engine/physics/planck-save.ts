import { assert } from '../core/assert.ts';
import { StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyFields, bodyTypes } from './flat/body-fields.ts';
import { FlatWorld } from './flat/world.ts';
import type { World as PlanckWorld } from './planck/planck.ts';
import { type InnerFixture, type InnerNode, type InnerShape, insideOf } from './planck-inside.ts';
import {
  corners,
  flagsOf,
  members,
  type PlanckNumbers,
  planckTables,
  sensorFlag,
  shapeTypes,
} from './planck-members.ts';

/** Newest body first. */
function pushBodies(planck: PlanckWorld, to: NumberList, shapes: ShapeTable): void {
  const store = planck instanceof FlatWorld ? planck.bodies : undefined;
  for (let body = insideOf(planck).m_bodyList; body !== null; body = body.m_next) {
    const fixture = body.m_fixtureList;
    demandSingle(fixture);
    to.push(fixture.m_proxies[0]!.proxyId);
    to.push(body.m_userData as number);
    to.push(bodyTypes.indexOf(body.m_type));
    to.push(flagsOf(body) | (fixture.m_isSensor ? sensorFlag : 0));
    to.push(shapes.digestOf(fixture.m_shape));
    if (store === undefined) members.motion.pass(body, to);
    else to.pushFrom(store.numbers, (body as unknown as FlatBody).place, bodyFields.length);
    members.fixture.pass(fixture, to);
  }
}

export function demandSingle(fixture: InnerFixture | null): asserts fixture {
  assert(
    fixture !== null && fixture.m_next === null && fixture.m_proxyCount === 1,
    'a body has one fixture in one place',
  );
}

/** Newest contact first, each with as many numbers. */
function pushContacts(planck: PlanckWorld, to: NumberList): void {
  for (let contact = insideOf(planck).m_contactList; contact !== null; contact = contact.m_next) {
    const end = to.length + planckTables.contacts.width;
    members.contact.pass(contact, to);
    to.pushZeros(end - to.length);
  }
}

// Reused by every walk over a tree.
const branches: InnerNode[] = [];

/** Boxes of inner nodes are those around their branches, and heights count them: neither has to be kept. */
export function pushTree(planck: PlanckWorld, to: NumberList): void {
  if (planck instanceof FlatWorld) {
    planck.m_broadPhase.tree.save(to);
    return;
  }
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

/** The leaves that a broad phase keeps beside its tree, newest body first. */
function pushLoose({ m_broadPhase, m_bodyList }: FlatWorld, to: NumberList): void {
  for (let body = m_bodyList; body !== null; body = body.m_next) {
    const { leaf } = body.m_fixtureList!.m_proxies[0]!;
    if (m_broadPhase.isLoose(leaf)) m_broadPhase.tree.saveLeaf(leaf, to);
  }
}

/** Ids of the leaves whose pairs the next step looks for. Entries that planck only blanked mean nothing. */
export function pushMoved(planck: PlanckWorld, to: NumberList): void {
  if (planck instanceof FlatWorld) {
    planck.m_broadPhase.saveMoved(to);
    return;
  }
  for (const id of insideOf(planck).m_broadPhase.m_moveBuffer) if (id !== null) to.push(id);
}

export function pushStep(planck: PlanckWorld, to: NumberList): void {
  members.step.pass(insideOf(planck), to);
  to.push(
    planck instanceof FlatWorld ? planck.m_broadPhase.tree.lastId : insideOf(planck).m_broadPhase.m_tree.m_lastProxyId,
  );
}

function pushShape(shape: InnerShape, to: NumberList): void {
  // Without the digest.
  const end = to.length + planckTables.shapes.width - 1;
  to.push(shapeTypes.indexOf(shape.m_type));
  if (shape.m_type === 'circle') members.circle.pass(shape, to);
  else {
    assert(shape.m_vertices.length === corners, 'a shape is a circle or a box');
    members.box.pass(shape, to);
  }
  to.pushZeros(end - to.length);
}

/** The numbers of one world, in lists that are used again by every save. */
export class PlanckSaver {
  private readonly planck: PlanckWorld;
  private readonly lists = {
    bodies: new NumberList(),
    contacts: new NumberList(),
    step: new NumberList(8),
    tree: new NumberList(),
    moved: new NumberList(64),
  };
  private readonly shapes = new ShapeTable();

  constructor(planck: PlanckWorld) {
    this.planck = planck;
  }

  /** Between two steps; good until the next call. */
  save(): PlanckNumbers {
    const { planck, lists, shapes } = this;
    const { bodies, contacts, step, tree, moved } = lists;
    for (const list of [bodies, contacts, step, tree, moved]) list.clear();
    pushBodies(planck, bodies, shapes);
    pushContacts(planck, contacts);
    pushStep(planck, step);
    pushTree(planck, tree);
    if (planck instanceof FlatWorld) pushLoose(planck, tree);
    pushMoved(planck, moved);
    return {
      bodies: bodies.view,
      contacts: contacts.view,
      step: step.view,
      shapes: shapes.of(planck),
      tree: tree.view,
      moved: moved.view,
    };
  }
}

/** Shapes that are equal are one in a state, because most bodies of a type have the same. They never change, so each is read once. */
export class ShapeTable {
  private readonly digests = new WeakMap<InnerShape, number>();
  private readonly hasher = new StateHasher();
  private readonly numbers = new NumberList(planckTables.shapes.width);
  private last: InnerShape | undefined;
  private lastDigest = 0;

  digestOf(shape: InnerShape): number {
    if (shape !== this.last) {
      this.last = shape;
      this.lastDigest = this.digests.get(shape) ?? this.newDigest(shape);
    }
    return this.lastDigest;
  }

  /** The numbers of all shapes in a world, each once. */
  of(planck: PlanckWorld): Float64Array {
    const { numbers } = this;
    const known = new Set<number>();
    numbers.clear();
    for (let body = insideOf(planck).m_bodyList; body !== null; body = body.m_next) {
      const { m_shape } = body.m_fixtureList;
      const digest = this.digestOf(m_shape);
      if (known.has(digest)) continue;
      known.add(digest);
      numbers.push(digest);
      pushShape(m_shape, numbers);
    }
    return numbers.view;
  }

  private newDigest(shape: InnerShape): number {
    const numbers = new NumberList(planckTables.shapes.width);
    pushShape(shape, numbers);
    this.hasher.reset();
    this.hasher.floats(numbers.view);
    const digest = this.hasher.number();
    this.digests.set(shape, digest);
    return digest;
  }
}
