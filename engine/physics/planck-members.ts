import {
  areFinite,
  constant,
  count,
  entity,
  f64,
  floats,
  type Infer,
  record,
  strides,
  uncounted,
  where,
} from '../schema/index.ts';
import { bodyFields, bodyTypes } from './flat/body-fields.ts';
import type { BodyStore } from './flat/body-store.ts';
import type { FlatContact } from './flat/contact.ts';
import type { FlatWorld } from './flat/world.ts';
import type { Vec2Value } from './planck/planck.ts';
import { type InnerShape, insideOf } from './planck-inside.ts';

/**
 * A world over flat memory as numbers, exactly: a world restored from them makes the same steps for ever. The serializer of planck loses impulses
 * of contacts, their order, the boxes and shape of the tree, sleep times and the rotation's sine and cosine. Members are left out that planck writes
 * anew before it reads them: constraints of contacts, flags of islands, times of impact, tight boxes of fixtures. Every body has one fixture of one
 * circle or box, and there are no joints.
 */

/** One end of a snapshot: a list that numbers are saved or hashed into, or the numbers that a member gets back. */
interface MemberPort {
  /** Takes the number that a member has; gives the number that it is to have, which is the same where nothing is restored. */
  pass(value: number): number;
}

/** Gives back to members the numbers of a table, from `at` on. */
export class MemberReader implements MemberPort {
  at: number;
  private readonly numbers: Float64Array;

  constructor(numbers: Float64Array, at = 0) {
    this.numbers = numbers;
    this.at = at;
  }

  pass(_value: number): number {
    return this.numbers[this.at++]!;
  }
}

/** Puts numbers into a table, from `at` on. */
export class MemberWriter implements MemberPort {
  at = 0;
  private readonly numbers: Float64Array;

  constructor(numbers: Float64Array) {
    this.numbers = numbers;
  }

  pass(value: number): number {
    this.numbers[this.at++] = value;
    return value;
  }
}

/** planck counts on from the last one: there has to be room for more than any game makes. */
const proxiesMax = 4_503_599_627_370_496;
/** m. Products of a few larger sizes are infinite, and of what is not a number planck finds no nearest corner. */
const sizeMax = 1e50;
/** Of the flags of a body, the bit of its fixture. */
export const sensorFlag = 32;
/** The place of each is the `kind` of a shape. */
export const shapeTypes = ['circle', 'polygon'] as const;
export const corners = 4;

const upTo = (most: number) => where(count(), `above ${most}`, (value) => value <= most);
const proxy = where(count(), 'no proxy', (id) => id > 0 && id <= proxiesMax);
const size = where(f64(), 'endless', (value) => Math.abs(value) <= sizeMax);
const each = <K, Name extends string>(kind: K, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, kind])) as { readonly [N in Name]: K };

const boxNames = ['left', 'top', 'right', 'bottom'] as const;
const fixtureNames = ['friction', 'restitution', 'density', 'group', 'category', 'mask'] as const;
const manifoldNames = ['normalX', 'normalY', 'pointX', 'pointY'];
const pointNames = ['x', 'y', 'normalImpulse', 'tangentImpulse', 'indexA', 'typeA', 'indexB', 'typeB'];
const places = (name: string) => Array.from({ length: corners }, (_, i) => [`${name}X${i + 1}`, `${name}Y${i + 1}`]);
const sizes = ['centreX', 'centreY', ...places('corner').flat(), ...places('normal').flat()];

export const planckTables = {
  /** Newest first, each with its box in the tree. */
  bodies: strides({
    proxy,
    entity: entity(),
    type: upTo(bodyTypes.length - 1),
    flags: upTo(2 * sensorFlag - 1),
    shape: f64(),
    ...each(f64(), boxNames),
    ...each(f64(), bodyFields),
    ...each(f64(), fixtureNames),
  }),
  /** Newest first. Without points nothing of a manifold is read before it is made anew: what follows the last point is 0. */
  contacts: strides({
    firstProxy: proxy,
    secondProxy: proxy,
    // 1 enabled, 2 touching, 4 to be filtered anew.
    flags: upTo(7),
    count: upTo(2),
    manifold: upTo(2),
    ...each(f64(), [...manifoldNames, ...[1, 2].flatMap((point) => pointNames.map((name) => name + point))]),
  }),
  step: where(
    strides({
      ...each(f64(), ['seconds', 'perSecond', 'formerPerSecond', 'ratio']),
      hasNewFixture: upTo(1),
      lastProxy: upTo(proxiesMax),
    }),
    'not of one step',
    ({ length }) => length === 6,
  ),
  // Bodies name a shape by the digest of its other numbers, so that the digests say what the shapes are. Of a circle the corners are zeros.
  shapes: uncounted(
    strides({
      digest: f64(),
      kind: upTo(shapeTypes.length - 1),
      radius: where(size, 'below 0', (value) => value >= 0),
      ...each(size, sizes),
    }),
  ),
};

