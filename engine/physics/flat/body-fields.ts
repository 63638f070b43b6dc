/** The numbers of a body in the body store, snapshots and hashes, in order. Places are metres, angles radians. */
export const bodyFields = [
  // Its frame: where its origin is, and its rotation as sine and cosine.
  'x',
  'y',
  'sine',
  'cosine',
  // Its centre of mass and angle now; and at the start of the step, or after the fraction of it that an impact has used
  // up.
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
 * Further numbers of a body, which follow from its shape and are not saved: centre of a circle, radius, and
 * `BodyStore.setReach`.
 */
const shapeFields = ['circleX', 'circleY', 'radius', 'reach'] as const;

type BodyField = (typeof bodyFields)[number] | (typeof shapeFields)[number];

/** The offset of each field in the row of a body. */
export const at = Object.fromEntries([...bodyFields, ...shapeFields].map((field, i) => [field, i])) as Record<
  BodyField,
  number
>;

/** Numbers from one row to the next: whole cache lines. */
export const stride = 32;

/** Columns of the body store with 0 or 1 in each row. */
export const flagNames = ['awake', 'maySleep', 'bullet', 'fixedRotation'] as const;

/** Columns of the body store that describe the surface of a body and what it meets. */
export const surfaceFields = ['friction', 'restitution', 'density', 'category', 'mask'] as const;

/** The index of a type is its number in the store. */
export const bodyTypes = ['static', 'kinematic', 'dynamic'] as const;
export const staticType = 0;
export const dynamicType = 2;
