import { assert } from '../core/assert.ts';
import { constant, entity, f64, type Infer, partial, record, text } from '../schema/index.ts';

/**
 * Every trigger of the vocabulary, with its scopes, its delivery and its payload (reference: tick#queued-triggers). `direct`: scripts run inside the
 * rule that caused it, so that "this unit is about to be destroyed" still finds the unit. `queued`: it waits for its place in the tick. Scripts of
 * every living unit, item and projectile run first, newest first, then the global scripts. `never`: it needs a client.
 *
 * Scopes: g the global scripts, u i p the own scripts of a unit, item, projectile.
 */
export const triggers = {
  // Before the first tick, when the world is built; nothing else runs before it.
  gameStart: row('g', 'direct', []),
  // Queued after inputs and timers, `secondTick` when a whole second has passed, then `frameTick`; scripts of entities run before the step, those of
  // the world after it.
  secondTick: row('guip', 'queued', []),
  frameTick: row('guip', 'queued', []),
  renderTick: row('guip', 'never', []),
  // Once, in the last tick, inside whatever ends the game: units, items and projectiles, newest first, then the world.
  serverShuttingDown: row('guip', 'direct', []),
  // With the input that causes it, before timers; leaving also where a script removes the player, who still exists then.
  playerJoinsGame: row('g', 'direct', ['player']),
  playerLeavesGame: row('g', 'direct', ['player']),
  playerCustomInput: row('g', 'direct', ['player']),
  // Queued by the input: scripts of entities run before the step of the same tick, those of the world after it.
  playerSendsMessage: row('guip', 'queued', ['player']),
  playerSendsChatMessage: row('guip', 'queued', ['player']),
  // When the player leaves, before `playerLeavesGame`.
  playerGetsNewHighscore: row('g', 'direct', ['player']),
  // Inside the purchase.
  playerPurchasesUnit: row('g', 'direct', ['unit', 'player']),
  playerPurchasesItem: row('g', 'direct', ['item', 'player']),
  // With the input that causes it, before timers.
  htmlUiClick: row('g', 'direct', ['player']),
  whenDataReceivedFromClient: row('g', 'direct', ['player']),
  whenDataReceivedFromServer: row('g', 'never', []),
  whenPlayerClickTradeOption: row('g', 'direct', ['player', 'unit']),
  whenPlayerDropsItemToCanvas: row('g', 'direct', ['player', 'item']),
  adPlayCompleted: row('g', 'direct', ['player']),
  adPlaySkipped: row('g', 'direct', ['player']),
  adPlayBlocked: row('g', 'direct', ['player']),
  adPlayFailed: row('g', 'direct', ['player']),
  sendCoinsSuccess: row('g', 'direct', ['player']),
  coinSendFailureDueToInsufficientCoins: row('g', 'direct', ['player']),
  coinSendFailureDueToDailyLimit: row('g', 'direct', ['player']),
  // With the answer of the host, which is an input.
  onPostResponse: row('guip', 'direct', [], ['unit', 'item', 'projectile']),
  // Inside the action that changes the quest.
  questAdded: row('gu', 'direct', ['player', 'unit']),
  questRemoved: row('gu', 'direct', ['player', 'unit']),
  questCompleted: row('gu', 'direct', ['player', 'unit']),
  questProgressUpdated: row('g', 'direct', ['player']),
  questProgressCompleted: row('gu', 'direct', ['player', 'unit']),
  // Queued when the value has changed, after the entity's own scripts for `entityAttributeBecomes…` ran.
  unitAttributeBecomesZero: row('guip', 'queued', ['attribute', 'unit']),
  unitAttributeBecomesFull: row('guip', 'queued', ['attribute', 'unit']),
  itemAttributeBecomesZero: row('guip', 'queued', ['attribute', 'item']),
  itemAttributeBecomesFull: row('guip', 'queued', ['attribute', 'item']),
  projectileAttributeBecomesZero: row('guip', 'queued', ['attribute', 'projectile']),
  projectileAttributeBecomesFull: row('guip', 'queued', ['attribute', 'projectile']),
  playerAttributeBecomesZero: row('guip', 'queued', ['attribute', 'player']),
  playerAttributeBecomesFull: row('guip', 'queued', ['attribute', 'player']),
  // Inside whatever changes the value, after the change and before the queued triggers are added.
  entityAttributeBecomesZero: row('uip', 'direct', ['attribute'], ['unit', 'item', 'projectile']),
  entityAttributeBecomesFull: row('uip', 'direct', ['attribute'], ['unit', 'item', 'projectile']),
  // Inside the use, in the turn of the item: item, unit, world.
  itemIsUsed: row('i', 'direct', ['unit', 'item']),
  thisUnitUsesItem: row('u', 'direct', ['unit', 'item']),
  unitUsesItem: row('g', 'direct', ['unit', 'item']),
  // Inside the rule that starts or stops the use: item, unit, world.
  thisItemStartsBeingUsed: row('i', 'direct', ['unit', 'item']),
  thisUnitStartsUsingAnItem: row('u', 'direct', ['unit', 'item']),
  unitStartsUsingAnItem: row('g', 'direct', ['unit', 'item']),
  thisItemStopsBeingUsed: row('i', 'direct', ['unit', 'item']),
  thisUnitStopsUsingAnItem: row('u', 'direct', ['unit', 'item']),
  unitStopsUsingAnItem: row('g', 'direct', ['unit', 'item']),
  // Inside whatever takes the last one, before the item is removed.
  ThisItemsQuantityBecomesZero: row('i', 'direct', []),
  // Queued by the use of an item that shoots rays.
  raycastItemFired: row('guip', 'queued', ['unit', 'item']),
  // Inside the rule that drops or picks up, after the item has changed hands: item, unit, world.
  thisItemIsDropped: row('i', 'direct', ['unit', 'item']),
  thisUnitDroppedAnItem: row('u', 'direct', ['unit', 'item']),
  unitDroppedAnItem: row('g', 'direct', ['unit', 'item']),
  thisItemIsPickedUp: row('i', 'direct', ['unit', 'item']),
  thisUnitPicksUpItem: row('u', 'direct', ['unit', 'item']),
  unitPicksUpItem: row('g', 'direct', ['unit', 'item']),
  // Inside the rule that selects or moves, after slot and state have changed.
  thisItemIsSelected: row('i', 'direct', ['unit', 'item']),
  thisUnitSelectsItem: row('u', 'direct', ['unit', 'item']),
  unitSelectsItem: row('g', 'direct', ['unit', 'item']),
  unitSelectsInventorySlot: row('u', 'direct', []),
  thisItemChangesInventorySlot: row('i', 'direct', ['unit', 'item']),
  thisUnitMovesItemInInventory: row('u', 'direct', ['unit', 'item']),
  // Inside the blow, before the damage is done.
  unitAttacksUnit: row('g', 'direct', ['unit', 'item']),
  entityGetsAttacked: row('u', 'direct', ['unit', 'item']),
  // After the step, contact by contact in order of occurrence; destruction ends touches at the next step.
  unitTouchesUnit: row('g', 'direct', ['unit']),
  unitTouchesItem: row('g', 'direct', ['unit', 'item']),
  unitTouchesProjectile: row('g', 'direct', ['unit', 'projectile', 'collidingEntity']),
  unitTouchesWall: row('g', 'direct', ['unit']),
  unitEntersRegion: row('g', 'direct', ['unit', 'region']),
  unitLeavesRegion: row('g', 'direct', ['unit', 'region']),
  unitEntersSensor: row('u', 'direct', ['unit', 'sensor']),
  unitLeavesSensor: row('u', 'direct', ['unit', 'sensor']),
  itemTouchesUnit: row('g', 'direct', ['item']),
  itemTouchesItem: row('g', 'direct', ['item']),
  itemTouchesProjectile: row('g', 'direct', ['item', 'projectile', 'collidingEntity']),
  itemTouchesWall: row('g', 'direct', ['item']),
  itemEntersRegion: row('g', 'direct', ['item', 'region']),
  itemLeavesRegion: row('g', 'direct', ['item', 'region']),
  itemEntersSensor: row('u', 'direct', ['item', 'sensor']),
  itemLeavesSensor: row('u', 'direct', ['item', 'sensor']),
  projectileTouchesUnit: row('g', 'direct', ['projectile']),
  projectileTouchesItem: row('g', 'direct', ['projectile', 'item']),
  projectileTouchesProjectile: row('g', 'direct', ['projectile', 'collidingEntity']),
  projectileTouchesWall: row('g', 'direct', ['projectile']),
  projectileEntersRegion: row('g', 'direct', ['projectile', 'region']),
  projectileLeavesRegion: row('g', 'direct', ['projectile', 'region']),
  projectileEntersSensor: row('u', 'direct', ['projectile', 'sensor']),
  projectileLeavesSensor: row('u', 'direct', ['projectile', 'sensor']),
  // After the step, with the same contact as the triggers above: after the world for touches, before it for regions.
  entityTouchesUnit: row('uip', 'direct', ['unit'], ['item', 'projectile']),
  entityTouchesItem: row('uip', 'direct', ['item'], ['unit', 'projectile']),
  entityTouchesProjectile: row('uip', 'direct', ['projectile', 'collidingEntity'], ['unit', 'item']),
  entityTouchesWall: row('uip', 'direct', []),
  entityEntersRegion: row('uip', 'direct', ['region'], ['unit', 'item', 'projectile']),
  entityLeavesRegion: row('uip', 'direct', ['region'], ['unit', 'item', 'projectile']),
  // Inside the creation, when the entity is complete: the world, then its own scripts.
  entityCreated: row('uip', 'direct', []),
  entityCreatedGlobal: row('g', 'direct', ['entity']),
  // Inside the destruction, while the entity still resolves.
  initEntityDestroy: row('uip', 'direct', []),
  // Inside the change of state, before the body is rebuilt.
  entityStateChanged: row('uip', 'direct', []),
  // In the turn of the unit, after its abilities and before its buffs end; of a unit that AI moves, inside what its AI decides.
  unitStartsMoving: row('u', 'direct', ['unit']),
  unitStopsMoving: row('u', 'direct', ['unit']),
  // Inside the search for a way.
  entityAStarPathFindingFailed: row('u', 'direct', ['unit']),
  unitAStarPathFindingFailed: row('g', 'direct', ['unit']),
  // After the step, as other contacts; only in the dialect with debris.
  unitTouchesDebris: row('g', 'direct', ['unit', 'debris']),
  projectileTouchesDebris: row('g', 'direct', ['projectile', 'debris', 'collidingEntity']),
  debrisEntersRegion: row('g', 'direct', ['debris', 'region']),
  // After the step, right after the triggers of the unit that owns the sensor.
  whenUnitEntersSensor: row('g', 'direct', ['unit', 'sensor']),
  whenItemEntersSensor: row('g', 'direct', ['unit', 'sensor', 'item']),
} as const;

