import type { DialectName, LoadedGame } from '../../engine/index.ts';
import { bindMeasure, GameSource } from '../expression/index.ts';
import { botIds, defaultTraits } from './bot.ts';
import type { BotsOptions } from './bots.ts';
import { type BotGroup, countBots } from './groups.ts';

/**
 * The options of `Bots` for groups of bots, some of which may play to win. Throws `ExpressionError` for an invalid
 * objective.
 */
export function optionsOf(
  groups: readonly BotGroup[],
  game: LoadedGame,
  dialect: DialectName,
): Pick<BotsOptions, 'count' | 'objectives' | 'traits'> {
  const players = botIds(countBots(groups));
  const each = groups.flatMap(({ count, objective }) => Array.from({ length: count }, () => objective));
  return {
    count: each.length,
    objectives: each.map((text) =>
      text === undefined
        ? undefined
        : bindMeasure(text, (playing) => new GameSource(game, dialect, { playing, players })),
    ),
    // A winner does not leave the game by itself.
    traits: each.map((text) => (text === undefined ? defaultTraits : { ...defaultTraits, stay: Infinity })),
  };
}
