import { banFromChat, sayInRoom, unbanFromChat } from '../../game/chat.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import type { Frame } from '../frame.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

function forPlayer(status: 'world' | 'output', run: (frame: Frame, player: Entity) => void) {
  return action({
    status,
    params: { player: P.player },
    compile:
      ({ player }) =>
      (frame) => {
        const to = player(frame);
        if (to !== noEntity) run(frame, to);
      },
  });
}

function tellHost(op: 'mute' | 'muteMicrophone' | 'unmuteMicrophone') {
  return forPlayer('output', (frame, player) => {
    const { world } = frame.game;
    world.post('chat', { op, playerId: world.ref(player)?.id });
  });
}

export const chatActions = family('chat', {
  sendChatMessage: action({
    status: 'output',
    params: { message: P.text },
    compile:
      ({ message }) =>
      (frame) => {
        const text = message(frame);
        if (text !== undefined) frame.game.world.post('chat', { op: 'system', text, to: 'everyone' });
      },
  }),
  sendChatMessageToPlayer: action({
    status: 'output',
    params: { message: P.text, player: P.player },
    compile:
      ({ message, player }) =>
      (frame) => {
        const text = message(frame);
        const to = player(frame);
        if (text !== undefined && to !== noEntity)
          frame.game.world.post('chat', { op: 'system', text, to: { player: to } });
      },
  }),
  /** Only players that no human plays can be made to speak; what they say is heard as if a human had said it. */
  makePlayerSendChatMessage: action({
    params: { player: P.player, message: P.text },
    compile:
      ({ player, message }) =>
      (frame) => {
        const by = player(frame);
        const text = message(frame);
        if (by === noEntity || text === undefined) return;
        if (frame.game.world.players[rowOf(by)]!.controlledBy === 'computer') sayInRoom(frame.game, by, text);
        else frame.fault('wrong-value', 'Only a computer player can be made to speak.');
      },
  }),
  banPlayerFromChat: forPlayer('world', ({ game }, player) => banFromChat(game, player)),
  unbanPlayerFromChat: forPlayer('world', ({ game }, player) => unbanFromChat(game, player)),
  /** Words, separated by commas, that the host shall keep out of what players say. */
  addChatFilter: action({
    status: 'output',
    params: { words: P.text },
    compile:
      ({ words }) =>
      (frame) => {
        const text = words(frame);
        if (text === undefined) return;
        const list = text
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word !== '');
        if (list.length > 0) frame.game.world.post('chat', { op: 'addFilter', words: list });
      },
  }),
  mutePlayer: tellHost('mute'),
  mutePlayerMicrophone: tellHost('muteMicrophone'),
  unmutePlayerMicrophone: tellHost('unmuteMicrophone'),
});
