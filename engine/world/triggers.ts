import type { Dictionary } from '../core/plain-object.ts';
import { type Host, kindOf } from '../definition/host.ts';
import { constant, entity, type FieldType, f64, type Infer, json, partial, record, text } from '../schema/index.ts';

/**
 * Every trigger of the language: when it fires, its scopes, its delivery and its payload (reference:
 * tick#queued-triggers).
 *
 * Delivery: `direct` triggers run scripts inside the rule that fires them, so that scripts for "this unit is about to
 * be destroyed" can still read the unit. `queued` triggers wait for a fixed point of the tick: the scripts of all
 * living units, items and projectiles run first, newest entity first, then the global scripts. `never`: the trigger
 * fires only in clients.
 *
 * Scopes: `g` for global scripts; `u`, `i`, `p` for a unit's, item's or projectile's own scripts. Queued triggers have
 * all four scopes. After the scopes, a row lists the members of the payload.
 *
 * The comments below say at what point of the tick the triggers fire, and in which order.
 */
export const triggers = {
  // Fires before the first tick, once the world is built; no other trigger runs scripts before it.
  gameStart: direct('The game starts. Fires once, before anything else.', 'g'),
  // Queued after inputs and timers: first `secondTick`, if a whole second has passed, then `frameTick`. Entity scripts
  // run before the physics step, global ones after it.
  secondTick: queued('Every second of simulated time.'),
  frameTick: queued('Every tick. Keep these scripts short, because they run many times per second.'),
  renderTick: never('A client renders a frame.', 'guip'),
  // Fires once, in the last tick, while the game is being ended: first for units, items and projectiles, newest first,
  // then for the global scripts.
  serverShuttingDown: direct('The server is about to shut down.', 'guip'),
  // Fires while the input that causes it is applied, before timers. `playerLeavesGame` also fires when a script removes
  // a player, before the removal.
  playerJoinsGame: direct('A player has joined.', 'g', 'player'),
  playerLeavesGame: direct('A player is about to leave. The player and its units still exist.', 'g', 'player'),
  playerCustomInput: direct('A player has answered an input dialog.', 'g', 'player'),
  // Queued by the input: entity scripts run before the physics step of the same tick, global ones after it.
  playerSendsMessage: queued('A player has sent a chat message.', 'player'),
  playerSendsChatMessage: queued('A player has sent a chat message.', 'player'),
  // Fires when the player leaves, before `playerLeavesGame`.
  playerGetsNewHighscore: direct('A player is about to leave with a new high score.', 'g', 'player'),
  // Fires during the purchase.
  playerPurchasesUnit: direct('A player has bought a unit.', 'g', 'unit', 'player'),
  playerPurchasesItem: direct('A player has bought an item.', 'g', 'item', 'player'),
  // Fires while the input that causes it is applied, before timers.
  htmlUiClick: direct('A player has clicked an HTML element of the game.', 'g', 'player'),
  whenDataReceivedFromClient: direct('The client of a player has sent data.', 'g', 'player'),
  whenDataReceivedFromServer: never('A client has received data from the server.', 'g'),
  whenPlayerClickTradeOption: direct("A player has chosen to trade with a unit's owner.", 'g', 'player', 'unit'),
  whenPlayerDropsItemToCanvas: direct(
    'A player has dragged an item from the inventory onto the map.',
    'g',
    'player',
    'item',
  ),
  adPlayCompleted: direct('A player has watched an advertisement to the end.', 'g', 'player'),
  adPlaySkipped: direct('A player has skipped an advertisement.', 'g', 'player'),
  adPlayBlocked: direct('An ad blocker has blocked an advertisement.', 'g', 'player'),
  adPlayFailed: direct('An advertisement could not be shown.', 'g', 'player'),
  sendCoinsSuccess: direct('Coins were sent to a player.', 'g', 'player'),
  coinSendFailureDueToInsufficientCoins: direct(
    'Coins were not sent to a player, because there are not enough coins.',
    'g',
    'player',
  ),
  coinSendFailureDueToDailyLimit: direct('Coins were not sent to a player, because of the daily limit.', 'g', 'player'),
  // Fires when the host's answer, which is an input, is applied.
  onPostResponse: withOptional(
    direct('The response to a web request has arrived.', 'guip'),
    'unit',
    'item',
    'projectile',
  ),
  // Fires during the action that changes the quest.
  questAdded: direct('A player has received a quest.', 'gu', 'player', 'unit'),
  questRemoved: direct('A quest was removed from a player.', 'gu', 'player', 'unit'),
  questCompleted: direct('A player has completed a quest.', 'gu', 'player', 'unit'),
  questProgressUpdated: direct('The progress of a quest has changed.', 'g', 'player'),
  questProgressCompleted: direct('The progress of a quest has reached its goal.', 'gu', 'player', 'unit'),
  // Queued after the value has changed and the entity's own scripts for `entityAttributeBecomes…` have run.
  unitAttributeBecomesZero: queued('An attribute of a unit has reached 0.', 'attribute', 'unit'),
  unitAttributeBecomesFull: queued('An attribute of a unit has reached its maximum.', 'attribute', 'unit'),
  itemAttributeBecomesZero: queued('An attribute of an item has reached 0.', 'attribute', 'item'),
  itemAttributeBecomesFull: queued('An attribute of an item has reached its maximum.', 'attribute', 'item'),
  projectileAttributeBecomesZero: queued('An attribute of a projectile has reached 0.', 'attribute', 'projectile'),
  projectileAttributeBecomesFull: queued(
    'An attribute of a projectile has reached its maximum.',
    'attribute',
    'projectile',
  ),
  playerAttributeBecomesZero: queued('An attribute of a player has reached 0.', 'attribute', 'player'),
  playerAttributeBecomesFull: queued('An attribute of a player has reached its maximum.', 'attribute', 'player'),
  // Fires immediately after the value has changed, before the queued triggers above.
  entityAttributeBecomesZero: withOptional(
    direct('An attribute of this entity has reached 0.', 'uip', 'attribute'),
    'unit',
    'item',
    'projectile',
  ),
  entityAttributeBecomesFull: withOptional(
    direct('An attribute of this entity has reached its maximum.', 'uip', 'attribute'),
    'unit',
    'item',
    'projectile',
  ),
  // Fires during the item's turn, before the effect of the use: first for the item's scripts, then for the unit's, then
  // for the global ones.
  itemIsUsed: direct('This item is used.', 'i', 'unit', 'item'),
  thisUnitUsesItem: direct('This unit uses an item.', 'u', 'unit', 'item'),
  unitUsesItem: direct('A unit uses an item.', 'g', 'unit', 'item'),
  // Fires when the use starts or stops: first for the item's scripts, then for the unit's, then for the global ones.
  thisItemStartsBeingUsed: direct('This item starts being used.', 'i', 'unit', 'item'),
  thisUnitStartsUsingAnItem: direct('This unit starts using an item.', 'u', 'unit', 'item'),
  unitStartsUsingAnItem: direct('A unit starts using an item.', 'g', 'unit', 'item'),
  thisItemStopsBeingUsed: direct('This item stops being used.', 'i', 'unit', 'item'),
  thisUnitStopsUsingAnItem: direct('This unit stops using an item.', 'u', 'unit', 'item'),
  unitStopsUsingAnItem: direct('A unit stops using an item.', 'g', 'unit', 'item'),
  // Fires when the quantity has become zero, before the item is removed.
  ThisItemsQuantityBecomesZero: direct('The quantity of this item has reached 0.', 'i'),
  // Queued by the use of an item that shoots rays.
  raycastItemFired: queued('An item has fired a ray.', 'unit', 'item'),
  // Fires when the item has been dropped or picked up: first for the item's scripts, then for the unit's, then for the
  // global ones.
  thisItemIsDropped: direct('This item is dropped.', 'i', 'unit', 'item'),
  thisUnitDroppedAnItem: direct('This unit has dropped an item.', 'u', 'unit', 'item'),
  unitDroppedAnItem: direct('A unit has dropped an item.', 'g', 'unit', 'item'),
  thisItemIsPickedUp: direct('This item is picked up.', 'i', 'unit', 'item'),
  thisUnitPicksUpItem: direct('This unit picks up an item.', 'u', 'unit', 'item'),
  unitPicksUpItem: direct('A unit picks up an item.', 'g', 'unit', 'item'),
  // Fires when the item has been selected or moved, after its slot and state have changed.
  thisItemIsSelected: direct('This item is selected: its unit now holds it.', 'i', 'unit', 'item'),
  thisUnitSelectsItem: direct('This unit selects an item, and now holds it.', 'u', 'unit', 'item'),
  unitSelectsItem: direct('A unit selects an item, and now holds it.', 'g', 'unit', 'item'),
  unitSelectsInventorySlot: direct('This unit selects an inventory slot, even an empty one.', 'u'),
  thisItemChangesInventorySlot: direct('This item moves to another inventory slot.', 'i', 'unit', 'item'),
  thisUnitMovesItemInInventory: direct('This unit moves an item to another inventory slot.', 'u', 'unit', 'item'),
  // Fires during the attack, before the damage is dealt.
  unitAttacksUnit: direct('A unit attacks another unit, and is about to damage it.', 'g', 'unit', 'item'),
  entityGetsAttacked: direct('Another unit attacks this unit, and is about to damage it.', 'u', 'unit', 'item'),
  // Fires after the physics step, in the order of the contacts. Contacts of a destroyed entity end in the next step.
  unitTouchesUnit: direct('A unit begins to touch another unit.', 'g', 'unit'),
  unitTouchesItem: direct('A unit begins to touch an item.', 'g', 'unit', 'item'),
  unitTouchesProjectile: direct('A unit begins to touch a projectile.', 'g', 'unit', 'projectile', 'collidingEntity'),
  unitTouchesWall: direct('A unit begins to touch a wall.', 'g', 'unit'),
  unitEntersRegion: direct('A unit enters a region.', 'g', 'unit', 'region'),
  unitLeavesRegion: direct('A unit leaves a region.', 'g', 'unit', 'region'),
  unitEntersSensor: direct('A unit enters the sensor of this unit.', 'u', 'unit', 'sensor'),
  unitLeavesSensor: direct('A unit leaves the sensor of this unit.', 'u', 'unit', 'sensor'),
  itemTouchesUnit: direct('An item begins to touch a unit.', 'g', 'item'),
  itemTouchesItem: direct('An item begins to touch another item.', 'g', 'item'),
  itemTouchesProjectile: direct('An item begins to touch a projectile.', 'g', 'item', 'projectile', 'collidingEntity'),
  itemTouchesWall: direct('An item begins to touch a wall.', 'g', 'item'),
  itemEntersRegion: direct('An item enters a region.', 'g', 'item', 'region'),
  itemLeavesRegion: direct('An item leaves a region.', 'g', 'item', 'region'),
  itemEntersSensor: direct('An item enters the sensor of this unit.', 'u', 'item', 'sensor'),
  itemLeavesSensor: direct('An item leaves the sensor of this unit.', 'u', 'item', 'sensor'),
  projectileTouchesUnit: direct('A projectile begins to touch a unit.', 'g', 'projectile'),
  projectileTouchesItem: direct('A projectile begins to touch an item.', 'g', 'projectile', 'item'),
  projectileTouchesProjectile: direct(
    'A projectile begins to touch another projectile.',
    'g',
    'projectile',
    'collidingEntity',
  ),
  projectileTouchesWall: direct('A projectile begins to touch a wall.', 'g', 'projectile'),
  projectileEntersRegion: direct('A projectile enters a region.', 'g', 'projectile', 'region'),
  projectileLeavesRegion: direct('A projectile leaves a region.', 'g', 'projectile', 'region'),
  projectileEntersSensor: direct('A projectile enters the sensor of this unit.', 'u', 'projectile', 'sensor'),
  projectileLeavesSensor: direct('A projectile leaves the sensor of this unit.', 'u', 'projectile', 'sensor'),
  // Fires after the physics step, for the same contact as the triggers above. For touches, the global scripts run
  // before these triggers; for regions, after them.
  entityTouchesUnit: withOptional(direct('This entity begins to touch a unit.', 'uip', 'unit'), 'item', 'projectile'),
  entityTouchesItem: withOptional(direct('This entity begins to touch an item.', 'uip', 'item'), 'unit', 'projectile'),
  entityTouchesProjectile: withOptional(
    direct('This entity begins to touch a projectile.', 'uip', 'projectile', 'collidingEntity'),
    'unit',
    'item',
  ),
  entityTouchesWall: direct('This entity begins to touch a wall.', 'uip'),
  entityEntersRegion: withOptional(
    direct('This entity enters a region.', 'uip', 'region'),
    'unit',
    'item',
    'projectile',
  ),
  entityLeavesRegion: withOptional(
    direct('This entity leaves a region.', 'uip', 'region'),
    'unit',
    'item',
    'projectile',
  ),
  // Fires during the creation, when the entity is complete: first for the global scripts, then for the entity's own.
  entityCreated: direct('This entity has been created.', 'uip'),
  entityCreatedGlobal: direct('An entity has been created.', 'g', 'entity'),
  // Fires during the destruction, while the entity still exists for scripts.
  initEntityDestroy: direct('This entity is about to be destroyed, but still exists.', 'uip'),
  // Fires during the change of state, before the body is rebuilt.
  entityStateChanged: direct('This entity has changed its state.', 'uip'),
  // Fires during the unit's turn, after its abilities and before its status effects expire; for a unit moved by AI,
  // when the AI decides.
  unitStartsMoving: direct('This unit starts moving.', 'u', 'unit'),
  unitStopsMoving: direct('This unit stops moving.', 'u', 'unit'),
  // Fires during the search for a path.
  entityAStarPathFindingFailed: direct('The AI of this unit did not find a path.', 'u', 'unit'),
  unitAStarPathFindingFailed: direct('The AI of a unit did not find a path.', 'g', 'unit'),
  // Fires after the physics step, like other contacts; only in dialects with debris.
  unitTouchesDebris: direct('A unit begins to touch debris.', 'g', 'unit', 'debris'),
  projectileTouchesDebris: direct(
    'A projectile begins to touch debris.',
    'g',
    'projectile',
    'debris',
    'collidingEntity',
  ),
  debrisEntersRegion: direct('Debris enters a region.', 'g', 'debris', 'region'),
  // Fires after the physics step, right after the triggers of the unit that owns the sensor.
  whenUnitEntersSensor: direct('A unit enters the sensor of another unit.', 'g', 'unit', 'sensor'),
  whenItemEntersSensor: direct('An item enters the sensor of a unit.', 'g', 'unit', 'sensor', 'item'),
} as const;

