import { describe, expect, test } from 'vitest';
import { disableAi, enableAi, moveTo } from '../../engine/game/ai.ts';
import { updateAttribute } from '../../engine/game/attribute.ts';
import { createUnit } from '../../engine/game/create.ts';
import { destroyEntity } from '../../engine/game/destroy.ts';
import { answerHttp, askWeb } from '../../engine/game/http.ts';
import { dropItem, selectSlot, swapSlots } from '../../engine/game/inventory.ts';
import { pickUpItem } from '../../engine/game/pick-up.ts';
import { assignPlayerType } from '../../engine/game/player.ts';
import { addQuest, completeQuest, removeQuest, setQuestProgress } from '../../engine/game/quest.ts';
import { openShop } from '../../engine/game/shop.ts';
import { setState } from '../../engine/game/state.ts';
import { startUsing, stopUsing } from '../../engine/game/use.ts';
import { setQuantity } from '../../engine/game/use-attempt.ts';
import { type TriggerType, triggers, triggerTypes } from '../../engine/index.ts';
import type { Entity } from '../../engine/world/entity.ts';
import { type Stage, stage } from '../support/stage.ts';

type Json = Record<string, unknown>;

/** What makes a trigger fire, what it then tells, and what looks much like it and does not make it fire. */
interface Case {
  readonly cause: (s: Stage) => void;
  /** What the first one tells; entities by id. */
  readonly tells: Json;
  /** The entity whose scripts hear it first; left out for the world's scripts. */
  readonly by?: string;
  /** How often it fires; once unless said otherwise. */
  readonly times?: number;
  /** Triggers of the cause in the order in which they fire; the others are left out of account. */
  readonly order?: readonly TriggerType[];
  readonly spare: (s: Stage) => void;
  /** Prepares both; what it announces is not looked at. */
  readonly ready?: (s: Stage) => void;
  readonly stage?: () => Stage;
}

// Who is there: `u1` unless a case makes no unit. `ready` makes them, so that ids are the same in cause and spare.

const one = (s: Stage): Entity => s.entity('u1');
const item = (s: Stage): Entity => s.entity('i1');

function alone(s: Stage): void {
  s.unit({ x: 640, y: 640 });
  s.ticks(2);
}

/** Ann, human, owns and steers `u1`. */
function played(s: Stage): void {
  const ann = s.join('ann');
  assignPlayerType(s.game, ann, 'human');
  s.unit({ owner: ann });
  s.ticks(2);
}

function carrying(type: string, quantity?: number) {
  return (s: Stage): void => {
    alone(s);
    s.give(one(s), type, quantity);
    s.ticks(1);
  };
}

function lying(type: string) {
  return (s: Stage): void => {
    alone(s);
    s.item(type);
    s.ticks(2);
  };
}

const attribute = (type: string, value: number) => expect.objectContaining({ type, value });
const set = (id: string, key: string, value: number) => (s: Stage) => {
  updateAttribute(s.game, s.entity(id), key, value);
  s.ticks(1);
};

/** Two things made on one spot touch when their bodies come. */
type Maker = (s: Stage, x: number, y: number) => void;
const units: Maker = (s, x, y) => void s.unit({ x, y });
const ghosts: Maker = (s, x, y) => void s.unit({ type: 'ghost', x, y });
const items: Maker = (s, x, y) => void s.item('crate', { x, y });
const balls: Maker = (s, x, y) => void s.ball(x, y);

