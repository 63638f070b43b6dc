import { assert } from '../core/assert.ts';
import { StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyTypes, bodyFields as motionFields } from './flat/body-fields.ts';
import { FlatWorld } from './flat/world.ts';
import type { World as PlanckWorld } from './planck/planck.ts';
import { type InnerBody, type InnerContact, type InnerFixture, type InnerNode, insideOf } from './planck-inside.ts';
import { fixtureMembers, readMember } from './planck-members.ts';
import {
  BodyFlag,
  box,
  ContactBit,
  circle,
  contactNumbers,
  corners,
  fixtureFields,
  motionNumbers,
  type PlanckNumbers,
  shapeAt,
  shapeNumbers,
  stepFields,
} from './planck-numbers.ts';

type Shape = InnerBody['m_fixtureList']['m_shape'];

/** Newest body first, each with the numbers in the order of `bodyFields`. */
function pushBodies(planck: PlanckWorld, to: NumberList, shapes: ShapeTable): void {
  const store = planck instanceof FlatWorld ? planck.bodies : undefined;
  for (let body = insideOf(planck).m_bodyList; body !== null; body = body.m_next) {
    const fixture = body.m_fixtureList;
    demandSingle(fixture);
    to.push(fixture.m_proxies[0]!.proxyId);
    to.push(body.m_userData as number);
    to.push(bodyTypes.indexOf(body.m_type));
    to.push(flagsOf(body) | (fixture.m_isSensor ? BodyFlag.sensor : 0));
    to.push(shapes.digestOf(fixture.m_shape));
    if (store === undefined) for (const field of motionFields) to.push(readMember(body, field));
    else to.pushFrom(store.numbers, (body as unknown as FlatBody).place, motionNumbers);
    pushFixture(fixture, to);
  }
}

export function pushFixture(fixture: InnerFixture, to: NumberList): void {
  for (let i = 0; i < fixtureFields.length; i++) to.push(fixture[fixtureMembers[fixtureFields[i]!]]);
}

export function demandSingle(fixture: InnerFixture | null): asserts fixture {
  assert(
    fixture !== null && fixture.m_next === null && fixture.m_proxyCount === 1,
    'a body has one fixture in one place',
  );
}

export function flagsOf(body: InnerBody): number {
  return (
    (body.m_awakeFlag ? BodyFlag.awake : 0) |
    (body.m_autoSleepFlag ? BodyFlag.maySleep : 0) |
    (body.m_bulletFlag ? BodyFlag.bullet : 0) |
    (body.m_fixedRotationFlag ? BodyFlag.fixedRotation : 0) |
    (body.m_activeFlag ? BodyFlag.active : 0)
  );
}

/** Newest contact first, each with as many numbers. */
function pushContacts(planck: PlanckWorld, to: NumberList): void {
  for (let contact = insideOf(planck).m_contactList; contact !== null; contact = contact.m_next) {
    const end = to.length + contactNumbers;
    pushTouch(contact, to);
    to.pushZeros(end - to.length);
  }
}

/** The numbers of a contact down to its last point. Without points nothing of a manifold is read before it is made anew. */
export function pushTouch(contact: InnerContact, to: NumberList): void {
  const { m_manifold: manifold } = contact;
  const { pointCount } = manifold;
  to.push(contact.m_fixtureA.m_proxies[0]!.proxyId);
  to.push(contact.m_fixtureB.m_proxies[0]!.proxyId);
  to.push(
    (contact.m_enabledFlag ? ContactBit.enabled : 0) |
      (contact.m_touchingFlag ? ContactBit.touching : 0) |
      (contact.m_filterFlag ? ContactBit.filter : 0),
  );
  to.push(pointCount);
  if (pointCount === 0) return;
  to.push(manifold.type ?? 0);
  to.push(manifold.localNormal.x);
  to.push(manifold.localNormal.y);
  to.push(manifold.localPoint.x);
  to.push(manifold.localPoint.y);
  for (let i = 0; i < pointCount; i++) {
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

/** A tree. Boxes of inner nodes are those around their branches, and heights count them: neither has to be kept. */
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
  const { s_step: step, m_newFixture, m_broadPhase } = insideOf(planck);
  const lastProxy = planck instanceof FlatWorld ? planck.m_broadPhase.tree.lastId : m_broadPhase.m_tree.m_lastProxyId;
  to.push(step.dt);
  to.push(step.inv_dt);
  to.push(step.inv_dt0);
  to.push(step.dtRatio);
  to.push(m_newFixture ? 1 : 0);
  to.push(lastProxy);
}

function pushShape(shape: Shape, to: NumberList): void {
  const isCircle = shape.m_type === 'circle';
  const centre = isCircle ? shape.m_p : shape.m_centroid;
  to.push(isCircle ? circle : box);
  to.push(shape.m_radius);
  to.push(centre.x);
  to.push(centre.y);
  if (isCircle) {
    to.pushZeros(shapeNumbers - shapeAt.cornerX1);
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

/** The numbers of one world, in lists that are used again by every save. */
export class PlanckSaver {
  private readonly planck: PlanckWorld;
  private readonly lists = {
    bodies: new NumberList(),
    contacts: new NumberList(),
    step: new NumberList(stepFields.length),
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
  private readonly digests = new WeakMap<Shape, number>();
  private readonly hasher = new StateHasher();
  private readonly numbers = new NumberList(shapeNumbers);
  private last: Shape | undefined;
  private lastDigest = 0;

  digestOf(shape: Shape): number {
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

  private newDigest(shape: Shape): number {
    const numbers = new NumberList(shapeNumbers);
    pushShape(shape, numbers);
    this.hasher.reset();
    this.hasher.floats(numbers.view);
    const digest = this.hasher.number();
    this.digests.set(shape, digest);
    return digest;
  }
}