/** Older names of triggers; a script that lists both runs once. */
export const triggerAliases: Readonly<Record<string, TriggerType>> = {
  unitPickedAnItem: 'unitPicksUpItem',
  thisUnitPickedUpAnItem: 'thisUnitPicksUpItem',
};

export type TriggerType = keyof typeof triggers;
export type Delivery = 'direct' | 'queued' | 'never';

/** An attribute in a payload: a copy from before the change (reference: control-flow#attribute-updates). */
export const attributePayload = constant(
  record({
    /** The attribute's key. */
    type: text(),
    name: text(),
    value: f64(),
    min: f64(),
    max: f64(),
  }),
);
export type AttributePayload = Infer<typeof attributePayload>;

/** All members of payloads. Which members a trigger carries is in its row. */
const payloadMembers = record({
  unit: entity(),
  item: entity(),
  projectile: entity(),
  player: entity(),
  region: entity(),
  sensor: entity(),
  debris: entity(),
  entity: entity(),
  collidingEntity: entity(),
  attribute: attributePayload,
});
export type PayloadMembers = Infer<typeof payloadMembers>;
export type PayloadKey = keyof PayloadMembers;

/** A payload as the receiving script sees it. */
export const payload = constant(partial(payloadMembers));
export type Payload = Infer<typeof payload>;

