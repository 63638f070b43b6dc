import { admit } from '../../game/admission.ts';
import { kickPlayer } from '../../game/moderation.ts';
import { selectUnit } from '../../game/ownership.ts';
import { assignPlayerType, joinPlayer, renamePlayer } from '../../game/player.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

export const playerActions = family('player', {
  assignPlayerType: action({
    params: { entity: P.player, playerType: P.playerType },
    compile:
      ({ entity, playerType }) =>
      (frame) => {
        const player = entity(frame);
        const key = playerType(frame);
        if (player === 0 || key === undefined) return;
        if (!assignPlayerType(frame.game, player, key))
          frame.fault('no-such-type', `No player type is called "${key}".`);
      },
  }),
  /** Joins at once, with all scripts that listen to it, before the next action. */
  addBotPlayer: action({
    params: { name: P.optional(P.text) },
    compile:
      ({ name }) =>
      (frame) => {
        const newcomer = { name: name(frame) ?? '', isBot: true };
        if (admit(frame.game, newcomer) === undefined) joinPlayer(frame.game, newcomer);
        else frame.fault('limit-entities', 'The game is full; no bot joined.');
      },
  }),
  /** The host closes the connection; the player leaves the game at once. Bots can be kicked too. */
  kickPlayer: action({
    params: { entity: P.player, message: P.optional(P.text) },
    compile:
      ({ entity, message }) =>
      (frame) => {
        const player = entity(frame);
        if (player !== 0) kickPlayer(frame.game, player, message(frame) ?? '');
      },
  }),
  makePlayerSelectUnit: action({
    params: { player: P.player, unit: P.unit },
    compile:
      ({ player, unit }) =>
      (frame) => {
        const by = player(frame);
        const selected = unit(frame);
        if (by === 0 || selected === 0) return;
        if (!selectUnit(frame.game, by, selected))
          frame.fault('wrong-value', 'A player can only select a unit of its own.');
      },
  }),
  setPlayerName: action({
    params: { player: P.player, name: P.text },
    compile:
      ({ player, name }) =>
      (frame) => {
        const of = player(frame);
        const text = name(frame);
        if (of !== 0 && text !== undefined) renamePlayer(frame.game, of, text);
      },
  }),
});
