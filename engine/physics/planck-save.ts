import { assert } from '../core/assert.ts';
import type { NumberList } from '../core/number-list.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyTypes, bodyFields as motionFields } from './flat/body-fields.ts';
import type { BodyStore } from './flat/body-store.ts';
import { FlatWorld } from './flat/world.ts';
import type { World as PlanckWorld } from './planck/planck.ts';
import { type InnerBody, type InnerContact, type InnerNode, insideOf } from './planck-inside.ts';
import { readMember } from './planck-members.ts';
import {
  BodyFlag,
  box,
  ContactBit,
  circle,
  contactAt,
  contactNumbers,
  corners,
  motionNumbers,
  type PlanckNumbers,
  pointNumbers,
  pointsMax,
  shapeAt,
  shapeNumbers,
} from './planck-numbers.ts';

export type Shape = InnerBody['m_fixtureList']['m_shape'];

type ShapeNumber = (shape: Shape) => number;

/** `shapeNumber` says what stands for a shape: its place in a table, or a digest. Newest body first. */
export function pushBodies(planck: PlanckWorld, to: NumberList, shapeNumber: ShapeNumber): void {
  const store = planck instanceof FlatWorld ? planck.bodies : undefined;
  for (let body = insideOf(planck).m_bodyList; body !== null; body = body.m_next) {
    pushBody(body, to, shapeNumber, store);
  }
}

/** The numbers in the order of `bodyFields`. */
function pushBody(body: InnerBody, to: NumberList, shapeNumber: ShapeNumber, store: BodyStore | undefined): void {
  const fixture = body.m_fixtureList;
  assert(
    fixture !== null && fixture.m_next === null && fixture.m_proxyCount === 1,
    'a body has one fixture in one place',
  );
  to.push(fixture.m_proxies[0]!.proxyId);
  to.push(body.m_userData as number);
  to.push(bodyTypes.indexOf(body.m_type));
  to.push(
    (body.m_awakeFlag ? BodyFlag.awake : 0) |
      (body.m_autoSleepFlag ? BodyFlag.maySleep : 0) |
      (body.m_bulletFlag ? BodyFlag.bullet : 0) |
      (body.m_fixedRotationFlag ? BodyFlag.fixedRotation : 0) |
      (body.m_activeFlag ? BodyFlag.active : 0) |
      (fixture.m_isSensor ? BodyFlag.sensor : 0),
  );
  to.push(shapeNumber(fixture.m_shape));
  if (store !== undefined) to.pushFrom(store.numbers, (body as unknown as FlatBody).place, motionNumbers);
  else for (const field of motionFields) to.push(readMember(body, field));
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
export function pushBodiesBriefly(planck: PlanckWorld, to: NumberList, shapeNumber: ShapeNumber): void {
  const store = planck instanceof FlatWorld ? planck.bodies : undefined;
  for (let body = insideOf(planck).m_bodyList; body !== null; body = body.m_next) {
    if (body.m_type !== 'static') {
      pushBody(body, to, shapeNumber, store);
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
  to.push(
    (contact.m_enabledFlag ? ContactBit.enabled : 0) |
      (contact.m_touchingFlag ? ContactBit.touching : 0) |
      (contact.m_filterFlag ? ContactBit.filter : 0),
  );
  const { pointCount } = manifold;
  // Without points nothing of a manifold is read before it is made anew.
  if (pointCount === 0) {
    for (let i = contactAt.manifold; i < contactNumbers; i++) to.push(0);
    return;
  }
  to.push(manifold.type ?? 0);
  to.push(manifold.localNormal.x);
  to.push(manifold.localNormal.y);
  to.push(manifold.localPoint.x);
  to.push(manifold.localPoint.y);
  to.push(pointCount);
  for (let i = 0; i < pointsMax; i++) {
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

export function pushShape(shape: Shape, to: NumberList): void {
  const isCircle = shape.m_type === 'circle';
  const centre = isCircle ? shape.m_p : shape.m_centroid;
  to.push(isCircle ? circle : box);
  to.push(shape.m_radius);
  to.push(centre.x);
  to.push(centre.y);
  if (isCircle) {
    for (let i = shapeAt.cornerX1; i < shapeNumbers; i++) to.push(0);
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
