import type { Entity } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { PayloadOf, TriggerType } from '../../world/triggers.ts';
import type { Game } from '../game.ts';

/** The triggers whose payload can be a unit and its item. */
type ItemTrigger = {
  [T in TriggerType]: ReturnType<typeof payloadOf.unitAndItem> extends PayloadOf<T> ? T : never;
}[TriggerType];

/**
 * Fires up to three triggers about an item and its unit: first the trigger of the item, then that of the unit, then the
 * global one. A trigger is skipped if it is undefined, or if scripts have meanwhile destroyed the item or unit on which
 * it fires.
 */
export function fireForItem(
  { world }: Game,
  item: Entity,
  unit: Entity,
  ofItem: ItemTrigger | undefined,
  ofUnit: ItemTrigger,
  ofGame?: ItemTrigger,
): void {
  const { triggers } = world;
  if (ofItem !== undefined && world.exists(item)) triggers.fireEntity(ofItem, item, payloadOf.unitAndItem, unit, item);
  if (world.exists(unit)) triggers.fireEntity(ofUnit, unit, payloadOf.unitAndItem, unit, item);
  if (ofGame !== undefined) triggers.fireGlobal(ofGame, payloadOf.unitAndItem, unit, item);
}
