// The order of these three is the point: `planck-maths.ts` says why.
import './planck-maths.ts';
import { Settings } from 'planck';
import './native-maths.ts';

export { AABB, type Body, BoxShape, CircleShape, type Contact, type Fixture, PolygonShape, Vec2, World } from 'planck';

/**
 * Metres a body may travel in one step. planck's own 2 m would hold everything below 60 px a step, which games for the reference engine
 * exceed (reference: physics#world). The setting belongs to the process, so it is made once, here.
 */
Settings.maxTranslation = 500;

/** Reference: physics#world. The same for every map, whatever its cells measure. */
export const pixelsPerMetre = 30;
