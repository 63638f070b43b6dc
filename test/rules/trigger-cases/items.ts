import type { TriggerType } from '../../../engine/index.ts';
import { selectSlot } from '../../../engine/rules/items/inventory.ts';
import { startUsing } from '../../../engine/rules/items/use.ts';
import { setQuantity } from '../../../engine/rules/items/use-attempt.ts';
import {
  type Case,
  carrying,
  drop,
  dropOrder,
  item,
  one,
  pickUp,
  pickUpOrder,
  select,
  selectOrder,
  start,
  stop,
  swap,
  use,
  useOnce,
  useOrder,
  uses,
} from './case.ts';

/** Items: used, dropped, picked up, selected, moved. */
export const itemsCases: Partial<Record<TriggerType, Case>> = {
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
    payload: {},
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
    payload: uses,
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
  unitSelectsInventorySlot: { ...select, cause: (s) => selectSlot(s.game, one(s), 2), by: 'u1', payload: {} },
  thisItemChangesInventorySlot: {
    ...swap,
    by: 'i1',
    order: ['thisItemChangesInventorySlot', 'thisUnitMovesItemInInventory'],
  },
  thisUnitMovesItemInInventory: { ...swap, by: 'u1' },
};
