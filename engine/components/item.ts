import { component } from '../ecs/component.ts';
import { constant, entity, f64, flag, type Infer, list, oneOf, optional, record, text } from '../schema/index.ts';
import { point } from './point.ts';

/** What an item still has to do when a delay is over. */
export const delayedUse = constant(
  record({
    /** `effect`: everything after the triggers of a use. `strike`: only the blow of a melee weapon. `reload`: its ammunition is back. */
    part: oneOf(['effect', 'strike', 'reload']),
    dueMs: f64(),
  }),
);
export type DelayedUse = Infer<typeof delayedUse>;
/** One buff of the catalogue that an item has (specification, Buff type). */
export const rolledBuff = constant(record({ name: text(), value: f64() }));
export type RolledBuff = Infer<typeof rolledBuff>;
export const itemState = record({
  name: text(),
  description: text(),
  /** Where the item is held relative to its carrier's centre, as of the last tick (px). */
  anchor: point,
  /** How it lies when it is dropped, radians: as it was held at the last tick, the turn of the unit's anchor included. */
  dropAngle: f64(),
  /** Whether it turns to where its carrier aims. */
  aims: flag(),
  /** Whether its carrier has its passive bonuses now. */
  bonusGiven: flag(),
  /** The player who has its passive bonuses for players; 0 for none. */
  bonusPlayer: entity('player'),
  /** In the order they fall due; empty unless the type has delays. */
  delayed: list(delayedUse),
  /** What the item rolled of the buffs that its type lists; of `boolean` ones the value is 1. */
  rolled: list(rolledBuff),
  /** Shown by clients only; undefined until a script sets it. */
  inventoryImage: optional(text()),
  slotColor: optional(text()),
});
export type ItemState = Infer<typeof itemState>;

export const Item = component('item', itemState);
