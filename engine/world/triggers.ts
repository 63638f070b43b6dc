import { type Host, kindOf } from '../definition/host.ts';
import { constant, entity, type FieldType, f64, type Infer, json, partial, record, text } from '../schema/index.ts';

/**
 * Every trigger of the language: when it fires, its scopes, its delivery and its payload (reference:
 * tick#queued-triggers).
 *
 * Delivery: `direct` triggers run scripts inside the rule that fires them, so that "this unit is about to be destroyed"
 * still finds the unit. `queued` triggers wait for a fixed point of the tick: the scripts of all living units, items
 * and projectiles run first, newest entity first, then the global scripts. `never`: the trigger fires only in clients.
 *
 * Scopes: `g` for global scripts; `u`, `i`, `p` for a unit's, item's or projectile's own scripts.
 *
 * The comments below say at what point of the tick the triggers fire, and in which order.
 */
export const triggers = {
  // Fires before the first tick, once the world is built; no other trigger runs scripts before it.
  gameStart: row('The game starts. Fires once, before anything else.', 'g', 'direct', []),
  // Queued after inputs and timers: first `secondTick`, if a whole second has passed, then `frameTick`. Entity scripts
  // run before the physics step, global ones after it.
  secondTick: row('Every second of simulated time.', 'guip', 'queued', []),
  frameTick: row('Every tick. Keep these scripts short, because they run many times per second.', 'guip', 'queued', []),
  renderTick: row('A client renders a frame.', 'guip', 'never', []),
  // Fires once, in the last tick, while the game is being ended: first for units, items and projectiles, newest first,
  // then for the global scripts.
  serverShuttingDown: row('The server is about to shut down.', 'guip', 'direct', []),
  // Fires while the input that causes it is applied, before timers. `playerLeavesGame` also fires when a script removes
  // a player, before the removal.
  playerJoinsGame: row('A player has joined.', 'g', 'direct', ['player']),
  playerLeavesGame: row('A player is about to leave. The player and its units still exist.', 'g', 'direct', ['player']),
  playerCustomInput: row('A player has answered an input dialog.', 'g', 'direct', ['player']),
  // Queued by the input: entity scripts run before the physics step of the same tick, global ones after it.
  playerSendsMessage: row('A player has sent a chat message.', 'guip', 'queued', ['player']),
  playerSendsChatMessage: row('A player has sent a chat message.', 'guip', 'queued', ['player']),
  // Fires when the player leaves, before `playerLeavesGame`.
  playerGetsNewHighscore: row('A leaving player has a new high score.', 'g', 'direct', ['player']),
  // Fires during the purchase.
  playerPurchasesUnit: row('A player has bought a unit.', 'g', 'direct', ['unit', 'player']),
  playerPurchasesItem: row('A player has bought an item.', 'g', 'direct', ['item', 'player']),
  // Fires while the input that causes it is applied, before timers.
  htmlUiClick: row('A player has clicked an HTML element of the game.', 'g', 'direct', ['player']),
  whenDataReceivedFromClient: row('The client of a player has sent data.', 'g', 'direct', ['player']),
  whenDataReceivedFromServer: row('A client has received data from the server.', 'g', 'never', []),
  whenPlayerClickTradeOption: row("A player has chosen to trade with a unit's owner.", 'g', 'direct', [
    'player',
    'unit',
  ]),
  whenPlayerDropsItemToCanvas: row('A player has dragged an item from the inventory onto the map.', 'g', 'direct', [
    'player',
    'item',
  ]),
  adPlayCompleted: row('A player has watched an advertisement to the end.', 'g', 'direct', ['player']),
  adPlaySkipped: row('A player has skipped an advertisement.', 'g', 'direct', ['player']),
  adPlayBlocked: row('An ad blocker has blocked an advertisement.', 'g', 'direct', ['player']),
  adPlayFailed: row('An advertisement could not be shown.', 'g', 'direct', ['player']),
  sendCoinsSuccess: row('Coins were sent to a player.', 'g', 'direct', ['player']),
  coinSendFailureDueToInsufficientCoins: row(
    'Coins were not sent to a player, because there are not enough.',
    'g',
    'direct',
    ['player'],
  ),
  coinSendFailureDueToDailyLimit: row('Coins were not sent to a player, because of the daily limit.', 'g', 'direct', [
    'player',
  ]),
  // Fires when the host's answer, which is an input, is applied.
  onPostResponse: row(
    'The response to a web request has arrived.',
    'guip',
    'direct',
    [],
    ['unit', 'item', 'projectile'],
  ),
  // Fires during the action that changes the quest.
  questAdded: row('A player has received a quest.', 'gu', 'direct', ['player', 'unit']),
  questRemoved: row('A quest was removed from a player.', 'gu', 'direct', ['player', 'unit']),
  questCompleted: row('A player has completed a quest.', 'gu', 'direct', ['player', 'unit']),
  questProgressUpdated: row('The progress of a quest has changed.', 'g', 'direct', ['player']),
  questProgressCompleted: row('The progress of a quest has reached its goal.', 'gu', 'direct', ['player', 'unit']),
  // Queued after the value has changed and the entity's own scripts for `entityAttributeBecomes…` have run.
  unitAttributeBecomesZero: row('An attribute of a unit has reached 0.', 'guip', 'queued', ['attribute', 'unit']),
  unitAttributeBecomesFull: row('An attribute of a unit has reached its maximum.', 'guip', 'queued', [
    'attribute',
    'unit',
  ]),
  itemAttributeBecomesZero: row('An attribute of an item has reached 0.', 'guip', 'queued', ['attribute', 'item']),
  itemAttributeBecomesFull: row('An attribute of an item has reached its maximum.', 'guip', 'queued', [
    'attribute',
    'item',
  ]),
  projectileAttributeBecomesZero: row('An attribute of a projectile has reached 0.', 'guip', 'queued', [
    'attribute',
    'projectile',
  ]),
  projectileAttributeBecomesFull: row('An attribute of a projectile has reached its maximum.', 'guip', 'queued', [
    'attribute',
    'projectile',
  ]),
  playerAttributeBecomesZero: row('An attribute of a player has reached 0.', 'guip', 'queued', ['attribute', 'player']),
  playerAttributeBecomesFull: row('An attribute of a player has reached its maximum.', 'guip', 'queued', [
    'attribute',
    'player',
  ]),
  // Fires right after the value has changed, before the queued triggers above.
  entityAttributeBecomesZero: row(
    'An attribute of this entity has reached 0.',
    'uip',
    'direct',
    ['attribute'],
    ['unit', 'item', 'projectile'],
  ),
  entityAttributeBecomesFull: row(
    'An attribute of this entity has reached its maximum.',
    'uip',
    'direct',
    ['attribute'],
    ['unit', 'item', 'projectile'],
  ),
  // Fires during the item's turn, before the effect of the use. First the item's scripts, then the unit's, then global
  // ones.
  itemIsUsed: row('This item is used.', 'i', 'direct', ['unit', 'item']),
  thisUnitUsesItem: row('This unit uses an item.', 'u', 'direct', ['unit', 'item']),
  unitUsesItem: row('A unit uses an item.', 'g', 'direct', ['unit', 'item']),
  // Fires when the use starts or stops. First the item's scripts, then the unit's, then global ones.
  thisItemStartsBeingUsed: row('This item starts being used.', 'i', 'direct', ['unit', 'item']),
  thisUnitStartsUsingAnItem: row('This unit starts using an item.', 'u', 'direct', ['unit', 'item']),
  unitStartsUsingAnItem: row('A unit starts using an item.', 'g', 'direct', ['unit', 'item']),
  thisItemStopsBeingUsed: row('This item stops being used.', 'i', 'direct', ['unit', 'item']),
  thisUnitStopsUsingAnItem: row('This unit stops using an item.', 'u', 'direct', ['unit', 'item']),
  unitStopsUsingAnItem: row('A unit stops using an item.', 'g', 'direct', ['unit', 'item']),
  // Fires when the quantity has become zero, before the item is removed.
  ThisItemsQuantityBecomesZero: row('The quantity of this item has reached 0.', 'i', 'direct', []),
  // Queued by the use of an item that shoots rays.
  raycastItemFired: row('An item has fired a ray.', 'guip', 'queued', ['unit', 'item']),
  // Fires when the item has been dropped or picked up. First the item's scripts, then the unit's, then global ones.
  thisItemIsDropped: row('This item is dropped.', 'i', 'direct', ['unit', 'item']),
  thisUnitDroppedAnItem: row('This unit has dropped an item.', 'u', 'direct', ['unit', 'item']),
  unitDroppedAnItem: row('A unit has dropped an item.', 'g', 'direct', ['unit', 'item']),
  thisItemIsPickedUp: row('This item is picked up.', 'i', 'direct', ['unit', 'item']),
  thisUnitPicksUpItem: row('This unit picks up an item.', 'u', 'direct', ['unit', 'item']),
  unitPicksUpItem: row('A unit picks up an item.', 'g', 'direct', ['unit', 'item']),
  // Fires when the item has been selected or moved, after its slot and state have changed.
  thisItemIsSelected: row('This item is selected, so that its unit holds it.', 'i', 'direct', ['unit', 'item']),
  thisUnitSelectsItem: row('This unit selects an item, so that it holds it.', 'u', 'direct', ['unit', 'item']),
  unitSelectsItem: row('A unit selects an item, so that it holds it.', 'g', 'direct', ['unit', 'item']),
  unitSelectsInventorySlot: row('This unit selects an inventory slot, even an empty one.', 'u', 'direct', []),
  thisItemChangesInventorySlot: row('This item moves to another inventory slot.', 'i', 'direct', ['unit', 'item']),
  thisUnitMovesItemInInventory: row('This unit moves an item to another inventory slot.', 'u', 'direct', [
    'unit',
    'item',
  ]),
  // Fires during the attack, before the damage is dealt.
  unitAttacksUnit: row('A unit attacks another unit, which is about to be damaged.', 'g', 'direct', ['unit', 'item']),
  entityGetsAttacked: row('Another unit attacks this one, which is about to be damaged.', 'u', 'direct', [
    'unit',
    'item',
  ]),
  // Fires after the physics step, in the order of the contacts. Contacts of a destroyed entity end in the next step.
  unitTouchesUnit: row('A unit begins to touch another one.', 'g', 'direct', ['unit']),
  unitTouchesItem: row('A unit begins to touch an item.', 'g', 'direct', ['unit', 'item']),
  unitTouchesProjectile: row('A unit begins to touch a projectile.', 'g', 'direct', [
    'unit',
    'projectile',
    'collidingEntity',
  ]),
  unitTouchesWall: row('A unit begins to touch a wall.', 'g', 'direct', ['unit']),
  unitEntersRegion: row('A unit enters a region.', 'g', 'direct', ['unit', 'region']),
  unitLeavesRegion: row('A unit leaves a region.', 'g', 'direct', ['unit', 'region']),
  unitEntersSensor: row('A unit enters the sensor of this unit.', 'u', 'direct', ['unit', 'sensor']),
  unitLeavesSensor: row('A unit leaves the sensor of this unit.', 'u', 'direct', ['unit', 'sensor']),
  itemTouchesUnit: row('An item begins to touch a unit.', 'g', 'direct', ['item']),
  itemTouchesItem: row('An item begins to touch another one.', 'g', 'direct', ['item']),
  itemTouchesProjectile: row('An item begins to touch a projectile.', 'g', 'direct', [
    'item',
    'projectile',
    'collidingEntity',
  ]),
  itemTouchesWall: row('An item begins to touch a wall.', 'g', 'direct', ['item']),
  itemEntersRegion: row('An item enters a region.', 'g', 'direct', ['item', 'region']),
  itemLeavesRegion: row('An item leaves a region.', 'g', 'direct', ['item', 'region']),
  itemEntersSensor: row('An item enters the sensor of this unit.', 'u', 'direct', ['item', 'sensor']),
  itemLeavesSensor: row('An item leaves the sensor of this unit.', 'u', 'direct', ['item', 'sensor']),
  projectileTouchesUnit: row('A projectile begins to touch a unit.', 'g', 'direct', ['projectile']),
  projectileTouchesItem: row('A projectile begins to touch an item.', 'g', 'direct', ['projectile', 'item']),
  projectileTouchesProjectile: row('A projectile begins to touch another one.', 'g', 'direct', [
    'projectile',
    'collidingEntity',
  ]),
  projectileTouchesWall: row('A projectile begins to touch a wall.', 'g', 'direct', ['projectile']),
  projectileEntersRegion: row('A projectile enters a region.', 'g', 'direct', ['projectile', 'region']),
  projectileLeavesRegion: row('A projectile leaves a region.', 'g', 'direct', ['projectile', 'region']),
  projectileEntersSensor: row('A projectile enters the sensor of this unit.', 'u', 'direct', ['projectile', 'sensor']),
  projectileLeavesSensor: row('A projectile leaves the sensor of this unit.', 'u', 'direct', ['projectile', 'sensor']),
  // Fires after the physics step, for the same contact as the triggers above: after the global scripts for touches,
  // before them for regions.
  entityTouchesUnit: row('This entity begins to touch a unit.', 'uip', 'direct', ['unit'], ['item', 'projectile']),
  entityTouchesItem: row('This entity begins to touch an item.', 'uip', 'direct', ['item'], ['unit', 'projectile']),
  entityTouchesProjectile: row(
    'This entity begins to touch a projectile.',
    'uip',
    'direct',
    ['projectile', 'collidingEntity'],
    ['unit', 'item'],
  ),
  entityTouchesWall: row('This entity begins to touch a wall.', 'uip', 'direct', []),
  entityEntersRegion: row('This entity enters a region.', 'uip', 'direct', ['region'], ['unit', 'item', 'projectile']),
  entityLeavesRegion: row('This entity leaves a region.', 'uip', 'direct', ['region'], ['unit', 'item', 'projectile']),
  // Fires during the creation, when the entity is complete: global scripts first, then the entity's own.
  entityCreated: row('This entity has been created.', 'uip', 'direct', []),
  entityCreatedGlobal: row('An entity has been created.', 'g', 'direct', ['entity']),
  // Fires during the destruction, while the entity still exists for scripts.
  initEntityDestroy: row('This entity is about to be destroyed. It still exists.', 'uip', 'direct', []),
  // Fires during the change of state, before the body is rebuilt.
  entityStateChanged: row('This entity has changed its state.', 'uip', 'direct', []),
  // Fires during the unit's turn, after its abilities and before its status effects expire; for a unit moved by AI,
  // when the AI decides.
  unitStartsMoving: row('This unit starts moving.', 'u', 'direct', ['unit']),
  unitStopsMoving: row('This unit stops moving.', 'u', 'direct', ['unit']),
  // Fires during the search for a path.
  entityAStarPathFindingFailed: row('The AI of this unit did not find a path.', 'u', 'direct', ['unit']),
  unitAStarPathFindingFailed: row('The AI of a unit did not find a path.', 'g', 'direct', ['unit']),
  // Fires after the physics step, like other contacts; only in dialects with debris.
  unitTouchesDebris: row('A unit begins to touch debris.', 'g', 'direct', ['unit', 'debris']),
  projectileTouchesDebris: row('A projectile begins to touch debris.', 'g', 'direct', [
    'projectile',
    'debris',
    'collidingEntity',
  ]),
  debrisEntersRegion: row('Debris enters a region.', 'g', 'direct', ['debris', 'region']),
  // Fires after the physics step, right after the triggers of the unit that owns the sensor.
  whenUnitEntersSensor: row('A unit enters the sensor of another unit.', 'g', 'direct', ['unit', 'sensor']),
  whenItemEntersSensor: row('An item enters the sensor of a unit.', 'g', 'direct', ['unit', 'sensor', 'item']),
} as const;

