import { setVariable } from '../support/actions.ts';
import { script } from '../support/play.ts';
import { smallGame } from './support.ts';

const player = { function: 'getTriggeringPlayer' };

/** A gift earns a badge, whose number the host tells; a cheer of a client is said in the chat. */
export const badgeGame = () =>
  smallGame({
    scripts: {
      ...(smallGame() as { data: { scripts: object } }).data.scripts,
      gift: script('giftReceived', [
        { type: 'awardBadge', player, badge: { function: 'getSeason' }, points: { function: 'getGiftAmount' } },
      ]),
      cheer: script('cheered', [
        setVariable('heard', { function: 'getCheer' }),
        { type: 'awardBadge', player, badge: 'cheer' },
      ]),
    },
  });

export const badgeWords = {
  operations: {
    awardBadge: {
      about: 'Awards a badge on the platform.',
      params: { player: 'player', badge: 'string', points: { kind: 'number', optional: true } },
    },
    getSeason: { about: 'The season of the platform.', returns: 'string' },
    getGiftAmount: { about: 'The amount of the gift.', returns: 'number', payload: 'amount' },
    getCheer: { about: 'What was called.', returns: 'string', payload: 'word' },
  },
  triggers: {
    giftReceived: { about: 'A viewer has sent a gift.', payload: { player: 'player', amount: 'number' } },
    cheered: {
      about: 'A client has cheered.',
      payload: { player: 'player', word: 'string' },
      fromClients: true,
    },
  },
} as const;
