import { applyToPlayer, applyToUnit, restorePlayer, restoreUnitAndGiveItems } from '../../rules/players/restore.ts';
import { savePlayer, saveUnit } from '../../rules/players/save.ts';
import { lateDataOf } from '../../rules/players/saved-data.ts';
import { noEntity } from '../../world/entity.ts';
import { parseJson } from '../json.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

/** Keeping players and units from one game to the next (reference: players#persistence). */
export const persistenceActions = family('persistence', {
  savePlayerData: action({
    status: 'output',
    params: { player: P.loud(P.player) },
    compile:
      ({ player }) =>
      (context) => {
        const of = player(context);
        if (of !== noEntity) savePlayer(context.game, of);
      },
  }),
  saveUnitData: action({
    status: 'output',
    params: { unit: P.loud(P.unit) },
    compile:
      ({ unit }) =>
      (context) => {
        const of = unit(context);
        if (of !== noEntity) saveUnit(context.game, of);
      },
  }),
  /** Nothing for a player of whom nothing was kept. */
  loadPlayerData: action({
    params: { player: P.player },
    compile:
      ({ player }) =>
      (context) => {
        const of = player(context);
        if (of !== noEntity) applyToPlayer(context.game, of);
      },
  }),
  loadUnitData: action({
    params: { unit: P.loud(P.unit) },
    compile:
      ({ unit }) =>
      (context) => {
        const of = unit(context);
        if (of !== noEntity) applyToUnit(context.game, of);
      },
  }),
  /** The unit gets the data of its own owner's unit, also if the player is another one. */
  loadPlayerDataAndApplyIt: action({
    params: { player: P.player, unit: P.optional(P.unit) },
    compile:
      ({ player, unit }) =>
      (context) => {
        const of = player(context);
        if (of === noEntity) return;
        const isApplied = applyToPlayer(context.game, of);
        // Data that comes late comes to the unit, too.
        if (!isApplied && lateDataOf(context.game, of) === undefined) return;
        const to = unit(context);
        if (to !== noEntity) applyToUnit(context.game, to);
      },
  }),
  loadPlayerDataFromString: action({
    params: { string: P.text, player: P.player },
    compile:
      ({ string, player }) =>
      (context) => {
        const text = string(context);
        const of = player(context);
        if (text === undefined || of === noEntity) return;
        const saved = parseJson(context, text);
        if (saved === undefined || restorePlayer(context.game, of, saved)) return;
        context.world.fault('malformed-json', 'The text is not what was saved of a player.');
      },
  }),
  loadUnitDataFromString: action({
    params: { string: P.text, unit: P.unit },
    compile:
      ({ string, unit }) =>
      (context) => {
        const text = string(context);
        const of = unit(context);
        if (text === undefined || of === noEntity) return;
        const saved = parseJson(context, text);
        if (saved === undefined || restoreUnitAndGiveItems(context.game, of, saved)) return;
        context.world.fault('malformed-json', 'The text is not what was saved of a unit.');
      },
  }),
});