const meet = (first: Maker, second: Maker) => (s: Stage) => {
  first(s, 500, 500);
  second(s, 510, 500);
  s.ticks(3);
};
const apart = (first: Maker, second: Maker) => (s: Stage) => {
  first(s, 300, 900);
  second(s, 500, 900);
  s.ticks(3);
};
const atWall = (what: Maker) => (s: Stage) => {
  what(s, 160, 160);
  s.ticks(3);
};
const offWall = (what: Maker) => (s: Stage) => {
  what(s, 400, 400);
  s.ticks(3);
};
const inYard = (what: Maker) => (s: Stage) => {
  what(s, 1100, 1040);
  s.ticks(3);
};
const seerAt640 = (s: Stage): void => {
  s.unit({ type: 'seer' });
  s.ticks(3);
};
const nearSeer = (what: Maker) => (s: Stage) => {
  what(s, 720, 640);
  s.ticks(3);
};
const farFromSeer = (what: Maker) => (s: Stage) => {
  what(s, 900, 640);
  s.ticks(3);
};
const from = (what: Maker, x: number, y: number, id: string) => ({
  ready: (s: Stage) => {
    seerAt640(s);
    what(s, x, y);
    s.ticks(3);
  },
  away: (s: Stage) => s.move(s.entity(id), 300, 900),
  still: (s: Stage) => s.move(s.entity(id), x - 10, y),
});
const enemies = (s: Stage): void => {
  s.unit({ x: 640, y: 640 });
  s.give(one(s), 'blade');
  s.unit({ owner: s.player(2, 'foe'), x: 690, y: 640 });
  s.unit({ owner: s.player(1), x: 590, y: 640 });
  s.ticks(2);
  destroyEntity(s.game, s.entity('u3'));
  s.ticks(2);
};
const strike = (s: Stage): void => {
  startUsing(s.game, item(s));
  s.ticks(1);
};
const strikeFriends = (s: Stage): void => {
  destroyEntity(s.game, s.entity('u2'));
  s.unit({ owner: s.player(1), x: 690, y: 640 });
  s.ticks(2);
  strike(s);
};
const useOnce = (s: Stage): void => {
  startUsing(s.game, item(s));
  s.ticks(1);
  stopUsing(s.game, item(s));
};
const useEmpty = (s: Stage): void => {
  setQuantity(s.game, item(s), 0);
  useOnce(s);
};
const questOf = (s: Stage): Entity => s.entity('ann');
const addWolves = (s: Stage): void => {
  addQuest(s.game, questOf(s), 'wolves', { name: 'Wolves', description: '', goal: 3 });
};
const withQuest = (s: Stage): void => {
  played(s);
  addWolves(s);
};
const request = { variable: undefined, onSuccess: -1, onFailure: -1, state: undefined };
const shopping = (s: Stage): void => {
  played(s);
  openShop(s.game, questOf(s), 'market');
};
const leaveWith = (gold: number) => (s: Stage) => {
  updateAttribute(s.game, questOf(s), 'gold', gold);
  s.send({ kind: 'leave', player: 'ann' });
};
const champion = (s: Stage): void => {
  const ann = s.join('ann', { account: { highscore: 40 } });
  assignPlayerType(s.game, ann, 'human');
};
const enclosed = (s: Stage): void => {
  const ann = s.player(1);
  s.unit({ type: 'seer', owner: ann, x: 640, y: 640 });
  s.ticks(2);
  enableAi(s.game, one(s));
};
const inputs = (result: 'Completed' | 'Skipped' | 'Blocked' | 'Failed') => (s: Stage) =>
  s.send({ kind: 'adResult', player: 'ann', result });
const coins = (result: 'success' | 'insufficientCoins' | 'dailyLimit') => (s: Stage) =>
  s.send({ kind: 'coinsResult', player: 'ann', result });
const without = () => stage({ dialect: 'moddio' });

const uses = { unit: 'u1', item: 'i1' };
const use = { ready: carrying('potion'), cause: useOnce, spare: useEmpty, tells: uses };
const useOrder: readonly TriggerType[] = [
  'thisItemStartsBeingUsed',
  'thisUnitStartsUsingAnItem',
  'unitStartsUsingAnItem',
  'itemIsUsed',
  'thisUnitUsesItem',
  'unitUsesItem',
  'thisItemStopsBeingUsed',
  'thisUnitStopsUsingAnItem',
  'unitStopsUsingAnItem',
];
const start = {
  ready: carrying('gun'),
  cause: (s: Stage) => startUsing(s.game, item(s)),
  spare: (s: Stage) => {
    startUsing(s.game, item(s));
    s.hush();
    startUsing(s.game, item(s));
  },
  tells: uses,
};
const stop = {
  ready: (s: Stage) => {
    carrying('gun')(s);
    startUsing(s.game, item(s));
    s.ticks(1);
  },
  cause: (s: Stage) => stopUsing(s.game, item(s)),
  spare: (s: Stage) => {
    stopUsing(s.game, item(s));
    s.hush();
    stopUsing(s.game, item(s));
  },
  tells: uses,
};
const drop = {
  ready: (s: Stage) => {
    carrying('crate')(s);
    s.give(one(s), 'anvil');
  },
  cause: (s: Stage) => void dropItem(s.game, item(s)),
  spare: (s: Stage) => void dropItem(s.game, s.entity('i2')),
  tells: uses,
};
const dropOrder: readonly TriggerType[] = ['thisItemIsDropped', 'thisUnitDroppedAnItem', 'unitDroppedAnItem'];
const pickUp = {
  ready: (s: Stage) => {
    lying('crate')(s);
    s.item('relic');
  },
  cause: (s: Stage) => void pickUpItem(s.game, one(s), item(s)),
  spare: (s: Stage) => void pickUpItem(s.game, one(s), s.entity('i2')),
  tells: uses,
};
const pickUpOrder: readonly TriggerType[] = [
  'thisItemChangesInventorySlot',
  'thisUnitMovesItemInInventory',
  'thisItemIsPickedUp',
  'thisUnitPicksUpItem',
  'unitPicksUpItem',
];
const select = {
  ready: (s: Stage) => {
    carrying('crate')(s);
    s.give(one(s), 'gun');
  },
  cause: (s: Stage) => selectSlot(s.game, one(s), 1),
  spare: (s: Stage) => selectSlot(s.game, one(s), 0),
  tells: { unit: 'u1', item: 'i2' },
};
const selectOrder: readonly TriggerType[] = [
  'thisItemIsSelected',
  'thisUnitSelectsItem',
  'unitSelectsItem',
  'unitSelectsInventorySlot',
];
const swap = {
  ready: carrying('crate'),
  cause: (s: Stage) => void swapSlots(s.game, one(s), 0, 1),
  spare: (s: Stage) => void swapSlots(s.game, one(s), 0, 99),
  tells: uses,
};
const attack = { ready: enemies, cause: strike, spare: strikeFriends, tells: uses };

