import type { Input, TriggerType } from '../../../engine/index.ts';
import { completeQuest, removeQuest, setQuestProgress } from '../../../engine/rules/players/quest.ts';
import { answerHttp, askWeb } from '../../../engine/rules/world/http.ts';
import { type FullGame, fullGame } from '../../support/full-game.ts';
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

/** Ann plays, and is the payload. */
const ofAnn = { ready: played, payload: { player: 'ann' } };
/** Ann sends an input. */
const sends =
  (kind: Input['kind'], more: Readonly<Record<string, unknown>> = {}) =>
  (s: FullGame) =>
    s.send({ kind, player: 'ann', ...more } as Input);

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
  playerLeavesGame: { ...ofAnn, cause: sends('leave'), spare: (s) => s.send({ kind: 'leave', player: 'c1' }) },
  playerCustomInput: { ...ofAnn, cause: sends('customInput', { text: '7' }), spare: sends('chat', { text: '7' }) },
  playerSendsMessage: {
    ...ofAnn,
    cause: sends('chat', { text: 'hello' }),
    order: ['playerSendsMessage', 'playerSendsChatMessage'],
    spare: sends('chat', { text: 'hello \u{1f600}' }),
  },
  playerSendsChatMessage: {
    ...ofAnn,
    cause: sends('chat', { text: '/kick bob' }),
    spare: sends('chat', { text: 'see https://example.com' }),
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
    cause: sends('buyUnit', { type: 'seer' }),
    payload: { player: 'ann', unit: 'u1' },
    spare: sends('buyUnit', { type: 'ghost' }),
  },
  playerPurchasesItem: {
    ready: shopping,
    cause: sends('buyItem', { type: 'potion' }),
    payload: { player: 'ann', item: 'i1' },
    order: ['entityCreatedGlobal', 'entityCreated', 'unitPicksUpItem', 'playerPurchasesItem'],
    spare: sends('buyItem', { type: 'gun' }),
  },
  htmlUiClick: {
    ...ofAnn,
    cause: sends('htmlClick', { element: 'play' }),
    spare: sends('htmlClick', { player: 'bob', element: 'play' }),
  },
  whenDataReceivedFromClient: {
    ...ofAnn,
    cause: sends('data', { data: { a: 1 } }),
    spare: sends('data', { data: [1] }),
  },
  whenPlayerClickTradeOption: {
    ready: played,
    cause: sends('tradeClick', { withUnit: 'u1' }),
    payload: { player: 'ann', unit: 'u1' },
    spare: sends('tradeClick', { withUnit: 'u2' }),
  },
  whenPlayerDropsItemToCanvas: {
    ready: (s) => {
      played(s);
      s.give(one(s), 'crate');
    },
    cause: sends('dropItemOnCanvas', { item: 'i1' }),
    payload: { player: 'ann', item: 'i1' },
    spare: sends('dropItemOnCanvas', { item: 'u1' }),
  },
  adPlayCompleted: { ...ofAnn, cause: inputs('Completed'), spare: inputs('Skipped') },
  adPlaySkipped: { ...ofAnn, cause: inputs('Skipped'), spare: inputs('Blocked') },
  adPlayBlocked: { ...ofAnn, cause: inputs('Blocked'), spare: inputs('Failed') },
  adPlayFailed: { ...ofAnn, cause: inputs('Failed'), spare: inputs('Completed') },
  sendCoinsSuccess: { ...ofAnn, cause: coins('success'), spare: coins('dailyLimit') },
  coinSendFailureDueToInsufficientCoins: { ...ofAnn, cause: coins('insufficientCoins'), spare: coins('success') },
  coinSendFailureDueToDailyLimit: { ...ofAnn, cause: coins('dailyLimit'), spare: coins('insufficientCoins') },
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
