import { changes, creates, may, tells } from '../../rules/effects.ts';
import { applyToPlayer, applyToUnit, restorePlayer, restoreUnitAndGiveItems } from '../../rules/players/restore.ts';
import { savePlayer, saveUnit } from '../../rules/players/save.ts';
import { noEntity } from '../../world/entity.ts';
import { action, acts, compiledAction, family } from '../op.ts';
import * as P from '../params.ts';
import { parseJson } from '../running/json.ts';

/** The changes that applying the saved data of a player or of a unit can make. */
const ofPlayer = (['attribute', 'variable', 'quests'] as const).map((aspect) => may(changes(aspect, 'player')));
const ofUnit = [
  ...(['attribute', 'variable', 'items'] as const).map((aspect) => may(changes(aspect, 'unit'))),
  may(creates<'unit'>('item', { of: 'unit' })),
];

/** Saves players and units between games (reference: players#persistence). */
export const persistenceActions = family('persistence', {
  savePlayerData: acts(
    'Saves attributes and variables of a player for the next time the player joins. For a guest, or before the data of the player was loaded, nothing is saved and a fault is recorded.',
    { player: P.faultIfMissing(P.player) },
    savePlayer,
    tells('persistence'),
  ),
  saveUnitData: acts(
    'Saves attributes, variables and items of a unit for its player. For a unit of a guest, or before the data of the unit was loaded, nothing is saved and a fault is recorded.',
    { unit: P.faultIfMissing(P.unit) },
    saveUnit,
    tells('persistence'),
  ),
  /** Does nothing for a player without saved data. */
  loadPlayerData: acts('Restores the saved data of a player.', { player: P.player }, applyToPlayer, ...ofPlayer),
  loadUnitData: acts('Restores the saved data of a unit.', { unit: P.faultIfMissing(P.unit) }, applyToUnit, ...ofUnit),
  /** The unit gets the saved unit data of its own owner, even if that is not the given player. */
  loadPlayerDataAndApplyIt: compiledAction(
    'Restores the saved data of a player and of a unit.',
    { player: P.player, unit: P.optional(P.unit) },
    ({ player, unit }) =>
      (context) => {
        const of = player(context);
        if (of === noEntity) return;
        if (!applyToPlayer(context.game, of)) return;
        const to = unit(context);
        if (to !== noEntity) applyToUnit(context.game, to);
      },
    ...ofPlayer,
    ...ofUnit,
  ),
  loadPlayerDataFromString: action(
    {
      sentence: 'Restores the data of a player from a string returned by `getPlayerData`.',
      example: { string: { function: 'getPlayerData', player: { function: 'getTriggeringPlayer' } } },
      operands: { string: 'The saved data as a JSON string.' },
    },
    { string: P.text, player: P.player },
    (context, { string: text, player: of }) => {
      const saved = parseJson(context, text);
      if (saved === undefined || restorePlayer(context.game, of, saved)) return;
      context.world.fault('malformed-json', 'The string is not saved data of a player.');
    },
    ...ofPlayer,
  ),
  loadUnitDataFromString: action(
    {
      sentence: 'Restores the data of a unit from a string returned by `getUnitData`.',
      example: { string: { function: 'getUnitData', unit: { function: 'getTriggeringUnit' } } },
      operands: { string: 'The saved data as a JSON string.' },
    },
    { string: P.text, unit: P.unit },
    (context, { string: text, unit: of }) => {
      const saved = parseJson(context, text);
      if (saved === undefined || restoreUnitAndGiveItems(context.game, of, saved)) return;
      context.world.fault('malformed-json', 'The string is not saved data of a unit.');
    },
    ...ofUnit,
  ),
});
