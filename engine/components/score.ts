import { component } from '../ecs/component.ts';
import { f64, record } from '../schema/index.ts';

/** The best values of the attribute that is a player's persistent score. */
export const Score = component(
  'score',
  record({
    /** In earlier games, as the host knows it. */
    earlier: f64(),
    /** In this game; -Infinity before it had any. */
    here: f64(Number.NEGATIVE_INFINITY),
  }),
);
