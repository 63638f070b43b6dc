/**
 * The module `reenact/bots`. It is not the door of this folder, because the door also exports what only our own tools
 * need.
 */

import { type LoadedGame, type Simulation, UsageError } from '../../engine/index.ts';
import { Bots } from './bots.ts';
import { type BotGroup, readGroup } from './groups.ts';
import { optionsOf } from './objectives.ts';

export { ExpressionError } from '../expression/index.ts';

export interface AddBotsOptions {
  /** The same seed, game and bots give the same inputs. Default `0`. */
  readonly seed?: string | number;
  /** The number of options that a winner compares per decision. */
  readonly tries?: number;
}

/** The bots of a simulation. */
export interface AddedBots {
  /** Sends the inputs of all bots. Must be called before each step. */
  beforeStep(): void;
}

/**
 * Adds the bots of `reenact run` to a simulation. `bots` is their number, or a list of groups such as `8`,
 * `winner:score` and `2:winner:score`; bots of the latter two make an expression as large as possible. Throws
 * `UsageError` for an invalid group and `ExpressionError` for an invalid expression.
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
      throw new UsageError('bad-value', `Bots must be a number or [NUMBER:]winner:EXPRESSION, not "${group}".`);
    return read;
  });
  return new Bots(sim, { ...optionsOf(groups, game, sim.dialect), seed: String(seed), tries });
}
