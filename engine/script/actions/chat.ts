import { changes, tells } from '../../rules/effects.ts';
import { banFromChat, sayInRoom, unbanFromChat } from '../../rules/players/chat.ts';
import { rowOf } from '../../world/entity.ts';
import { type About, action, acts, family, publishes } from '../op.ts';
import * as P from '../params.ts';

const { player } = P;

function postToHost(about: About, op: 'mute' | 'muteMicrophone' | 'unmuteMicrophone') {
  return acts(
    about,
    { player },
    ({ world }, of) => world.post('chat', { op, playerId: world.ref(of)?.id }),
    tells('chat'),
  );
}

export const chatActions = family('chat', {
  sendChatMessage: publishes('Sends a chat message to all players.', 'chat', { message: P.text }, ({ message }) => ({
    op: 'system',
    text: message,
  })),
  sendChatMessageToPlayer: publishes(
    'Sends a chat message to one player.',
    'chat',
    { message: P.text, player },
    ({ message }) => ({ op: 'system', text: message }),
  ),
  /** Works only for computer players. Their messages fire the same triggers as those of humans. */
  makePlayerSendChatMessage: action(
    {
      sentence: 'Makes a computer player send a chat message. Triggers fire and chat bans apply as for typed messages.',
      example: { player: { function: 'computerPlayer', number: 1 } },
    },
    { player, message: P.text },
    (context, { player: speaker, message }) => {
      if (context.world.components.player[rowOf(speaker)]!.controlledBy === 'computer')
        sayInRoom(context.game, speaker, message);
      else context.world.fault('wrong-value', 'Only computer players can be made to send chat messages.');
    },
    changes('chat', 'player', { to: 'message' }),
    tells('chat'),
  ),
  banPlayerFromChat: acts(
    'Bans a player from the chat.',
    { player },
    banFromChat,
    changes('chat', 'player'),
    tells('chat'),
  ),
  unbanPlayerFromChat: acts(
    'Lifts the chat ban of a player.',
    { player },
    unbanFromChat,
    changes('chat', 'player'),
    tells('chat'),
  ),
  addChatFilter: action(
    'Adds comma-separated words that clients hide in the chat.',
    { words: P.text },
    ({ world }, { words }) => {
      const list = words
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '');
      if (list.length > 0) world.post('chat', { op: 'addFilter', words: list });
    },
    tells('chat'),
  ),
  mutePlayer: postToHost('Mutes a player.', 'mute'),
  mutePlayerMicrophone: postToHost('Mutes the microphone of a player.', 'muteMicrophone'),
  unmutePlayerMicrophone: postToHost('Unmutes the microphone of a player.', 'unmuteMicrophone'),
});
