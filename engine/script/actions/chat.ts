import { banFromChat, sayInRoom, unbanFromChat } from '../../rules/players/chat.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import type { ScriptContext } from '../context.ts';
import { type About, action, family } from '../op.ts';
import * as P from '../params.ts';

function forPlayer(about: About, status: 'world' | 'output', run: (context: ScriptContext, player: Entity) => void) {
  return action({
    about,
    status,
    params: { player: P.player },
    compile:
      ({ player }) =>
      (context) => {
        const to = player(context);
        if (to !== noEntity) run(context, to);
      },
  });
}

function postToHost(about: About, op: 'mute' | 'muteMicrophone' | 'unmuteMicrophone') {
  return forPlayer(about, 'output', (context, player) => {
    const { world } = context;
    world.post('chat', { op, playerId: world.ref(player)?.id });
  });
}

export const chatActions = family('chat', {
  sendChatMessage: action({
    about: 'Writes a message into the chat of all players.',
    status: 'output',
    params: { message: P.text },
    compile:
      ({ message }) =>
      (context) => {
        const text = message(context);
        if (text !== undefined) context.world.post('chat', { op: 'system', text, to: 'everyone' });
      },
  }),
  sendChatMessageToPlayer: action({
    about: 'Writes a message into the chat of one player.',
    status: 'output',
    params: { message: P.text, player: P.player },
    compile:
      ({ message, player }) =>
      (context) => {
        const text = message(context);
        const to = player(context);
        if (text !== undefined && to !== noEntity)
          context.world.post('chat', { op: 'system', text, to: { player: to } });
      },
  }),
  /** Works only for computer players; their messages fire the same triggers as those of humans. */
  makePlayerSendChatMessage: action({
    about: 'Lets a player say something, as if typed; triggers and bans of the chat hold.',
    params: { player: P.player, message: P.text },
    compile:
      ({ player, message }) =>
      (context) => {
        const by = player(context);
        const text = message(context);
        if (by === noEntity || text === undefined) return;
        if (context.world.components.player[rowOf(by)]!.controlledBy === 'computer') sayInRoom(context.game, by, text);
        else context.world.fault('wrong-value', 'Only a computer player can be made to speak.');
      },
  }),
  banPlayerFromChat: forPlayer('Keeps a player from saying anything.', 'world', ({ game }, player) =>
    banFromChat(game, player),
  ),
  unbanPlayerFromChat: forPlayer('Lets a player talk again.', 'world', ({ game }, player) =>
    unbanFromChat(game, player),
  ),
  /** Comma-separated words that are filtered from messages. */
  addChatFilter: action({
    about: 'Adds words, with commas between, that clients hide in the chat.',
    status: 'output',
    params: { words: P.text },
    compile:
      ({ words }) =>
      (context) => {
        const text = words(context);
        if (text === undefined) return;
        const list = text
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word !== '');
        if (list.length > 0) context.world.post('chat', { op: 'addFilter', words: list });
      },
  }),
  mutePlayer: postToHost('Takes the sound of a player away.', 'mute'),
  mutePlayerMicrophone: postToHost('Takes the voice of a player away.', 'muteMicrophone'),
  unmutePlayerMicrophone: postToHost('Gives the voice of a player back.', 'unmuteMicrophone'),
});
