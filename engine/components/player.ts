import { component } from '../ecs/component.ts';
import { f64, flag, type Infer, oneOf, record, text } from '../schema/index.ts';

export const playerState = record({
  /** The id of the player's client: the id that the host gave, or a generated one (`p1`, `c1` …). */
  clientId: text(),
  controlledBy: oneOf(['human', 'computer']),
  isBot: flag(),
  isMobile: flag(),
  joinedAtMs: f64(),
});
export type PlayerState = Infer<typeof playerState>;

/** Who controls a player. The component `Account` describes the person behind the player. */
export const Player = component('player', playerState);
