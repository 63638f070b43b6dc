import { assert } from '../core/assert.ts';
import {
  areFinite,
  type ColumnFields,
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
import type { InnerBody, InnerContact, InnerFixture, InnerShape, InnerWorld, Vector } from './planck-inside.ts';

/**
 * A planck world as numbers, exactly: a world restored from them makes the same steps for ever. The serializer of planck loses impulses of contacts,
 * their order, the boxes and shape of the tree, sleep times and the rotation's sine and cosine. Members are left out that planck writes anew before
 * it reads them: constraints of contacts, flags of islands, times of impact, tight boxes of fixtures. Every body has one fixture of
 * one circle or box, and there are no joints.
 */

/** One end of a snapshot: a list that numbers are saved or hashed into, or the numbers that a member gets back. */
export interface MemberPort {
  /** Takes the number that a member has; gives the number that it is to have, which is the same where nothing is restored. */
  pass(value: number): number;
}

/** Some numbers of a table, with their checks, and the members of one of planck's objects that they are. */
interface Part<Owner> {
  readonly fields: ColumnFields;
  pass(owner: Owner, port: MemberPort): void;
}

/** Consecutive numbers of an object. One declaration of each serves to save, hash, check and restore it. */
class Members<Owner> {
  readonly fields: ColumnFields;
  private readonly parts: readonly Part<Owner>[];

  constructor(...parts: readonly Part<Owner>[]) {
    this.parts = parts;
    this.fields = Object.assign({}, ...parts.map(({ fields }) => fields)) as ColumnFields;
  }

  pass(owner: Owner, port: MemberPort): void {
    for (let i = 0; i < this.parts.length; i++) this.parts[i]!.pass(owner, port);
  }
}

/** Gives back to members the numbers of a table, from `at` on. */
export class MemberReader implements MemberPort {
  at: number;
  private readonly numbers: Float64Array;

  constructor(numbers: Float64Array, at = 0) {
    this.numbers = numbers;
    this.at = at;
  }

  pass(_value?: number): number {
    return this.numbers[this.at++]!;
  }
}

/** planck counts on from the last one: there has to be room for more than any game makes. */
const proxiesMax = 4_503_599_627_370_496;
/** m. Products of a few larger sizes are infinite, and of what is not a number planck finds no nearest corner. */
const sizeMax = 1e50;

const upTo = (most: number) => where(count(), `above ${most}`, (value) => value <= most);
const proxy = where(count(), 'no proxy', (id) => id > 0 && id <= proxiesMax);
const size = where(f64(), 'endless', (value) => Math.abs(value) <= sizeMax);

function each(names: readonly string[], kind = f64()): ColumnFields {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

function part<Owner>(fields: ColumnFields, pass: (owner: Owner, port: MemberPort) => void): Part<Owner> {
  return { fields, pass };
}

/** Numbers that are members of one object, by name. Not for what hashes ask in every tick: names that vary cost several times the number. */
function numbers<Owner, Member extends string>(
  of: (owner: Owner) => Record<Member, number>,
  members: Readonly<Record<string, Member>>,
): Part<Owner> {
  const list = Object.values(members);
  return part(each(Object.keys(members)), (owner, port) => {
    const object = of(owner);
    for (const member of list) object[member] = port.pass(object[member]);
  });
}

function passVector(to: Vector, port: MemberPort): void {
  to.x = port.pass(to.x);
  to.y = port.pass(to.y);
}

/** The numbers of the body store, in its order. Bodies over flat memory have them in one row, and are not asked for them one by one. */
const motion = new Members<InnerBody>(
  numbers(({ m_xf }) => m_xf.p, { x: 'x', y: 'y' }),
  numbers(({ m_xf }) => m_xf.q, { sine: 's', cosine: 'c' }),
  numbers(({ m_sweep }) => m_sweep.c, { centreX: 'x', centreY: 'y' }),
  numbers(({ m_sweep }) => m_sweep, { angle: 'a', formerFraction: 'alpha0' }),
  numbers(({ m_sweep }) => m_sweep.c0, { formerCentreX: 'x', formerCentreY: 'y' }),
  numbers(({ m_sweep }) => m_sweep, { formerAngle: 'a0' }),
  numbers(({ m_force }) => m_force, { forceX: 'x', forceY: 'y' }),
  numbers((body) => body, { torque: 'm_torque' }),
  numbers(({ m_linearVelocity }) => m_linearVelocity, { velocityX: 'x', velocityY: 'y' }),
  numbers((body) => body, { angularVelocity: 'm_angularVelocity', sleepTime: 'm_sleepTime' }),
  numbers((body) => body, { mass: 'm_mass', inverseMass: 'm_invMass', inertia: 'm_I', inverseInertia: 'm_invI' }),
  numbers(({ m_sweep }) => m_sweep.localCenter, { localCentreX: 'x', localCentreY: 'y' }),
  numbers((body) => body, { linearDamping: 'm_linearDamping', angularDamping: 'm_angularDamping' }),
  numbers((body) => body, { gravityScale: 'm_gravityScale' }),
);
assert(Object.keys(motion.fields).join() === bodyFields.join(), "planck's bodies have the numbers of the body store");

const fixtureNames = ['friction', 'restitution', 'density', 'group', 'category', 'mask'];
const fixture = new Members<InnerFixture>(
  part(each(fixtureNames), (own, port) => {
    own.m_friction = port.pass(own.m_friction);
    own.m_restitution = port.pass(own.m_restitution);
    own.m_density = port.pass(own.m_density);
    own.m_filterGroupIndex = port.pass(own.m_filterGroupIndex);
    own.m_filterCategoryBits = port.pass(own.m_filterCategoryBits);
    own.m_filterMaskBits = port.pass(own.m_filterMaskBits);
  }),
);

/** Of the flags of a body, the bit of its fixture. */
export const sensorFlag = 32;

export function flagsOf(body: InnerBody): number {
  return (
    (body.m_awakeFlag ? 1 : 0) |
    (body.m_autoSleepFlag ? 2 : 0) |
    (body.m_bulletFlag ? 4 : 0) |
    (body.m_fixedRotationFlag ? 8 : 0) |
    (body.m_activeFlag ? 16 : 0)
  );
}

/** Apart from `flagsOf`, because to set the flags of a body over flat memory moves it in lists of its world. */
export function setFlags(body: InnerBody, flags: number): void {
  body.m_awakeFlag = (flags & 1) !== 0;
  body.m_autoSleepFlag = (flags & 2) !== 0;
  body.m_bulletFlag = (flags & 4) !== 0;
  body.m_fixedRotationFlag = (flags & 8) !== 0;
  body.m_activeFlag = (flags & 16) !== 0;
}

/** Of the two fixtures of a contact. They are given when it is made. */
const ends = { firstProxy: proxy, secondProxy: proxy };

/** Without points nothing of a manifold is read before it is made anew. Hashes end with the last point. */
const contact = new Members<InnerContact>(
  part(ends, ({ m_fixtureA, m_fixtureB }, port) => {
    port.pass(m_fixtureA.m_proxies[0]!.proxyId);
    port.pass(m_fixtureB.m_proxies[0]!.proxyId);
  }),
  // 1 enabled, 2 touching, 4 to be filtered anew.
  part({ flags: upTo(7) }, (own, port) => {
    const { m_enabledFlag, m_touchingFlag, m_filterFlag } = own;
    const flags = port.pass((m_enabledFlag ? 1 : 0) | (m_touchingFlag ? 2 : 0) | (m_filterFlag ? 4 : 0));
    own.m_enabledFlag = (flags & 1) !== 0;
    own.m_touchingFlag = (flags & 2) !== 0;
    if ((flags & 4) !== 0) own.flagForFiltering();
  }),
  part({ count: upTo(2) }, ({ m_manifold }, port) => {
    m_manifold.pointCount = port.pass(m_manifold.pointCount);
  }),
  part({ manifold: upTo(2), ...each(['normalX', 'normalY', 'pointX', 'pointY']) }, ({ m_manifold }, port) => {
    if (m_manifold.pointCount === 0) return;
    m_manifold.type = port.pass(m_manifold.type ?? 0);
    passVector(m_manifold.localNormal, port);
    passVector(m_manifold.localPoint, port);
  }),
  contactPoint(1),
  contactPoint(2),
);

function contactPoint(number: 1 | 2): Part<InnerContact> {
  const names = ['x', 'y', 'normalImpulse', 'tangentImpulse', 'indexA', 'typeA', 'indexB', 'typeB'];
  return part(each(names.map((name) => name + number)), ({ m_manifold: { points, pointCount } }, port) => {
    if (pointCount < number) return;
    const point = points[number - 1]!;
    const { localPoint, id } = point;
    passVector(localPoint, port);
    point.normalImpulse = port.pass(point.normalImpulse);
    point.tangentImpulse = port.pass(point.tangentImpulse);
    id.setFeatures(port.pass(id.indexA), port.pass(id.typeA), port.pass(id.indexB), port.pass(id.typeB));
  });
}

/** The place of each is the `kind` of a shape. */
export const shapeTypes = ['circle', 'polygon'] as const;

type Circle = Extract<InnerShape, { m_type: 'circle' }>;
const circle = new Members<Circle>(
  numbers((shape) => shape, { radius: 'm_radius' }),
  numbers(({ m_p }) => m_p, { centreX: 'x', centreY: 'y' }),
);

type Box = Extract<InnerShape, { m_type: 'polygon' }>;
export const corners = 4;
const box = new Members<Box>(
  numbers((shape) => shape, { radius: 'm_radius' }),
  numbers(({ m_centroid }) => m_centroid, { centreX: 'x', centreY: 'y' }),
  ...listed('corner', ({ m_vertices }) => m_vertices),
  ...listed('normal', ({ m_normals }) => m_normals),
);

function listed(name: string, of: (shape: Box) => readonly Vector[]): readonly Part<Box>[] {
  return Array.from({ length: corners }, (_, i) =>
    numbers((shape: Box) => of(shape)[i]!, { [`${name}X${i + 1}`]: 'x', [`${name}Y${i + 1}`]: 'y' } as const),
  );
}

const step = new Members<InnerWorld>(
  numbers(({ s_step }) => s_step, { seconds: 'dt', perSecond: 'inv_dt', formerPerSecond: 'inv_dt0', ratio: 'dtRatio' }),
  part({ hasNewFixture: upTo(1) }, (world, port) => {
    world.m_newFixture = port.pass(world.m_newFixture ? 1 : 0) === 1;
  }),
);

export const members = { motion, fixture, contact, circle, box, step };

const head = {
  proxy,
  entity: entity(),
  type: upTo(bodyTypes.length - 1),
  flags: upTo(2 * sensorFlag - 1),
  shape: f64(),
};
const sized = each(Object.keys(box.fields), size);
const radius = where(size, 'below 0', (value) => value >= 0);

export const planckTables = {
  bodies: strides({ ...head, ...motion.fields, ...fixture.fields }),
  contacts: strides({ ...ends, ...contact.fields }),
  step: where(strides({ ...step.fields, lastProxy: upTo(proxiesMax) }), 'not of one step', isRow),
  // Bodies name a shape by the digest of its other numbers, so that the digests say what the shapes are. Of a circle the corners are zeros.
  shapes: uncounted(strides({ digest: f64(), kind: upTo(shapeTypes.length - 1), ...sized, radius })),
};
/** Where the numbers of the body store begin within those of a body. */
export const motionStart = Object.keys(head).length;
export const fixtureStart = motionStart + bodyFields.length;

function isRow({ length }: Float64Array): boolean {
  return length === Object.keys(step.fields).length + 1;
}

/** Of a leaf of the tree its id and its box: left, top, right, bottom. Of an inner node its id, negative; then follow both its branches. */
const tree = where(floats(), 'not made of finite numbers', areFinite);

export const planckNumbers = constant(record({ ...planckTables, tree, moved: floats() }));
export type PlanckNumbers = Infer<typeof planckNumbers>;
