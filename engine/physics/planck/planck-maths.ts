import { atan2, cos, sin } from '../../core/dmath.ts';

/**
 * planck copies `Math.sin`, `Math.cos` and `Math.atan2` into variables of its own while it loads, and never looks at `Math` again. The modules of an
 * import list are evaluated in the order of the list. This module, imported before planck, puts the deterministic functions into `Math`, and planck
 * copies them. Then `native-maths.ts`, imported after planck, puts the engine's own back. Nothing runs in between, and all other code sees `Math` as
 * it was. (A process that loaded planck earlier, for itself, has given it the engine's own functions.)
 */
const { sin: nativeSin, cos: nativeCos, atan2: nativeAtan2 } = Math;

/** Counts the calls by which planck computes with our functions. Their values can equal those of the engine's own. */
export const callsOfPlanck = { count: 0 };

function count(): void {
  callsOfPlanck.count = (callsOfPlanck.count + 1) | 0;
}

Object.assign(Math, {
  sin: (angle: number): number => {
    count();
    return sin(angle);
  },
  cos: (angle: number): number => {
    count();
    return cos(angle);
  },
  atan2: (y: number, x: number): number => {
    count();
    return atan2(y, x);
  },
});

export function restoreNativeMaths(): void {
  Object.assign(Math, { sin: nativeSin, cos: nativeCos, atan2: nativeAtan2 });
}
