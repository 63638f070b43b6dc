import { component } from '../ecs/component.ts';
import { f64, record } from '../schema/index.ts';

/** The best values of the attribute that counts as a player's persistent score. */
export const Score = component(
  'score',
  record({
    /** Best value of earlier games, as known by the host. */
    earlier: f64(),
    /** Best value of this game; -Infinity before there is any. */
    here: f64(Number.NEGATIVE_INFINITY),
  }),
);
