import { changes, type Effect, tells } from '../../rules/effects.ts';
import { banFromChat, sayInRoom, unbanFromChat } from '../../rules/players/chat.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { type About, action, family } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';

function forPlayer(
  about: About,
  effects: readonly Effect<'player'>[],
  run: (context: ScriptContext, player: Entity) => void,
) {
  return action({
    about,
    effects,
    params: { player: P.player },
    run: (context, { player }) => run(context, player),
  });
}

function postToHost(about: About, op: 'mute' | 'muteMicrophone' | 'unmuteMicrophone') {
  return forPlayer(about, [tells('chat')], (context, player) => {
    const { world } = context;
    world.post('chat', { op, playerId: world.ref(player)?.id });
  });
}

export const chatActions = family('chat', {
  sendChatMessage: action({
    about: 'Sends a chat message to all players.',
    effects: [tells('chat')],
    params: { message: P.text },
    run: ({ world }, { message }) => world.post('chat', { op: 'system', text: message, to: 'everyone' }),
  }),
  sendChatMessageToPlayer: action({
    about: 'Sends a chat message to one player.',
    effects: [tells('chat', 'player')],
    params: { message: P.text, player: P.player },
    run: ({ world }, { message, player }) => world.post('chat', { op: 'system', text: message, to: { player } }),
  }),
  /** Works only for computer players; their messages fire the same triggers as those of humans. */
  makePlayerSendChatMessage: action({
    about: {
      sentence: 'Makes a computer player send a chat message. Triggers fire and chat bans apply as for typed messages.',
      example: { player: { function: 'computerPlayer', number: 1 } },
    },
    effects: [changes('chat', 'player', { to: 'message' }), tells('chat')],
    params: { player: P.player, message: P.text },
    run: (context, { player, message }) => {
      if (context.world.components.player[rowOf(player)]!.controlledBy === 'computer')
        sayInRoom(context.game, player, message);
      else context.world.fault('wrong-value', 'Only computer players can be made to send chat messages.');
    },
  }),
  banPlayerFromChat: forPlayer(
    'Bans a player from the chat.',
    [changes('chat', 'player'), tells('chat')],
    ({ game }, player) => banFromChat(game, player),
  ),
  unbanPlayerFromChat: forPlayer(
    'Lifts the chat ban of a player.',
    [changes('chat', 'player'), tells('chat')],
    ({ game }, player) => unbanFromChat(game, player),
  ),
  addChatFilter: action({
    about: 'Adds comma-separated words that clients hide in the chat.',
    effects: [tells('chat')],
    params: { words: P.text },
    run: ({ world }, { words }) => {
      const list = words
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '');
      if (list.length > 0) world.post('chat', { op: 'addFilter', words: list });
    },
  }),
  mutePlayer: postToHost('Mutes a player.', 'mute'),
  mutePlayerMicrophone: postToHost('Mutes the microphone of a player.', 'muteMicrophone'),
  unmutePlayerMicrophone: postToHost('Unmutes the microphone of a player.', 'unmuteMicrophone'),
});
