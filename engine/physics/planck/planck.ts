// The order of these three is the point: `planck-maths.ts` says why.
import './planck-maths.ts';
import { Rot, Settings, Sweep } from 'planck';
import './native-maths.ts';
import { atan2, cos, sin } from '../../core/dmath.ts';

export * from 'planck';

/**
 * Metres a body may travel in one step. The 2 m of planck would hold everything below 60 px a step, which games for the reference engine exceed
 * (reference: physics#world). The setting belongs to the process, so it is made once, here.
 */
Settings.maxTranslation = 500;

/** Reference: physics#world. The same for every map, whatever its cells measure. */
export const pixelsPerMetre = 30;

/** Angles enough that functions of another make differ from ours at one of them. */
const angles = Array.from({ length: 200 }, (_, i) => (i + 1) * 0.37);

/**
 * Throws if planck computes with other trigonometry than ours: with that, a play would come out different on another JavaScript engine. It
 * happens where planck was loaded before this module, by somebody else in the process.
 */
export function assertOurMaths(): void {
  const rotation = new Rot();
  const sweep = new Sweep();
  for (const angle of angles) {
    rotation.setAngle(angle);
    sweep.setTransform({ p: { x: 0, y: 0 }, q: rotation });
    if (rotation.s === sin(angle) && rotation.c === cos(angle) && sweep.a === atan2(rotation.s, rotation.c)) continue;
    throw new Error(
      'planck was loaded before Reenact, and computes with the trigonometry of this JavaScript engine, which differs from one to the next. ' +
        'Import Reenact before planck.',
    );
  }
}
