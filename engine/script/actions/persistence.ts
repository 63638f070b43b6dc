import {
  applyToPlayer,
  applyToUnit,
  restorePlayer,
  restoreUnitAndGiveItems,
  savePlayer,
  saveUnit,
} from '../../game/persistence.ts';
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
      (frame) => {
        const of = player(frame);
        if (of !== noEntity) savePlayer(frame.game, of);
      },
  }),
  saveUnitData: action({
    status: 'output',
    params: { unit: P.loud(P.unit) },
    compile:
      ({ unit }) =>
      (frame) => {
        const of = unit(frame);
        if (of !== noEntity) saveUnit(frame.game, of);
      },
  }),
  /** Nothing for a player of whom nothing was kept. */
  loadPlayerData: action({
    params: { player: P.player },
    compile:
      ({ player }) =>
      (frame) => {
        const of = player(frame);
        if (of !== noEntity) applyToPlayer(frame.game, of);
      },
  }),
  loadUnitData: action({
    params: { unit: P.loud(P.unit) },
    compile:
      ({ unit }) =>
      (frame) => {
        const of = unit(frame);
        if (of !== noEntity) applyToUnit(frame.game, of);
      },
  }),
  /** The unit gets what was kept of its own owner's unit, whoever the player is. */
  loadPlayerDataAndApplyIt: action({
    params: { player: P.player, unit: P.optional(P.unit) },
    compile:
      ({ player, unit }) =>
      (frame) => {
        const of = player(frame);
        if (of === noEntity || !applyToPlayer(frame.game, of)) return;
        const to = unit(frame);
        if (to !== noEntity) applyToUnit(frame.game, to);
      },
  }),
  loadPlayerDataFromString: action({
    params: { string: P.text, player: P.player },
    compile:
      ({ string, player }) =>
      (frame) => {
        const text = string(frame);
        const of = player(frame);
        if (text === undefined || of === noEntity) return;
        const saved = parseJson(frame, text);
        if (saved === undefined || restorePlayer(frame.game, of, saved)) return;
        frame.fault('malformed-json', 'The text is not what was saved of a player.');
      },
  }),
  loadUnitDataFromString: action({
    params: { string: P.text, unit: P.unit },
    compile:
      ({ string, unit }) =>
      (frame) => {
        const text = string(frame);
        const of = unit(frame);
        if (text === undefined || of === noEntity) return;
        const saved = parseJson(frame, text);
        if (saved === undefined || restoreUnitAndGiveItems(frame.game, of, saved)) return;
        frame.fault('malformed-json', 'The text is not what was saved of a unit.');
      },
  }),
});
