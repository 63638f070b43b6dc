/** The module `reenact/bots`, apart from the door of this room, which also has what only the tools need. */

import { type LoadedGame, type Simulation, UsageError } from '../../engine/index.ts';
import { Bots } from './bots.ts';
import { type BotGroup, readGroup } from './groups.ts';
import { optionsOf } from './objectives.ts';

export { ExpressionError } from '../expression/index.ts';

export interface AddBotsOptions {
  /** The same seed, game and bots give the same inputs. Default `0`. */
  readonly seed?: string | number;
  /** How many ways to go on a winner compares per decision. */
  readonly tries?: number;
}

/** Bots in a simulation. */
export interface AddedBots {
  /** Sends the inputs of all bots; to be called before each step. */
  beforeStep(): void;
}

/**
 * Adds the bots of `reenact run` to a simulation of a game: as many as a number says, or those of groups such as `8`,
 * `winner:score` and `2:winner:score`, whose bots make an expression as large as possible. Throws `UsageError` for a
 * wrong group and `ExpressionError` for a wrong expression.
 */
export function addBots(
  sim: Simulation,
  game: LoadedGame,
  bots: number | readonly string[],
  { seed = 0, tries }: AddBotsOptions = {},
): AddedBots {
  const groups = [bots].flat().map((group): BotGroup => {
    const read = readGroup(String(group));
    if (read === undefined)
      throw new UsageError('bad-value', `Bots are a number or winner:EXPRESSION, not "${group}".`);
    return read;
  });
  return new Bots(sim, { ...optionsOf(groups, game, sim.dialect), seed: String(seed), tries });
}
