import { atan2, cos, sin } from '../../core/dmath.ts';

/**
 * planck copies `Math.sin`, `Math.cos` and `Math.atan2` into variables of its own while it loads, and never looks at `Math` again. The modules of an
 * import list are evaluated in the order of the list. This module, imported before planck, puts the deterministic functions into `Math`, and planck
 * copies them. Then `native-maths.ts`, imported after planck, puts the engine's own back. Nothing runs in between, and all other code sees `Math` as
 * it was. (A process that loaded planck earlier, for itself, has given it the engine's own functions.)
 */
const { sin: nativeSin, cos: nativeCos, atan2: nativeAtan2 } = Math;

Object.assign(Math, { sin, cos, atan2 });

export function restoreNativeMaths(): void {
  Object.assign(Math, { sin: nativeSin, cos: nativeCos, atan2: nativeAtan2 });
}