/** Whoever adds a trigger that a server can emit adds its case here. */
const cases: Partial<Record<TriggerType, Case>> = {
  gameStart: {
    cause: () => {},
    tells: {},
    spare: (s) => {
      s.hush();
      s.seconds(2);
    },
  },
  secondTick: { cause: (s) => s.seconds(1), tells: {}, spare: (s) => s.ticks(19) },
  frameTick: {
    stage: () => stage({ dialect: 'moddio' }, { defaultData: { frameRate: 60, engineTickRate: 20 } }),
    cause: (s) => s.seconds(1),
    times: 20,
    tells: {},
    order: ['secondTick', 'frameTick'],
    spare: (s) => s.ticks(1),
  },
  serverShuttingDown: {
    ready: alone,
    cause: (s) => s.send({ kind: 'shutDown' }),
    by: 'u1',
    times: 2,
    tells: {},
    spare: (s) => s.seconds(2),
  },
  playerJoinsGame: {
    cause: (s) => void s.join('ann'),
    tells: { player: 'ann' },
    spare: (s) => {
      s.join('ann');
      s.hush();
      s.join('ann');
    },
  },
  playerLeavesGame: {
    ready: played,
    cause: (s) => s.send({ kind: 'leave', player: 'ann' }),
    tells: { player: 'ann' },
    spare: (s) => s.send({ kind: 'leave', player: 'c1' }),
  },
  playerCustomInput: {
    ready: played,
    cause: (s) => s.send({ kind: 'customInput', player: 'ann', text: '7' }),
    tells: { player: 'ann' },
    spare: (s) => s.send({ kind: 'chat', player: 'ann', text: '7' }),
  },
  playerSendsMessage: {
    ready: played,
    cause: (s) => s.send({ kind: 'chat', player: 'ann', text: 'hello' }),
    tells: { player: 'ann' },
    order: ['playerSendsMessage', 'playerSendsChatMessage'],
    spare: (s) => s.send({ kind: 'chat', player: 'ann', text: 'hello \u{1f600}' }),
  },
  playerSendsChatMessage: {
    ready: played,
    cause: (s) => s.send({ kind: 'chat', player: 'ann', text: '/kick bob' }),
    tells: { player: 'ann' },
    spare: (s) => s.send({ kind: 'chat', player: 'ann', text: 'see https://example.com' }),
  },
  playerGetsNewHighscore: {
    ready: champion,
    cause: leaveWith(41),
    tells: { player: 'ann' },
    order: ['playerGetsNewHighscore', 'playerLeavesGame'],
    spare: leaveWith(40),
  },
  playerPurchasesUnit: {
    ready: shopping,
    cause: (s) => s.send({ kind: 'buyUnit', player: 'ann', type: 'seer' }),
    tells: { player: 'ann', unit: 'u1' },
    spare: (s) => s.send({ kind: 'buyUnit', player: 'ann', type: 'ghost' }),
  },
  playerPurchasesItem: {
    ready: shopping,
    cause: (s) => s.send({ kind: 'buyItem', player: 'ann', type: 'potion' }),
    tells: { player: 'ann', item: 'i1' },
    order: ['entityCreatedGlobal', 'entityCreated', 'unitPicksUpItem', 'playerPurchasesItem'],
    spare: (s) => s.send({ kind: 'buyItem', player: 'ann', type: 'gun' }),
  },
  htmlUiClick: {
    ready: played,
    cause: (s) => s.send({ kind: 'htmlClick', player: 'ann', element: 'play' }),
    tells: { player: 'ann' },
    spare: (s) => s.send({ kind: 'htmlClick', player: 'bob', element: 'play' }),
  },
  whenDataReceivedFromClient: {
    ready: played,
    cause: (s) => s.send({ kind: 'data', player: 'ann', data: { a: 1 } }),
    tells: { player: 'ann' },
    spare: (s) => s.send({ kind: 'data', player: 'ann', data: [1] }),
  },
  whenPlayerClickTradeOption: {
    ready: played,
    cause: (s) => s.send({ kind: 'tradeClick', player: 'ann', withUnit: 'u1' }),
    tells: { player: 'ann', unit: 'u1' },
    spare: (s) => s.send({ kind: 'tradeClick', player: 'ann', withUnit: 'u2' }),
  },
  whenPlayerDropsItemToCanvas: {
    ready: (s) => {
      played(s);
      s.give(one(s), 'crate');
    },
    cause: (s) => s.send({ kind: 'dropItemOnCanvas', player: 'ann', item: 'i1' }),
    tells: { player: 'ann', item: 'i1' },
    spare: (s) => s.send({ kind: 'dropItemOnCanvas', player: 'ann', item: 'u1' }),
  },
  adPlayCompleted: { ready: played, cause: inputs('Completed'), tells: { player: 'ann' }, spare: inputs('Skipped') },
  adPlaySkipped: { ready: played, cause: inputs('Skipped'), tells: { player: 'ann' }, spare: inputs('Blocked') },
  adPlayBlocked: { ready: played, cause: inputs('Blocked'), tells: { player: 'ann' }, spare: inputs('Failed') },
  adPlayFailed: { ready: played, cause: inputs('Failed'), tells: { player: 'ann' }, spare: inputs('Completed') },
  sendCoinsSuccess: { ready: played, cause: coins('success'), tells: { player: 'ann' }, spare: coins('dailyLimit') },
  coinSendFailureDueToInsufficientCoins: {
    ready: played,
    cause: coins('insufficientCoins'),
    tells: { player: 'ann' },
    spare: coins('success'),
  },
  coinSendFailureDueToDailyLimit: {
    ready: played,
    cause: coins('dailyLimit'),
    tells: { player: 'ann' },
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
    tells: { unit: 'u1' },
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
    tells: { player: 'ann', unit: 'u1' },
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
    tells: { player: 'ann', unit: 'u1' },
    spare: (s) => removeQuest(s.game, questOf(s), 'bears'),
  },
  questCompleted: {
    ready: withQuest,
    cause: (s) => completeQuest(s.game, questOf(s), 'wolves'),
    by: 'u1',
    times: 2,
    tells: { player: 'ann', unit: 'u1' },
    spare: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 3),
  },
  questProgressUpdated: {
    ready: withQuest,
    cause: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 1),
    tells: { player: 'ann' },
    spare: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 0),
  },
  questProgressCompleted: {
    ready: withQuest,
    cause: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 3),
    by: 'u1',
    times: 2,
    tells: { player: 'ann', unit: 'u1' },
    order: ['questProgressUpdated', 'questProgressCompleted', 'questProgressCompleted'],
    spare: (s) => setQuestProgress(s.game, questOf(s), 'wolves', 4),
  },
  unitAttributeBecomesZero: {
    ready: alone,
    cause: set('u1', 'health', 0),
    tells: { unit: 'u1', attribute: attribute('health', 50) },
    order: ['entityAttributeBecomesZero', 'unitAttributeBecomesZero'],
    spare: set('u1', 'health', 1),
  },
  unitAttributeBecomesFull: {
    ready: alone,
    cause: set('u1', 'health', 500),
    tells: { unit: 'u1', attribute: attribute('health', 50) },
    order: ['entityAttributeBecomesFull', 'unitAttributeBecomesFull'],
    spare: set('u1', 'health', 99),
  },
  itemAttributeBecomesZero: {
    ready: lying('crate'),
    cause: set('i1', 'power', -4),
    tells: { item: 'i1', attribute: attribute('power', 50) },
    spare: set('i1', 'power', 4),
  },
  itemAttributeBecomesFull: {
    ready: lying('crate'),
    cause: set('i1', 'power', 100),
    tells: { item: 'i1', attribute: attribute('power', 50) },
    spare: set('i1', 'power', 60),
  },
  projectileAttributeBecomesZero: {
    ready: (s) => void s.ball(300, 300),
    cause: set('b1', 'fuse', 0),
    tells: { projectile: 'b1', attribute: attribute('fuse', 50) },
    spare: set('b1', 'fuse', 1),
  },
  projectileAttributeBecomesFull: {
    ready: (s) => void s.ball(300, 300),
    cause: set('b1', 'fuse', 100),
    tells: { projectile: 'b1', attribute: attribute('fuse', 50) },
    spare: set('b1', 'fuse', 51),
  },
  playerAttributeBecomesZero: {
    ready: played,
    cause: set('ann', 'gold', 0),
    tells: { player: 'ann', attribute: attribute('gold', 30) },
    spare: set('ann', 'gold', 5),
  },
  playerAttributeBecomesFull: {
    ready: played,
    cause: set('ann', 'gold', 1000),
    tells: { player: 'ann', attribute: attribute('gold', 30) },
    spare: set('ann', 'gold', 999),
  },
  entityAttributeBecomesZero: {
    ready: alone,
    cause: set('u1', 'health', 0),
    by: 'u1',
    tells: { unit: 'u1', attribute: attribute('health', 50) },
    spare: (s) => {
      set('u1', 'health', 0)(s);
      s.hush();
      set('u1', 'health', 0)(s);
    },
  },
  entityAttributeBecomesFull: {
    ready: lying('crate'),
    cause: set('i1', 'power', 100),
    by: 'i1',
    tells: { item: 'i1', attribute: attribute('power', 50) },
    spare: set('i1', 'power', 99),
  },
  itemIsUsed: { ...use, by: 'i1', order: useOrder },
  thisUnitUsesItem: { ...use, by: 'u1' },
  unitUsesItem: use,
  thisItemStartsBeingUsed: { ...start, by: 'i1' },
  thisUnitStartsUsingAnItem: { ...start, by: 'u1' },
  unitStartsUsingAnItem: start,
  thisItemStopsBeingUsed: { ...stop, by: 'i1' },
  thisUnitStopsUsingAnItem: { ...stop, by: 'u1' },
  unitStopsUsingAnItem: stop,
  ThisItemsQuantityBecomesZero: {
    ready: carrying('potion', 1),
    cause: useOnce,
    by: 'i1',
    tells: {},
    order: ['unitUsesItem', 'ThisItemsQuantityBecomesZero'],
    spare: (s) => {
      setQuantity(s.game, item(s), 2);
      useOnce(s);
    },
  },
  raycastItemFired: {
    ready: (s) => {
      carrying('rifle')(s);
      s.give(one(s), 'gun');
    },
    cause: useOnce,
    tells: uses,
    order: ['unitUsesItem', 'raycastItemFired'],
    spare: (s) => {
      startUsing(s.game, s.entity('i2'));
      s.ticks(1);
    },
  },
  thisItemIsDropped: { ...drop, by: 'i1', order: dropOrder },
  thisUnitDroppedAnItem: { ...drop, by: 'u1' },
  unitDroppedAnItem: drop,
  thisItemIsPickedUp: { ...pickUp, by: 'i1', order: pickUpOrder },
  thisUnitPicksUpItem: { ...pickUp, by: 'u1' },
  unitPicksUpItem: pickUp,
  thisItemIsSelected: { ...select, by: 'i2', order: selectOrder },
  thisUnitSelectsItem: { ...select, by: 'u1' },
  unitSelectsItem: select,
  unitSelectsInventorySlot: { ...select, cause: (s) => selectSlot(s.game, one(s), 2), by: 'u1', tells: {} },
  thisItemChangesInventorySlot: {
    ...swap,
    by: 'i1',
    order: ['thisItemChangesInventorySlot', 'thisUnitMovesItemInInventory'],
  },
  thisUnitMovesItemInInventory: { ...swap, by: 'u1' },
  unitAttacksUnit: { ...attack, order: ['unitUsesItem', 'unitAttacksUnit', 'entityGetsAttacked'] },
  entityGetsAttacked: { ...attack, by: 'u2' },
  unitTouchesUnit: {
    cause: meet(units, units),
    times: 2,
    tells: { unit: 'u1' },
    order: ['unitTouchesUnit', 'entityTouchesUnit', 'unitTouchesUnit', 'entityTouchesUnit'],
    spare: meet(units, ghosts),
  },
  unitTouchesItem: {
    cause: meet(units, items),
    tells: { unit: 'u1', item: 'i1' },
    order: ['unitTouchesItem', 'entityTouchesItem', 'itemTouchesUnit', 'entityTouchesUnit'],
    spare: apart(units, items),
  },
  unitTouchesProjectile: {
    cause: meet(units, balls),
    tells: { unit: 'u1', projectile: 'b1', collidingEntity: 'u1' },
    order: ['unitTouchesProjectile', 'entityTouchesProjectile', 'projectileTouchesUnit', 'entityTouchesUnit'],
    spare: meet(ghosts, balls),
  },
  unitTouchesWall: {
    cause: atWall(units),
    tells: { unit: 'u1' },
    order: ['unitTouchesWall', 'entityTouchesWall'],
    spare: atWall(ghosts),
  },
  unitEntersRegion: {
    cause: inYard(units),
    tells: { unit: 'u1', region: 'r:yard' },
    order: ['entityEntersRegion', 'unitEntersRegion'],
    spare: offWall(units),
  },
  unitLeavesRegion: {
    ready: inYard(units),
    cause: (s) => s.move(one(s), 500, 500),
    tells: { unit: 'u1', region: 'r:yard' },
    order: ['entityLeavesRegion', 'unitLeavesRegion'],
    spare: (s) => s.move(one(s), 1100, 1060),
  },
  unitEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(units),
    by: 'u1',
    tells: { unit: 'u2', sensor: 's1' },
    spare: farFromSeer(units),
  },
  unitLeavesSensor: {
    ready: from(units, 720, 640, 'u2').ready,
    cause: from(units, 720, 640, 'u2').away,
    by: 'u1',
    tells: { unit: 'u2', sensor: 's1' },
    spare: from(units, 720, 640, 'u2').still,
  },
  itemTouchesUnit: { cause: meet(items, units), tells: { item: 'i1' }, spare: meet(items, ghosts) },
  itemTouchesItem: { cause: meet(items, items), times: 2, tells: { item: 'i1' }, spare: apart(items, items) },
  itemTouchesProjectile: {
    cause: meet(items, balls),
    tells: { item: 'i1', projectile: 'b1', collidingEntity: 'i1' },
    spare: apart(items, balls),
  },
  itemTouchesWall: { cause: atWall(items), tells: { item: 'i1' }, spare: offWall(items) },
  itemEntersRegion: {
    cause: inYard(items),
    tells: { item: 'i1', region: 'r:yard' },
    order: ['entityEntersRegion', 'itemEntersRegion'],
    spare: inYard(units),
  },
  itemLeavesRegion: {
    ready: inYard(items),
    cause: (s) => s.move(item(s), 500, 500),
    tells: { item: 'i1', region: 'r:yard' },
    order: ['entityLeavesRegion', 'itemLeavesRegion'],
    spare: (s) => s.move(item(s), 1100, 1060),
  },
  itemEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(items),
    by: 'u1',
    tells: { item: 'i1', sensor: 's1' },
    spare: farFromSeer(items),
  },
  itemLeavesSensor: {
    ready: from(items, 720, 640, 'i1').ready,
    cause: from(items, 720, 640, 'i1').away,
    by: 'u1',
    tells: { item: 'i1', sensor: 's1' },
    spare: from(items, 720, 640, 'i1').still,
  },
  projectileTouchesUnit: { cause: meet(balls, units), tells: { projectile: 'b1' }, spare: meet(balls, ghosts) },
  projectileTouchesItem: {
    cause: meet(balls, items),
    tells: { projectile: 'b1', item: 'i1' },
    spare: apart(balls, items),
  },
  projectileTouchesProjectile: {
    cause: meet(balls, balls),
    times: 2,
    tells: { projectile: 'b1', collidingEntity: 'b1' },
    spare: apart(balls, balls),
  },
  projectileTouchesWall: { cause: atWall(balls), tells: { projectile: 'b1' }, spare: offWall(balls) },
  projectileEntersRegion: {
    cause: inYard(balls),
    tells: { projectile: 'b1', region: 'r:yard' },
    order: ['entityEntersRegion', 'projectileEntersRegion'],
    spare: offWall(balls),
  },
  projectileLeavesRegion: {
    ready: inYard(balls),
    cause: (s) => s.move(s.entity('b1'), 500, 500),
    tells: { projectile: 'b1', region: 'r:yard' },
    order: ['entityLeavesRegion', 'projectileLeavesRegion'],
    spare: (s) => s.move(s.entity('b1'), 1100, 1060),
  },
  projectileEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(balls),
    by: 'u1',
    tells: { projectile: 'b1', sensor: 's1' },
    spare: farFromSeer(balls),
  },
  projectileLeavesSensor: {
    ready: from(balls, 720, 640, 'b1').ready,
    cause: from(balls, 720, 640, 'b1').away,
    by: 'u1',
    tells: { projectile: 'b1', sensor: 's1' },
    spare: from(balls, 720, 640, 'b1').still,
  },
  entityTouchesUnit: {
    cause: meet(items, units),
    by: 'i1',
    tells: { item: 'i1', unit: 'u1' },
    spare: meet(items, ghosts),
  },
  entityTouchesItem: {
    cause: meet(units, items),
    by: 'u1',
    tells: { unit: 'u1', item: 'i1' },
    spare: meet(ghosts, items),
  },
  entityTouchesProjectile: {
    cause: meet(units, balls),
    by: 'u1',
    tells: { unit: 'u1', projectile: 'b1', collidingEntity: 'u1' },
    spare: meet(ghosts, balls),
  },
  entityTouchesWall: {
    // The edge of the map counts as a wall, and tells the entity first.
    cause: (s) => {
      s.unit({ x: 300, y: 300 });
      s.ticks(2);
      s.hush();
      s.move(one(s), -50, 300);
    },
    by: 'u1',
    tells: {},
    order: ['entityTouchesWall', 'unitTouchesWall'],
    spare: (s) => {
      s.unit({ x: 300, y: 300 });
      s.ticks(2);
      s.move(one(s), 50, 300);
    },
  },
  entityEntersRegion: {
    cause: inYard(units),
    by: 'u1',
    tells: { unit: 'u1', region: 'r:yard' },
    spare: offWall(units),
  },
  entityLeavesRegion: {
    ready: inYard(units),
    cause: (s) => s.move(one(s), 500, 500),
    by: 'u1',
    tells: { unit: 'u1', region: 'r:yard' },
    spare: (s) => s.move(one(s), 1100, 1060),
  },
  entityCreated: {
    cause: (s) => void s.unit(),
    by: 'u1',
    tells: {},
    order: ['entityStateChanged', 'entityCreatedGlobal', 'entityCreated'],
    spare: (s) => void s.join('ann'),
  },
  entityCreatedGlobal: { cause: (s) => void s.unit(), tells: { entity: 'u1' }, spare: (s) => void s.join('ann') },
  initEntityDestroy: {
    ready: carrying('crate'),
    cause: (s) => destroyEntity(s.game, one(s)),
    by: 'i1',
    times: 2,
    tells: {},
    spare: (s) => {
      const gone = one(s);
      destroyEntity(s.game, gone);
      s.hush();
      destroyEntity(s.game, gone);
    },
  },
  entityStateChanged: {
    ready: alone,
    cause: (s) => setState(s.game, one(s), 'default'),
    by: 'u1',
    tells: {},
    spare: (s) => s.move(one(s), 700, 700),
  },
  unitStartsMoving: {
    ready: played,
    cause: (s) => s.send({ kind: 'keyDown', player: 'ann', key: 'd' }),
    by: 'u1',
    tells: { unit: 'u1' },
    spare: (s) => s.send({ kind: 'keyDown', player: 'ann', key: 'x' }),
  },
  unitStopsMoving: {
    ready: (s) => {
      played(s);
      s.send({ kind: 'keyDown', player: 'ann', key: 'd' });
    },
    cause: (s) => s.send({ kind: 'keyUp', player: 'ann', key: 'd' }),
    by: 'u1',
    tells: { unit: 'u1' },
    spare: (s) => s.send({ kind: 'keyDown', player: 'ann', key: 's' }),
  },
  entityAStarPathFindingFailed: {
    ready: enclosed,
    cause: (s) => moveTo(s.game, one(s), 160, 160),
    by: 'u1',
    tells: { unit: 'u1' },
    order: ['unitAStarPathFindingFailed', 'entityAStarPathFindingFailed'],
    spare: (s) => moveTo(s.game, one(s), 900, 900),
  },
  unitAStarPathFindingFailed: {
    ready: enclosed,
    cause: (s) => moveTo(s.game, one(s), 160, 160),
    tells: { unit: 'u1' },
    spare: (s) => {
      disableAi(s.game, one(s));
      s.ticks(2);
    },
  },
  unitTouchesDebris: {
    cause: (s) => {
      s.unit({ x: 1000, y: 220 });
      s.ticks(3);
    },
    tells: { unit: 'u1', debris: 'd1' },
    spare: (s) => {
      s.unit({ type: 'ghost', x: 1000, y: 220 });
      s.ticks(3);
    },
  },
  projectileTouchesDebris: {
    cause: (s) => {
      s.ball(1000, 220);
      s.ticks(3);
    },
    tells: { projectile: 'b1', debris: 'd1', collidingEntity: 'd1' },
    spare: (s) => {
      s.ball(900, 220);
      s.ticks(3);
    },
  },
  debrisEntersRegion: {
    cause: (s) => s.ticks(3),
    tells: { debris: 'd2', region: 'r:yard' },
    spare: (s) => {
      s.ticks(3);
      s.hush();
      s.move(s.only('debris', 1), 1090, 1090);
    },
  },
  whenUnitEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(units),
    tells: { unit: 'u2', sensor: 's1' },
    order: ['unitEntersSensor', 'whenUnitEntersSensor'],
    spare: (s) => s.move(one(s), 800, 800),
  },
  whenItemEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(items),
    tells: { unit: 'u1', sensor: 's1', item: 'i1' },
    order: ['itemEntersSensor', 'whenItemEntersSensor'],
    spare: nearSeer(balls),
  },
};

