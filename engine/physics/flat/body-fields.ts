/**
 * The numbers that planck keeps of a body, in the order in which the body store, snapshots and hashes hold them. Each name stands for one
 * member of planck's body; `FlatBody` says which one.
 */
export const bodyFields = [
  'x',
  'y',
  'sine',
  'cosine',
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
  'sleepTime',
  'mass',
  'inverseMass',
  'inertia',
  'inverseInertia',
  'localCentreX',
  'localCentreY',
  'linearDamping',
  'angularDamping',
  'gravityScale',
] as const;
type BodyField = (typeof bodyFields)[number];

/** Columns of the body store in which each row has 0 or 1. */
export const flagNames = ['awake', 'maySleep', 'bullet', 'fixedRotation', 'active'] as const;

/** Where a field is in the row of a body. */
export const at = Object.fromEntries(bodyFields.map((field, i) => [field, i])) as Record<BodyField, number>;

/** Numbers from one row to the next: whole cache lines. */
export const stride = 32;

/** As planck names them; the place in the list is the number in the store. */
export const bodyTypes = ['static', 'kinematic', 'dynamic'] as const;
export type BodyTypeName = (typeof bodyTypes)[number];
export const staticType = 0;
export const dynamicType = 2;
