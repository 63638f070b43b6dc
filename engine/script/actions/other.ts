import { playAdForEveryone, playAdForPlayer } from '../../rules/client/advertisement.ts';
import { enables, ends, tells } from '../../rules/effects.ts';
import { shutDown } from '../../rules/world/server-life.ts';
import { action, acts, family } from '../op.ts';
import * as P from '../params.ts';

export const otherActions = family('other', {
  /**
   * The triggers for the end of the game fire immediately. The script then continues, and this tick is the last of the
   * game.
   */
  endGame: action('Ends the game after this tick.', {}, ({ game }) => shutDown(game), ends, tells('server')),
  /** Plays an advertisement at most once a minute. The result arrives as one `adResult` input per player. */
  playAdForEveryone: action(
    'Asks the platform to show an advertisement to all players. Triggers report the results.',
    {},
    ({ game }) => playAdForEveryone(game),
    tells('ad'),
    enables('adResult'),
  ),
  /**
   * Refused within a minute after an advertisement for everyone. An advertisement for one player does not delay later
   * ones.
   */
  playAdForPlayer: acts(
    'Asks the platform to show an advertisement to a player. A trigger reports the result.',
    { entity: P.player },
    playAdForPlayer,
    tells('ad', 'entity'),
    enables('adResult'),
  ),
});