type KeysOf<R> = R extends TriggerRow<infer Required, infer _Optional> ? Required : never;
type OptionalKeysOf<R> = R extends TriggerRow<infer _Required, infer Optional> ? Optional : never;
/** The payload that the rule which fires the trigger gives. */
export type PayloadOf<T extends TriggerType> = Readonly<
  Pick<PayloadMembers, KeysOf<(typeof triggers)[T]>> &
    Partial<Pick<PayloadMembers, OptionalKeysOf<(typeof triggers)[T]>>>
>;

export interface TriggerRow<Required extends PayloadKey, Optional extends PayloadKey> {
  readonly scopes: string;
  readonly delivery: Delivery;
  readonly required: readonly Required[];
  readonly optional: readonly Optional[];
}

function row<Required extends PayloadKey = never, Optional extends PayloadKey = never>(
  scopes: string,
  delivery: Delivery,
  required: readonly Required[],
  optional: readonly Optional[] = [],
): TriggerRow<Required, Optional> {
  return { scopes, delivery, required, optional };
}

export const triggerTypes = Object.keys(triggers) as TriggerType[];
const indices = new Map<string, number>(triggerTypes.map((type, index) => [type, index]));

/** By number: a bit for each queued trigger, 0 for the others, so that a number can hold a set of them. */
export const queuedBits: Readonly<Int32Array> = bitsOfQueued();

function bitsOfQueued(): Int32Array {
  const bits = new Int32Array(triggerTypes.length);
  let count = 0;
  triggerTypes.forEach((type, index) => {
    if (triggers[type].delivery === 'queued') bits[index] = 1 << count++;
  });
  assert(count <= 31, 'A number holds a set of queued triggers.');
  return bits;
}

/** The number of a trigger in per-trigger tables; -1 for a name that is no trigger. Aliases resolve. */
export function triggerIndex(type: string): number {
  return indices.get(triggerAliases[type] ?? type) ?? -1;
}
