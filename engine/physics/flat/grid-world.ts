import type { FlatBroadPhase } from './broad-phase.ts';
import { GridBroadPhase } from './grid-broad-phase.ts';
import { FlatWorld } from './world.ts';

/** The same step with a grid in place of the tree for small boxes: contacts that begin in one step come in another order. */
export class GridWorld extends FlatWorld {
  protected override makeBroadPhase(): FlatBroadPhase {
    return new GridBroadPhase();
  }
}
