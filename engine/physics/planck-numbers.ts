import { constant, floats, type Infer, record, strides, uncounted } from '../schema/index.ts';
import { bodyFields as motionFields } from './flat/body-fields.ts';

/**
 * A planck world as numbers, exactly: a world restored from them makes the same steps for ever. The serializer of planck loses impulses of contacts,
 * their order, the boxes and shape of the tree, sleep times and the rotation's sine and cosine. Members are left out that planck writes anew before
 * it reads them: constraints of contacts, flags of islands, times of impact, tight boxes of fixtures. Every body has one fixture of
 * one circle or box, and there are no joints.
 */

/** Where each name of a list stands in it. */
function places<const Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, i) => [name, i])) as Record<Name, number>;
}

const headFields = ['proxy', 'entity', 'type', 'flags', 'shape'] as const;
export const fixtureFields = ['friction', 'restitution', 'density', 'group', 'category', 'mask'] as const;
export type FixtureField = (typeof fixtureFields)[number];

/** Names of the numbers of one body: what it is, the numbers of the body store, and those of its fixture. */
export const bodyFields = [...headFields, ...motionFields, ...fixtureFields] as const;
export const bodyAt = places(bodyFields);
/** The numbers of the body store within those of a body. */
export const motionStart = headFields.length;
export const motionNumbers = motionFields.length;
/** Bits of a body's `flags`. */
export const BodyFlag = { awake: 1, maySleep: 2, bullet: 4, fixedRotation: 8, active: 16, sensor: 32 } as const;
export const bodyNumbers = bodyFields.length;

/** Names of the numbers of one contact. Flags: 1 enabled, 2 touching, 4 to be filtered anew. Points beyond the count are zeros. */
export const contactFields = [
  'firstProxy',
  'secondProxy',
  'flags',
  'count',
  'manifold',
  'normalX',
  'normalY',
  'pointX',
  'pointY',
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
export const contactAt = places(contactFields);
export const contactNumbers = contactFields.length;
/** Bits of a contact's `flags`. */
export const ContactBit = { enabled: 1, touching: 2, filter: 4 } as const;
export const pointNumbers = 8;

/** Names of the numbers of one shape. The digest is of all others, and bodies name their shapes by it. A circle has radius and centre, a box also four corners and the directions of its sides. */
export const shapeFields = [
  'digest',
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
export const shapeAt = places(shapeFields);
export const shapeNumbers = shapeFields.length;
export const corners = 4;
export const circle = 0;
export const box = 1;

/** Of a leaf of the tree: its id and its box. Of an inner node: its id, negative; then follow both its branches. */
export const leafFields = ['id', 'left', 'top', 'right', 'bottom'] as const;

export const stepFields = ['seconds', 'perSecond', 'formerPerSecond', 'ratio', 'hasNewFixture', 'lastProxy'] as const;
export const stepAt = places(stepFields);

export const planckTables = {
  bodies: strides(bodyFields),
  contacts: strides(contactFields),
  step: strides(stepFields),
  // The digests by which bodies name them say what they are.
  shapes: uncounted(strides(shapeFields)),
};

export const planckNumbers = constant(record({ ...planckTables, tree: floats(), moved: floats() }));
export type PlanckNumbers = Infer<typeof planckNumbers>;