const emitted = triggerTypes.filter((type) => triggers[type].delivery !== 'never');

test('every trigger that a server can emit has its case', () => {
  expect(emitted.filter((type) => cases[type] === undefined)).toEqual([]);
});

function prepared({ ready, stage: make }: Case, keep: boolean): Stage {
  const s = (make ?? stage)();
  ready?.(s);
  if (!keep) s.hush();
  return s;
}

describe.each(Object.entries(cases) as [TriggerType, Case][])('%s', (type, each) => {
  test('fires, once per cause, and tells what it has to tell', () => {
    // What fires before the first tick has no cause that a test could add.
    const s = prepared(each, type === 'gameStart');
    each.cause(s);
    const fired = s.of(type);
    expect(fired[0]?.payload).toEqual(each.tells);
    expect(fired[0]?.entity).toBe(each.by);
    expect(fired).toHaveLength(each.times ?? 1);
    const { required, optional, scopes } = triggers[type];
    const told = Object.keys(fired[0]!.payload);
    for (const { scope } of fired) expect(scope === 'global' ? scopes : scopes.replace('g', '')).not.toBe('');
    expect(told.filter((key) => ![...required, ...optional].includes(key as never))).toEqual([]);
    for (const key of required) expect(told).toContain(key);
  });

  test('does not fire when it must not', () => {
    const s = prepared(each, false);
    each.spare(s);
    expect(s.of(type)).toEqual([]);
  });
});

