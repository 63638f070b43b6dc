import type { TriggerType } from '../../../engine/index.ts';
import { completeQuest, removeQuest, setQuestProgress } from '../../../engine/rules/players/quest.ts';
import { answerHttp, askWeb } from '../../../engine/rules/world/http.ts';
import { fullGame } from '../../support/full-game.ts';
import {
  addWolves,
  alone,
  type Case,
  champion,
  coins,
  inputs,
  leaveWith,
  one,
  played,
  questOf,
  request,
  shopping,
  withQuest,
} from './case.ts';

/** The game, its players and its host. */
export const playersCases: Partial<Record<TriggerType, Case>> = {
  gameStart: {
    cause: () => {},
    payload: {},
    spare: (s) => {
      s.hush();
      s.seconds(2);
    },
  },
  secondTick: { cause: (s) => s.seconds(1), payload: {}, spare: (s) => s.ticks(19) },
  frameTick: {
    fullGame: (more) =>
      fullGame({ dialect: 'moddio' }, { defaultData: { frameRate: 60, engineTickRate: 20 }, ...more }),
    cause: (s) => s.seconds(1),
    times: 20,
    payload: {},
    order: ['secondTick', 'frameTick'],
    spare: (s) => s.ticks(1),
  },
  serverShuttingDown: {
    ready: alone,
    cause: (s) => s.send({ kind: 'shutDown' }),
    by: 'u1',
    times: 2,
    payload: {},
    spare: (s) => s.seconds(2),
  },
  playerJoinsGame: {
    cause: (s) => void s.join('ann'),
    payload: { player: 'ann' },
    spare: (s) => {
      s.join('ann');
      s.hush();
      s.join('ann');
    },
  },
  playerLeavesGame: {
    ready: played,
    cause: (s) => s.send({ kind: 'leave', player: 'ann' }),
    payload: { player: 'ann' },
    spare: (s) => s.send({ kind: 'leave', player: 'c1' }),
  },
  playerCustomInput: {
    ready: played,
    cause: (s) => s.send({ kind: 'customInput', player: 'ann', text: '7' }),
    payload: { player: 'ann' },
    spare: (s) => s.send({ kind: 'chat', player: 'ann', text: '7' }),
  },
  playerSendsMessage: {
    ready: played,
    cause: (s) => s.send({ kind: 'chat', player: 'ann', text: 'hello' }),
    payload: { player: 'ann' },
    order: ['playerSendsMessage', 'playerSendsChatMessage'],
    spare: (s) => s.send({ kind: 'chat', player: 'ann', text: 'hello \u{1f600}' }),
  },
  playerSendsChatMessage: {
    ready: played,
    cause: (s) => s.send({ kind: 'chat', player: 'ann', text: '/kick bob' }),
    payload: { player: 'ann' },
    spare: (s) => s.send({ kind: 'chat', player: 'ann', text: 'see https://example.com' }),
  },
  playerGetsNewHighscore: {
    ready: champion,
    cause: leaveWith(41),
    payload: { player: 'ann' },
    order: ['playerGetsNewHighscore', 'playerLeavesGame'],
    spare: leaveWith(40),
  },
  playerPurchasesUnit: {
    ready: shopping,
    cause: (s) => s.send({ kind: 'buyUnit', player: 'ann', type: 'seer' }),
    payload: { player: 'ann', unit: 'u1' },
    spare: (s) => s.send({ kind: 'buyUnit', player: 'ann', type: 'ghost' }),
  },
  playerPurchasesItem: {
    ready: shopping,
    cause: (s) => s.send({ kind: 'buyItem', player: 'ann', type: 'potion' }),
    payload: { player: 'ann', item: 'i1' },
    order: ['entityCreatedGlobal', 'entityCreated', 'unitPicksUpItem', 'playerPurchasesItem'],
    spare: (s) => s.send({ kind: 'buyItem', player: 'ann', type: 'gun' }),
  },
  htmlUiClick: {
    ready: played,
    cause: (s) => s.send({ kind: 'htmlClick', player: 'ann', element: 'play' }),
    payload: { player: 'ann' },
    spare: (s) => s.send({ kind: 'htmlClick', player: 'bob', element: 'play' }),
  },
  whenDataReceivedFromClient: {
    ready: played,
    cause: (s) => s.send({ kind: 'data', player: 'ann', data: { a: 1 } }),
    payload: { player: 'ann' },
    spare: (s) => s.send({ kind: 'data', player: 'ann', data: [1] }),
  },
  whenPlayerClickTradeOption: {
    ready: played,
    cause: (s) => s.send({ kind: 'tradeClick', player: 'ann', withUnit: 'u1' }),
    payload: { player: 'ann', unit: 'u1' },
    spare: (s) => s.send({ kind: 'tradeClick', player: 'ann', withUnit: 'u2' }),
  },
  whenPlayerDropsItemToCanvas: {
    ready: (s) => {
      played(s);
      s.give(one(s), 'crate');
    },
    cause: (s) => s.send({ kind: 'dropItemOnCanvas', player: 'ann', item: 'i1' }),
    payload: { player: 'ann', item: 'i1' },
    spare: (s) => s.send({ kind: 'dropItemOnCanvas', player: 'ann', item: 'u1' }),
  },
  adPlayCompleted: { ready: played, cause: inputs('Completed'), payload: { player: 'ann' }, spare: inputs('Skipped') },
  adPlaySkipped: { ready: played, cause: inputs('Skipped'), payload: { player: 'ann' }, spare: inputs('Blocked') },
  adPlayBlocked: { ready: played, cause: inputs('Blocked'), payload: { player: 'ann' }, spare: inputs('Failed') },
  adPlayFailed: { ready: played, cause: inputs('Failed'), payload: { player: 'ann' }, spare: inputs('Completed') },
  sendCoinsSuccess: { ready: played, cause: coins('success'), payload: { player: 'ann' }, spare: coins('dailyLimit') },
  coinSendFailureDueToInsufficientCoins: {
    ready: played,
    cause: coins('insufficientCoins'),
    payload: { player: 'ann' },
    spare: coins('success'),
  },
  coinSendFailureDueToDailyLimit: {
    ready: played,
    cause: coins('dailyLimit'),
    payload: { player: 'ann' },
    spare: coins('insufficientCoins'),
  },
  onPostResponse: {
    ready: (s) => {
      alone(s);
      askWeb(s.game, { ...request, kind: 'request', asker: one(s) }, { op: 'request' });
      askWeb(s.game, { ...request, kind: 'post', asker: one(s) }, { op: 'post' });
    },
    cause: (s) => void answerHttp(s.game, 1, { ok: true, body: {} }),
    by: 'u1',
    payload: { unit: 'u1' },
    spare: (s) => {
      answerHttp(s.game, 1, { ok: false });
      answerHttp(s.game, 2, { ok: true, body: {} });
    },
  },
  questAdded: {
    ready: played,
    cause: addWolves,
    by: 'u1',
    times: 2,
    payload: { player: 'ann', unit: 'u1' },
    spare: (s) => {
      addWolves(s);
      s.hush();
      addWolves(s);
    },
  },
  questRemoved: {
    ready: withQuest,
    cause: (s) => removeQuest(s.game, questOf(s), 'wolves'),
    by: 'u1',
    times: 2,
    payload: { player: 'ann', unit: 'u1' },
    spare: (s) => removeQuest(s.game, questOf(s), 'bears'),
  },
  questCompleted: {
    ready: withQuest,
    cause: (s) => completeQuest(s.game, questOf(s), 'wolves'),
    by: 'u1',
    times: 2,
    payload: { player: 'ann', unit: 'u1' },
    spare: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 3),
  },
  questProgressUpdated: {
    ready: withQuest,
    cause: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 1),
    payload: { player: 'ann' },
    spare: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 0),
  },
  questProgressCompleted: {
    ready: withQuest,
    cause: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 3),
    by: 'u1',
    times: 2,
    payload: { player: 'ann', unit: 'u1' },
    order: ['questProgressUpdated', 'questProgressCompleted', 'questProgressCompleted'],
    spare: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 4),
  },
};