/** Older names of triggers. A script that lists both names runs once. */
export const triggerAliases: Dictionary<TriggerType> = {
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
  partial(record({ ...payloadMembers.fields, host: json() as FieldType<Dictionary | undefined> })),
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

function direct<Required extends PayloadKey = never>(
  about: string,
  scopes: string,
  ...required: readonly Required[]
): TriggerRow<Required, never> {
  return { about, scopes, delivery: 'direct', required, optional: [] };
}

function queued<Required extends PayloadKey = never>(
  about: string,
  ...required: readonly Required[]
): TriggerRow<Required, never> {
  return { ...direct(about, 'guip', ...required), delivery: 'queued' };
}

function never(about: string, scopes: string): TriggerRow<never, never> {
  return { ...direct(about, scopes), delivery: 'never' };
}

/** Adds to a row the members that the payload has only for some kinds of entity. */
function withOptional<Required extends PayloadKey, Optional extends PayloadKey>(
  row: TriggerRow<Required, never>,
  ...optional: readonly Optional[]
): TriggerRow<Required, Optional> {
  return { ...row, optional };
}

/** The last bit that is used when a number represents a set of triggers. Bit 31 is not used, because it is the sign. */
const lastBit = 30;

export const triggerTypes = Object.keys(triggers) as TriggerType[];
const indices = new Map<string, number>(triggerTypes.map((type, index) => [type, index]));

/**
 * For each trigger number: one bit if the trigger is queued, otherwise 0, so that a number can represent a set of
 * queued triggers. Triggers for which no bit is left share the last one, so a set is only a first filter:
 * `TriggerPort.listens` decides whether a script listens.
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
 * The triggers of a game: those of the language, then those of its host. `TriggerType` is the type of the names of
 * both.
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
    const isOptional = (key: string) => kindOf(payload[key]!).optional;
    const keys = Object.keys(payload) as PayloadKey[];
    const required = keys.filter((key) => !isOptional(key));
    rows[type as TriggerType] = withOptional(direct(about, 'g', ...required), ...keys.filter(isOptional));
  }
  const index = (type: string) => {
    const own = added.indexOf(type as TriggerType);
    return own < 0 ? triggerIndex(type) : triggerTypes.length + own;
  };
  const table: TriggerTable = { types: [...triggerTypes, ...added], rows, index };
  tables.set(host, table);
  return table;
}