/** Ids of the nodes, each before both its branches: of a leaf that of its body's proxy, of an inner node negative. */
const tree = where(floats(), 'not made of finite numbers', areFinite);

export const planckNumbers = constant(record({ ...planckTables, tree, moved: floats() }));
export type PlanckNumbers = Infer<typeof planckNumbers>;

// The members of planck's objects that those numbers are: one function of each serves to save, hash and restore them.

interface FixtureMembers {
  m_friction: number;
  m_restitution: number;
  m_density: number;
  m_filterGroupIndex: number;
  m_filterCategoryBits: number;
  m_filterMaskBits: number;
}

export function passFixture(fixture: FixtureMembers, port: MemberPort): void {
  fixture.m_friction = port.pass(fixture.m_friction);
  fixture.m_restitution = port.pass(fixture.m_restitution);
  fixture.m_density = port.pass(fixture.m_density);
  fixture.m_filterGroupIndex = port.pass(fixture.m_filterGroupIndex);
  fixture.m_filterCategoryBits = port.pass(fixture.m_filterCategoryBits);
  fixture.m_filterMaskBits = port.pass(fixture.m_filterMaskBits);
}

/** Of a body, without the bit of its fixture. */
export function flagsOf({ awake, maySleep, bullet, fixedRotation, active }: BodyStore, row: number): number {
  return awake[row]! | (maySleep[row]! << 1) | (bullet[row]! << 2) | (fixedRotation[row]! << 3) | (active[row]! << 4);
}

export function setFlags(bodies: BodyStore, row: number, flags: number): void {
  bodies.setAwake(row, (flags & 1) !== 0);
  bodies.maySleep[row] = (flags >> 1) & 1;
  bodies.bullet[row] = (flags >> 2) & 1;
  bodies.fixedRotation[row] = (flags >> 3) & 1;
  bodies.active[row] = (flags >> 4) & 1;
}

/** Up to the last point. The fixtures, which are given when a contact is made, are passed and not set. */
export function passContact(contact: FlatContact, port: MemberPort): void {
  port.pass(contact.m_fixtureA.m_proxies[0]!.proxyId);
  port.pass(contact.m_fixtureB.m_proxies[0]!.proxyId);
  passMeeting(contact, port);
}

/** All of a contact but whose it is. */
function passMeeting(contact: FlatContact, port: MemberPort): void {
  const { m_enabledFlag, m_touchingFlag, m_filterFlag, m_manifold: manifold } = contact;
  const flags = port.pass((m_enabledFlag ? 1 : 0) | (m_touchingFlag ? 2 : 0) | (m_filterFlag ? 4 : 0));
  contact.m_enabledFlag = (flags & 1) !== 0;
  contact.m_touchingFlag = (flags & 2) !== 0;
  if ((flags & 4) !== 0) contact.flagForFiltering();
  manifold.pointCount = port.pass(manifold.pointCount);
  if (manifold.pointCount === 0) return;
  manifold.type = port.pass(manifold.type ?? 0);
  passVector(manifold.localNormal, port);
  passVector(manifold.localPoint, port);
  for (let i = 0; i < manifold.pointCount; i++) {
    const point = manifold.points[i]!;
    const { id } = point;
    passVector(point.localPoint, port);
    point.normalImpulse = port.pass(point.normalImpulse);
    point.tangentImpulse = port.pass(point.tangentImpulse);
    id.setFeatures(port.pass(id.indexA), port.pass(id.typeA), port.pass(id.indexB), port.pass(id.typeB));
  }
}

export function passShape(shape: InnerShape, port: MemberPort): void {
  shape.m_radius = port.pass(shape.m_radius);
  if (shape.m_type === 'circle') passVector(shape.m_p, port);
  else for (const each of [shape.m_centroid, ...shape.m_vertices, ...shape.m_normals]) passVector(each, port);
}

export function passStep(planck: FlatWorld, port: MemberPort): void {
  const world = insideOf(planck);
  const { s_step: step } = world;
  const { tree } = planck.m_broadPhase;
  step.dt = port.pass(step.dt);
  step.inv_dt = port.pass(step.inv_dt);
  step.inv_dt0 = port.pass(step.inv_dt0);
  step.dtRatio = port.pass(step.dtRatio);
  world.m_newFixture = port.pass(world.m_newFixture ? 1 : 0) === 1;
  tree.lastId = port.pass(tree.lastId);
}

function passVector(vector: Vec2Value, port: MemberPort): void {
  vector.x = port.pass(vector.x);
  vector.y = port.pass(vector.y);
}
