/**
 * planck's settings, in metres, radians and seconds. Only `maxTranslation` differs;
 * `test/physics/flat/settings.test.ts` compares the others.
 */

/** Distances below this count as zero. */
export const epsilon = 1e-9;
/** The depth to which shapes may overlap without being pushed apart, in metres. */
export const linearSlop = 0.005;
/**
 * Boxes in the tree are larger than their shapes by this margin, and by a multiple of the last movement in its
 * direction.
 */
export const boxMargin = 0.1;
export const boxMovementFactor = 2;

export const maxLinearCorrection = 0.2;
/** Baumgarte factors: the part of an overlap that is corrected in one iteration, in a step and at a time of impact. */
export const stepCorrection = 0.2;
export const impactCorrection = 0.75;
/** Bodies that approach each other more slowly than this do not bounce, m/s. */
export const bounceThreshold = 1;

/**
 * Maximum distance that a body moves in one step. planck's 2 m would limit bodies to 60 px per step, which games exceed
 * (reference: physics#world).
 */
export const maxTranslation = 500;
export const maxRotation = 0.5 * Math.PI;

/** Maximum number of impacts of one contact that are resolved in one step. */
export const maxImpacts = 8;

export const secondsToSleep = 0.5;
export const sleepSpeed = 0.01;
export const sleepTurnSpeed = (2 / 180) * Math.PI;
