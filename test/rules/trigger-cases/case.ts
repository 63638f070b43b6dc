import { expect } from 'vitest';
import type { TriggerType } from '../../../engine/index.ts';
import { enableAi } from '../../../engine/rules/ai/ai-switch.ts';
import { updateAttribute } from '../../../engine/rules/entities/attribute.ts';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { dropItem, selectSlot, swapSlots } from '../../../engine/rules/items/inventory.ts';
import { pickUpItem } from '../../../engine/rules/items/pick-up.ts';
import { startUsing, stopUsing } from '../../../engine/rules/items/use.ts';
import { setQuantity } from '../../../engine/rules/items/use-attempt.ts';
import { assignPlayerType } from '../../../engine/rules/players/player.ts';
import { addQuest } from '../../../engine/rules/players/quest.ts';
import { openShop } from '../../../engine/rules/players/shop.ts';
import type { Entity } from '../../../engine/world/entity.ts';
import { type FullGame, fullGame } from '../../support/full-game.ts';

type Json = Record<string, unknown>;

/** The cause of a trigger, its payload, and a similar event that does not fire it. */
export interface Case {
  readonly cause: (s: FullGame) => void;
  /** The payload of the first trigger; entities by id. */
  readonly payload: Json;
  /** The entity whose scripts run first; undefined for the world's scripts. */
  readonly by?: string;
  /** How often it fires; once unless said otherwise. */
  readonly times?: number;
  /** Triggers of the cause in the order in which they fire; others are ignored. */
  readonly order?: readonly TriggerType[];
  readonly spare: (s: FullGame) => void;
  /** Prepares both; triggers that it fires are ignored. */
  readonly ready?: (s: FullGame) => void;
  /** The game, with a test's additions to its definition. */
  readonly fullGame?: (more?: Json) => FullGame;
}

// The entities of a case: `u1`, unless a case creates no unit. `ready` creates them, so that ids are equal in `cause`
// and `spare`.

export const one = (s: FullGame): Entity => s.entity('u1');
export const item = (s: FullGame): Entity => s.entity('i1');

export function alone(s: FullGame): void {
  s.unit({ x: 640, y: 640 });
  s.ticks(2);
}

/** Ann, human, owns and steers `u1`. */
export function played(s: FullGame): void {
  const ann = s.join('ann');
  assignPlayerType(s.game, ann, 'human');
  s.unit({ owner: ann });
  s.ticks(2);
}

export function carrying(type: string, quantity?: number) {
  return (s: FullGame): void => {
    alone(s);
    s.give(one(s), type, quantity);
    s.ticks(1);
  };
}

export function lying(type: string) {
  return (s: FullGame): void => {
    alone(s);
    s.item(type);
    s.ticks(2);
  };
}

export const attribute = (type: string, value: number) => expect.objectContaining({ type, value });
export const set = (id: string, key: string, value: number) => (s: FullGame) => {
  updateAttribute(s.game, s.entity(id), key, value);
  s.ticks(1);
};

/** Two entities created in one place touch once they have bodies. */
export type Maker = (s: FullGame, x: number, y: number) => void;
export const units: Maker = (s, x, y) => void s.unit({ x, y });
export const ghosts: Maker = (s, x, y) => void s.unit({ type: 'ghost', x, y });
export const items: Maker = (s, x, y) => void s.item('crate', { x, y });
export const balls: Maker = (s, x, y) => void s.ball(x, y);