const ordered = (Object.entries(cases) as [TriggerType, Case][]).filter(([, { order }]) => order !== undefined);

test.each(ordered)('%s has its place among the others', (_, each) => {
  const s = prepared(each, false);
  each.cause(s);
  const order = each.order!;
  const heard = s.announced.filter(({ type }) => order.includes(type)).map(({ type }) => type);
  expect(heard.slice(-order.length)).toEqual(order);
});

describe('the moment', () => {
  test.each(emitted.filter((type) => triggers[type].delivery === 'queued'))(
    '%s waits for its place in the tick',
    (type) => {
      const each = cases[type]!;
      const s = prepared(each, false);
      each.cause(s);
      const [fired] = s.of(type);
      // Nothing that waits is delivered between two ticks: the tick after the cause delivers it, and leaves nothing waiting.
      expect(fired?.tick).toBe(type === 'frameTick' ? 3 : s.sim.tick);
      expect(s.world.queue).toEqual([]);
    },
  );
});

test.each(['unitTouchesDebris', 'projectileTouchesDebris', 'debrisEntersRegion'] as const)(
  '%s needs debris, which the reference engines of 2024 do not make',
  (type) => {
    const s = without();
    cases[type]!.cause(s);
    expect(s.of(type)).toEqual([]);
  },
);

test('a unit is known to nobody before it is complete', () => {
  const s = stage();
  createUnit(s.game, { type: s.world.types.unit.get('unit')!, owner: s.player(1), x: 640, y: 640, angle: 0 });
  expect(s.announced.filter(({ entity, payload }) => entity === 'u1' || payload['entity'] === 'u1').at(-1)?.type).toBe(
    'entityCreated',
  );
});
