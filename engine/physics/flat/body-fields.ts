/**
 * The numbers of a body in the body store, snapshots and hashes, in order. Positions are in metres, angles in radians.
 */
export const bodyFields = [
  // The frame of the body: the position of its origin, and its rotation as sine and cosine.
  'x',
  'y',
  'sine',
  'cosine',
  // The centre of mass and the angle of the body: first the current ones, then those at the start of the step or, after
  // an impact, at the fraction of the step that has passed.
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

/**
 * Further numbers of a body, which are derived from its shape and not saved: the centre of a circle, the radius, and
 * the result of `BodyStore.setReach`.
 */
const shapeFields = ['circleX', 'circleY', 'radius', 'reach'] as const;

type BodyField = (typeof bodyFields)[number] | (typeof shapeFields)[number];

/** The offset of each field in the row of a body. */
export const at = Object.fromEntries([...bodyFields, ...shapeFields].map((field, i) => [field, i])) as Record<
  BodyField,
  number
>;

/** Distance between the starts of two rows, in numbers; a multiple of the cache line. */
export const stride = 32;

/** Columns of the body store with 0 or 1 in each row. */
export const flagNames = ['awake', 'maySleep', 'bullet', 'fixedRotation'] as const;

/** Columns of the body store that describe the surface of a body and what it collides with. */
export const surfaceFields = ['friction', 'restitution', 'density', 'category', 'mask'] as const;

/** The types of bodies. The store contains the index of a type in this list. */
export const bodyTypes = ['static', 'kinematic', 'dynamic'] as const;
export const staticType = 0;
export const dynamicType = 2;
