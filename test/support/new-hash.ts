import type { Simulation } from '../../engine/index.ts';
import { insideOf } from '../../engine/internal.ts';
import { StateSource } from '../../engine/sim/state.ts';

/** The hash by a source that remembers nothing, for tests that change members which the code of a game leaves as they are. */
export function newHash(sim: Simulation): string {
  return new StateSource(insideOf(sim).game).hash();
}
