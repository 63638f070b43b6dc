// The order of these three is the point: `planck-maths.ts` says why.
import './planck-maths.ts';
import { Rot, Settings, Sweep } from 'planck';
import './native-maths.ts';
import { callsOfPlanck } from './planck-maths.ts';

export * from 'planck';

/**
 * Metres a body may travel in one step. The 2 m of planck would hold everything below 60 px a step, which games for the reference engine exceed
 * (reference: physics#world). The setting belongs to the process, so it is made once, here.
 */
Settings.maxTranslation = 500;

/** Reference: physics#world. The same for every map, whatever its cells measure. */
export const pixelsPerMetre = 30;

/**
 * Throws if planck computes with other trigonometry than ours: with that, a play would come out different on another JavaScript engine. It
 * happens where planck was loaded before this module, by somebody else in the process.
 */
export function assertOurMaths(): void {
  const before = callsOfPlanck.count;
  const rotation = new Rot();
  rotation.setAngle(1);
  new Sweep().setTransform({ p: { x: 0, y: 0 }, q: rotation });
  // A sine, a cosine and the angle that they are of.
  if (((callsOfPlanck.count - before) | 0) === 3) return;
  throw new Error(
    'planck was loaded before Reenact, and computes with the trigonometry of this JavaScript engine, which differs from one to the next. ' +
      'Import Reenact before planck.',
  );
}
