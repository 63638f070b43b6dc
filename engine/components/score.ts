import { component } from '../ecs/component.ts';
import { f64, record } from '../schema/index.ts';

/** The best values of the attribute that counts as a player's persistent score. */
export const Score = component(
  'score',
  record({
    /** The best value of earlier games, as reported by the host. */
    earlier: f64(),
    /** The best value of this game; -Infinity until the attribute has a value. */
    here: f64(-Infinity),
  }),
);