/** Older names of triggers. A script that lists both names runs once. */
export const triggerAliases: Readonly<Record<string, TriggerType>> = {
  unitPickedAnItem: 'unitPicksUpItem',
  thisUnitPickedUpAnItem: 'thisUnitPicksUpItem',
};

export type TriggerType = keyof typeof triggers;
export type Delivery = 'direct' | 'queued' | 'never';

/** An attribute in a payload: a copy made before the change (reference: control-flow#attribute-updates). */
const attributePayload = constant(
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

/** All members that payloads can have; the table above lists those of each trigger. */
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
type PayloadMembers = Infer<typeof payloadMembers>;
export type PayloadKey = keyof PayloadMembers;

export function isEntityMember(member: PayloadKey): boolean {
  return payloadMembers.fields[member].form.is === 'entity';
}

/** A payload as the receiving script sees it. `host`: the members of a host's trigger that are not entities. */
export const payload = constant(
  partial(
    record({ ...payloadMembers.fields, host: json() as FieldType<Readonly<Record<string, unknown>> | undefined> }),
  ),
);
export type Payload = Infer<typeof payload>;

type KeysOf<R> = R extends TriggerRow<infer Required, infer _Optional> ? Required : never;
type OptionalKeysOf<R> = R extends TriggerRow<infer _Required, infer Optional> ? Optional : never;
/** The payload that a rule must provide to fire a trigger. */
export type PayloadOf<T extends TriggerType> = Readonly<
  Pick<PayloadMembers, KeysOf<(typeof triggers)[T]>> &
    Partial<Pick<PayloadMembers, OptionalKeysOf<(typeof triggers)[T]>>>
>;

interface TriggerRow<Required extends PayloadKey = PayloadKey, Optional extends PayloadKey = PayloadKey> {
  /** A sentence that says when the trigger fires. */
  readonly about: string;
  readonly scopes: string;
  readonly delivery: Delivery;
  readonly required: readonly Required[];
  readonly optional: readonly Optional[];
}

function row<Required extends PayloadKey = never, Optional extends PayloadKey = never>(
  about: string,
  scopes: string,
  delivery: Delivery,
  required: readonly Required[],
  optional: readonly Optional[] = [],
): TriggerRow<Required, Optional> {
  return { about, scopes, delivery, required, optional };
}

/** The last bit that is used when a number holds a set of triggers: bit 31 is the sign. */
const lastBit = 30;

export const triggerTypes = Object.keys(triggers) as TriggerType[];
const indices = new Map<string, number>(triggerTypes.map((type, index) => [type, index]));

/**
 * By trigger: one bit for each queued trigger, 0 for others, so that a number can hold a set of them. Triggers beyond
 * the last bit share it: a set is only a filter for who may listen, and `TriggerPort.listens` decides.
 */
export const queuedBits = bitsOfQueued(triggerTypes.map((type) => triggers[type].delivery));

export function bitsOfQueued(deliveries: readonly Delivery[]): Readonly<Int32Array> {
  let count = 0;
  return Int32Array.from(deliveries, (delivery) => (delivery === 'queued' ? 1 << Math.min(count++, lastBit) : 0));
}

/** The index of a trigger of the language in per-trigger tables, resolving aliases; -1 if the name is unknown. */
export function triggerIndex(type: string): number {
  return indices.get(triggerAliases[type] ?? type) ?? -1;
}

/**
 * The triggers of a game: those of the language, then those of its host. The names of both have the type `TriggerType`.
 */
export interface TriggerTable {
  /** The triggers by number. */
  readonly types: readonly TriggerType[];
  readonly rows: Readonly<Record<TriggerType, TriggerRow>>;
  /** The number of a trigger, resolving aliases; -1 if the name is unknown. */
  index(type: string): number;
}

const ofLanguage: TriggerTable = { types: triggerTypes, rows: triggers, index: triggerIndex };
const tables = new WeakMap<Host, TriggerTable>();

export function triggersOf({ host }: { readonly host?: Host }): TriggerTable {
  if (host === undefined) return ofLanguage;
  const known = tables.get(host);
  if (known !== undefined) return known;
  const added = Object.keys(host.triggers) as TriggerType[];
  const rows = { ...triggers } as Record<TriggerType, TriggerRow>;
  for (const [type, { about, payload = {} }] of Object.entries(host.triggers)) {
    const isOptional = (key: string): boolean => kindOf(payload[key]!).optional;
    const keys = Object.keys(payload) as PayloadKey[];
    const required = keys.filter((key) => !isOptional(key));
    rows[type as TriggerType] = row(about, 'g', 'direct', required, keys.filter(isOptional));
  }
  const index = (type: string): number => {
    const own = added.indexOf(type as TriggerType);
    return own < 0 ? triggerIndex(type) : triggerTypes.length + own;
  };
  const table: TriggerTable = { types: [...triggerTypes, ...added], rows, index };
  tables.set(host, table);
  return table;
}