export const meet = (first: Maker, second: Maker) => (s: FullGame) => {
  first(s, 500, 500);
  second(s, 510, 500);
  s.ticks(3);
};
export const apart = (first: Maker, second: Maker) => (s: FullGame) => {
  first(s, 300, 900);
  second(s, 500, 900);
  s.ticks(3);
};
/** One entity at a place, once it has a body. */
export const at = (what: Maker, x: number, y: number) => (s: FullGame) => {
  what(s, x, y);
  s.ticks(3);
};
export const atWall = (what: Maker) => at(what, 160, 160);
export const offWall = (what: Maker) => at(what, 400, 400);
export const inYard = (what: Maker) => at(what, 1100, 1040);
export const seerAt640 = (s: FullGame): void => {
  s.unit({ type: 'seer' });
  s.ticks(3);
};
export const nearSeer = (what: Maker) => at(what, 720, 640);
export const farFromSeer = (what: Maker) => at(what, 900, 640);
export const from = (what: Maker, x: number, y: number, id: string) => ({
  ready: (s: FullGame) => {
    seerAt640(s);
    what(s, x, y);
    s.ticks(3);
  },
  away: (s: FullGame) => s.move(s.entity(id), 300, 900),
  still: (s: FullGame) => s.move(s.entity(id), x - 10, y),
});
export const enemies = (s: FullGame): void => {
  s.unit({ x: 640, y: 640 });
  s.give(one(s), 'blade');
  s.unit({ owner: s.player(2, 'foe'), x: 690, y: 640 });
  s.unit({ owner: s.player(1), x: 590, y: 640 });
  s.ticks(2);
  destroyEntity(s.game, s.entity('u3'));
  s.ticks(2);
};
export const strike = (s: FullGame): void => {
  startUsing(s.game, item(s));
  s.ticks(1);
};
export const strikeFriends = (s: FullGame): void => {
  destroyEntity(s.game, s.entity('u2'));
  s.unit({ owner: s.player(1), x: 690, y: 640 });
  s.ticks(2);
  strike(s);
};
export const useOnce = (s: FullGame): void => {
  startUsing(s.game, item(s));
  s.ticks(1);
  stopUsing(s.game, item(s));
};
export const useEmpty = (s: FullGame): void => {
  setQuantity(s.game, item(s), 0);
  useOnce(s);
};
export const questOf = (s: FullGame): Entity => s.entity('ann');
export const addWolves = (s: FullGame): void => {
  addQuest(s.game, questOf(s), 'wolves', { name: 'Wolves', description: '', goal: 3 });
};
export const withQuest = (s: FullGame): void => {
  played(s);
  addWolves(s);
};
export const request = { variable: undefined, onSuccess: -1, onFailure: -1, state: undefined };
export const shopping = (s: FullGame): void => {
  played(s);
  openShop(s.game, questOf(s), 'market');
};
export const leaveWith = (gold: number) => (s: FullGame) => {
  updateAttribute(s.game, questOf(s), 'gold', gold);
  s.send({ kind: 'leave', player: 'ann' });
};
export const champion = (s: FullGame): void => {
  const ann = s.join('ann', { account: { highscore: 40 } });
  assignPlayerType(s.game, ann, 'human');
};
export const enclosed = (s: FullGame): void => {
  const ann = s.player(1);
  s.unit({ type: 'seer', owner: ann, x: 640, y: 640 });
  s.ticks(2);
  enableAi(s.game, one(s));
};
export const inputs = (result: 'Completed' | 'Skipped' | 'Blocked' | 'Failed') => (s: FullGame) =>
  s.send({ kind: 'adResult', player: 'ann', result });
export const coins = (result: 'success' | 'insufficientCoins' | 'dailyLimit') => (s: FullGame) =>
  s.send({ kind: 'coinsResult', player: 'ann', result });
export const without = () => fullGame({ dialect: 'moddio' });

export const uses = { unit: 'u1', item: 'i1' };
export const use = { ready: carrying('potion'), cause: useOnce, spare: useEmpty, payload: uses };
export const useOrder: readonly TriggerType[] = [
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
export const start = {
  ready: carrying('gun'),
  cause: (s: FullGame) => startUsing(s.game, item(s)),
  spare: (s: FullGame) => {
    startUsing(s.game, item(s));
    s.hush();
    startUsing(s.game, item(s));
  },
  payload: uses,
};
export const stop = {
  ready: (s: FullGame) => {
    carrying('gun')(s);
    startUsing(s.game, item(s));
    s.ticks(1);
  },
  cause: (s: FullGame) => stopUsing(s.game, item(s)),
  spare: (s: FullGame) => {
    stopUsing(s.game, item(s));
    s.hush();
    stopUsing(s.game, item(s));
  },
  payload: uses,
};
export const drop = {
  ready: (s: FullGame) => {
    carrying('crate')(s);
    s.give(one(s), 'anvil');
  },
  cause: (s: FullGame) => void dropItem(s.game, item(s)),
  spare: (s: FullGame) => void dropItem(s.game, s.entity('i2')),
  payload: uses,
};
export const dropOrder: readonly TriggerType[] = ['thisItemIsDropped', 'thisUnitDroppedAnItem', 'unitDroppedAnItem'];
export const pickUp = {
  ready: (s: FullGame) => {
    lying('crate')(s);
    s.item('relic');
  },
  cause: (s: FullGame) => void pickUpItem(s.game, one(s), item(s)),
  spare: (s: FullGame) => void pickUpItem(s.game, one(s), s.entity('i2')),
  payload: uses,
};
export const pickUpOrder: readonly TriggerType[] = [
  'thisItemChangesInventorySlot',
  'thisUnitMovesItemInInventory',
  'thisItemIsPickedUp',
  'thisUnitPicksUpItem',
  'unitPicksUpItem',
];
export const select = {
  ready: (s: FullGame) => {
    carrying('crate')(s);
    s.give(one(s), 'gun');
  },
  cause: (s: FullGame) => selectSlot(s.game, one(s), 1),
  spare: (s: FullGame) => selectSlot(s.game, one(s), 0),
  payload: { unit: 'u1', item: 'i2' },
};
export const selectOrder: readonly TriggerType[] = [
  'thisItemIsSelected',
  'thisUnitSelectsItem',
  'unitSelectsItem',
  'unitSelectsInventorySlot',
];
export const swap = {
  ready: carrying('crate'),
  cause: (s: FullGame) => void swapSlots(s.game, one(s), 0, 1),
  spare: (s: FullGame) => void swapSlots(s.game, one(s), 0, 99),
  payload: uses,
};
export const attack = { ready: enemies, cause: strike, spare: strikeFriends, payload: uses };
