import type { AiMode } from '../components/ai.ts';
import type { AbilityUse } from '../components/casting.ts';
import type { Area, RegionState } from '../components/region.ts';
import type { Physics } from '../physics/physics.ts';
import { nameOf } from '../rules/entities/appearance.ts';
import { peekGlobalSlot } from '../rules/entities/variable.ts';
import { type Entity, EntityRef, Kind, rowOf } from '../world/entity.ts';
import { itemTypeOf, playerTypeOf, projectileTypeOf, type RuntimeType, typeOf, unitTypeOf } from '../world/types.ts';
import type { World } from '../world/world.ts';

/**
 * The state of a game as plain data: for people, comparisons and tests. It is an independent copy. Numbers are not
 * rounded; lists are in creation order.
 *
 * A label identifies an entity: `u1` a unit, `i1` an item, `b1` a projectile, `p1` or the client id a human or bot
 * player, `c1` a computer player, `r:<variable>` a region, `d1` debris. Members that refer to an entity (an owner, a
 * slot) contain the plain label. In script values, an entity is written as `@u1` to distinguish it from a string.
 */
export interface StateView {
  readonly tick: number;
  readonly timeMs: number;
  readonly units: readonly UnitView[];
  readonly items: readonly ItemView[];
  readonly projectiles: readonly ProjectileView[];
  readonly players: readonly PlayerView[];
  readonly regions: readonly RegionView[];
  /** Debris of the map; empty in dialects without debris. */
  readonly debris: readonly DebrisView[];
  readonly variables: ValuesView;
}

/**
 * A script value as JSON, with `"@u1"` for an entity, and `"$undefined"`, `"$NaN"`, `"$Infinity"`, `"$-Infinity"` for
 * values that JSON lacks.
 */
export type ValueView = null | boolean | number | string | readonly ValueView[] | { readonly [key: string]: ValueView };
type ValuesView = { readonly [name: string]: ValueView };
type NumbersView = { readonly [key: string]: number };
type BoundsView = { readonly [key: string]: readonly [min: number, max: number] };

interface EntityIdentity {
  readonly id: string;
  readonly kind: Kind;
  /** The key of the entity's type; null if it has none. */
  readonly type: string | null;
}

/** The view of an entity with a position in the world. */
interface PlacedView {
  readonly id: string;
  /** The transform that scripts see, px and radians; it lags behind the body by one physics step. */
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  /** Velocity in physics units per second (1 unit = 30 px); null without a body. */
  readonly vx: number | null;
  readonly vy: number | null;
  /** The body after the last physics step: x, y (px), angle (rad), angular velocity (rad/s); null without a body. */
  readonly body: readonly [x: number, y: number, angle: number, angularVelocity: number] | null;
  /** The size in which clients draw the entity, px. In `moddio`, an entity without a body has the size of its state. */
  readonly width: number;
  readonly height: number;
  readonly hidden: boolean;
}

/** A piece of debris of the map. */
interface DebrisView extends PlacedView {
  /** The name of the debris in the map. */
  readonly name: string;
}

/** The view of an entity with a type. */
interface TypedView {
  /** The key of the entity's type; null if it has none. */
  readonly type: string | null;
  readonly attributes: NumbersView;
  readonly bounds: BoundsView;
  readonly variables: ValuesView;
}

/** The common view of units, items and projectiles. */
interface BodiedView extends PlacedView, TypedView {
  /** The key of the entity's state; null if it has none. */
  readonly state: string | null;
  /** The simulated time at which the entity's life span ends, ms; null for never. */
  readonly deathTimeMs: number | null;
}

interface UnitView extends BodiedView {
  readonly name: string;
  /** The owning player, who may have left the game; null if there is none. */
  readonly owner: string | null;
  /** The item in each slot: those of the inventory, then those of the backpack. */
  readonly slots: readonly (string | null)[];
  /** The item in each trade slot; an empty list while the trade slots hold no item. */
  readonly tradeSlots: readonly (string | null)[];
  /** Index of the selected slot. */
  readonly slot: number;
  readonly holding: string | null;
  readonly moving: boolean;
  /** The mode of the unit's AI, or its last mode while the AI is off; null if the unit's type has no AI. */
  readonly ai: AiMode | null;
  readonly aiTarget: string | null;
  /** Timed buffs of attributes, oldest first. */
  readonly buffs: readonly { readonly attribute: string; readonly amount: number; readonly endsAtMs: number }[];
  readonly abilities: {
    readonly [key: string]: {
      readonly active: boolean;
      readonly coolsAtMs: number | null;
      readonly endsAtMs: number | null;
    };
  };
}

interface ItemView extends BodiedView {
  readonly name: string;
  /** The unit that carries the item; null if there is none. */
  readonly owner: string | null;
  /** The index of the item's slot in the carrier; null while no unit carries it. */
  readonly slotIndex: number | null;
  /** The quantity; null if unlimited. */
  readonly quantity: number | null;
  readonly maxQuantity: number | null;
  /** Whether the item is in use. */
  readonly used: boolean;
}

interface ProjectileView extends BodiedView {
  /** The unit that made the projectile; null if there is none. */
  readonly source: string | null;
  readonly sourceItem: string | null;
}

interface PlayerView extends TypedView {
  readonly id: string;
  readonly name: string;
  readonly kind: 'human' | 'computer';
  readonly isBot: boolean;
  readonly clientId: string;
  readonly userId: string | null;
  readonly units: readonly string[];
  readonly selected: string | null;
  readonly camera: string | null;
  readonly keysDown: readonly string[];
  /** The position of the mouse in the world, px; null until the mouse has moved. */
  readonly mouse: readonly [x: number, y: number] | null;
  readonly lastMessage: string | null;
  readonly openShop: string | null;
  /** Value of the attribute that the settings declare as the score; null if there is none. */
  readonly score: number | null;
  readonly coins: number;
  readonly points: number;
}

/** A region: top-left corner and size, px. */
interface RegionView extends Area {
  readonly id: string;
}

export function viewState(world: World, bodies: Physics): StateView {
  const regions = viewEach(world, Kind.region, (entity) => viewRegion(entity, world));
  return {
    tick: world.clock.tick,
    timeMs: world.clock.nowMs,
    units: viewEach(world, Kind.unit, (entity) => viewUnit(entity, world, bodies)),
    items: viewEach(world, Kind.item, (entity) => viewItem(entity, world, bodies)),
    projectiles: viewEach(world, Kind.projectile, (entity) => viewProjectile(entity, world, bodies)),
    players: viewEach(world, Kind.player, (entity) => viewPlayer(entity, world)),
    regions,
    debris: viewEach(world, Kind.debris, (entity) => viewDebris(entity, world, bodies)),
    variables: viewGlobals(world, regions),
  };
}

/** Id, kind and type of an entity, for logs of triggers; undefined if it does not exist. */
export function viewIdentity(world: World, entity: Entity): EntityIdentity | undefined {
  const ref = world.ref(entity);
  if (ref === undefined) return undefined;
  const { kind } = ref;
  return { id: ref.id, kind, type: typeOf(world, entity)?.key ?? null };
}

/**
 * Limits on how much of a value is shown: scripts can build cyclic values, and values that refer to the same object
 * exponentially often.
 */
const shownDepthMax = 100;
const shownMembersMax = 200_000;

/** Converts a script value to JSON without loss, except that parts beyond the limits are replaced by `$cut`. */
export function viewValue(value: unknown): ValueView {
  return viewMember(value, 0, { members: 0 });
}

function viewMember(value: unknown, depth: number, shown: { members: number }): ValueView {
  switch (typeof value) {
    case 'undefined':
      return '$undefined';
    case 'number':
      return Number.isFinite(value) ? value : `$${value}`;
    case 'string':
    case 'boolean':
      return value;
    case 'object':
      break;
    default:
      return `$${typeof value}`;
  }
  if (value === null) return null;
  if (value instanceof EntityRef) return `@${value.id}`;
  const members = Object.entries(value);
  shown.members += members.length;
  if (depth >= shownDepthMax || shown.members > shownMembersMax) return '$cut';
  if (Array.isArray(value)) return Array.from(value, (member: unknown) => viewMember(member, depth + 1, shown));
  return Object.fromEntries(members.map(([key, member]) => [key, viewMember(member, depth + 1, shown)]));
}

function viewRecord(entries: Iterable<readonly [string, unknown]>): ValuesView {
  return Object.fromEntries(Array.from(entries, ([key, value]) => [key, viewValue(value)]));
}

function viewEach<V>(world: World, kind: number, view: (entity: Entity) => V): V[] {
  return world.lists[kind]!.entries.filter((entity) => world.exists(entity)).map(view);
}

/** The label of an entity in views; null if the entity does not exist. */
function label(world: World, entity: Entity): string | null {
  return world.ref(entity)?.id ?? null;
}

function labels(world: World, entities: readonly Entity[]): (string | null)[] {
  return entities.map((entity) => label(world, entity));
}

function viewPlaced(entity: Entity, world: World, bodies: Physics): PlacedView {
  const row = rowOf(entity);
  const c = world.components;
  const hasBody = bodies.hasBody(entity);
  return {
    id: label(world, entity)!,
    x: c.transform.x[row]!,
    y: c.transform.y[row]!,
    angle: c.transform.angle[row]!,
    vx: hasBody ? bodies.velocityX(entity) : null,
    vy: hasBody ? bodies.velocityY(entity) : null,
    body: hasBody
      ? [bodies.bodyX(entity), bodies.bodyY(entity), bodies.bodyAngle(entity), bodies.angularVelocity(entity)]
      : null,
    width: drawnWidth(world, row),
    height: drawnHeight(world, row),
    hidden: c.visibility.hidden[row] === 1,
  };
}

/**
 * Whether clients draw an entity in the size of its state. They do so in the reference for an entity without a body,
 * which has no size of its own.
 */
function isDrawnAsState({ bodyType, rolledBuffs }: World['components'], row: number) {
  const type = bodyType[row]?.type;
  return (type === 'spriteOnly' || type === 'none') && rolledBuffs[row] === undefined;
}

/** The width in which clients draw an entity, px. */
export function drawnWidth({ components: c }: World, row: number): number {
  return isDrawnAsState(c, row) ? c.bodyType[row]!.width * c.body.scale[row]! : c.transform.width[row]!;
}

/** The height in which clients draw an entity, px. */
export function drawnHeight({ components: c }: World, row: number): number {
  return isDrawnAsState(c, row) ? c.bodyType[row]!.height * c.body.scale[row]! : c.transform.height[row]!;
}

function viewBodied<D>(entity: Entity, type: RuntimeType<D> | undefined, world: World, bodies: Physics): BodiedView {
  const row = rowOf(entity);
  const c = world.components;
  const { id, ...placed } = viewPlaced(entity, world, bodies);
  return {
    id,
    type: c.unknownType[row] ?? type?.key ?? null,
    state: type?.states[c.identity.state[row]!]?.key ?? null,
    ...placed,
    attributes: viewAttributes(row, type, world),
    bounds: viewBounds(row, type, world),
    variables: viewVariables(row, world),
    deathTimeMs: finiteOrNull(c.lifespan.deathTimeMs[row]!),
  };
}

function viewUnit(entity: Entity, world: World, bodies: Physics): UnitView {
  const row = rowOf(entity);
  const c = world.components;
  const unit = c.inventory[row]!;
  const ai = c.ai[row];
  const carried = unit.inventorySize + unit.backpackSize;
  return {
    ...viewBodied(entity, unitTypeOf(world, entity), world, bodies),
    name: nameOf(world, entity) ?? '$undefined',
    owner: world.handle(c.identity.owner[row]!)?.id ?? null,
    slots: labels(world, unit.slots.slice(0, carried)),
    tradeSlots: unit.slots.slice(carried).some((item) => item !== 0) ? labels(world, unit.slots.slice(carried)) : [],
    slot: unit.currentSlot,
    holding: label(world, unit.heldItem),
    moving: c.movement.moving[row] === 1,
    ai: ai?.mode ?? null,
    aiTarget: ai === undefined ? null : label(world, ai.target),
    buffs: (c.buffs[row] ?? []).map(({ attribute, amount, endsAtMs }) => ({ attribute, amount, endsAtMs })),
    abilities: viewAbilities(c.abilities[row]),
  };
}

function viewItem(entity: Entity, world: World, bodies: Physics): ItemView {
  const row = rowOf(entity);
  const c = world.components;
  return {
    ...viewBodied(entity, itemTypeOf(world, entity), world, bodies),
    name: nameOf(world, entity) ?? '$undefined',
    owner: label(world, c.identity.owner[row]!),
    slotIndex: c.carried.slot[row]! < 0 ? null : c.carried.slot[row]!,
    quantity: finiteOrNull(c.stack.quantity[row]!),
    maxQuantity: finiteOrNull(c.stack.maxQuantity[row]!),
    used: c.itemUse.beingUsed[row] === 1,
  };
}

function viewProjectile(entity: Entity, world: World, bodies: Physics): ProjectileView {
  const row = rowOf(entity);
  const c = world.components;
  return {
    ...viewBodied(entity, projectileTypeOf(world, entity), world, bodies),
    source: label(world, c.identity.owner[row]!),
    sourceItem: label(world, c.projectile[row]!.sourceItem),
  };
}

function viewPlayer(entity: Entity, world: World): PlayerView {
  const row = rowOf(entity);
  const c = world.components;
  const player = c.player[row]!;
  const own = c.ownedUnits[row]!;
  const type = playerTypeOf(world, entity);
  const controls = c.controls[row];
  const attributes = viewAttributes(row, type, world);
  return {
    id: label(world, entity)!,
    name: nameOf(world, entity) ?? '$undefined',
    kind: player.controlledBy,
    isBot: player.isBot,
    clientId: player.clientId,
    userId: c.account[row]!.userId ?? null,
    type: c.unknownType[row] ?? type?.key ?? null,
    attributes,
    bounds: viewBounds(row, type, world),
    variables: viewVariables(row, world),
    units: own.units
      .map((unit) => label(world, unit) ?? own.expired.find((gone) => gone?.entity === unit)?.id)
      .filter((name) => name !== undefined),
    selected: label(world, own.selected),
    camera: label(world, c.camera[row]!),
    keysDown: [...(controls?.keysDown ?? [])],
    mouse: controls === undefined || Number.isNaN(controls.mouseX) ? null : [controls.mouseX, controls.mouseY],
    lastMessage: c.chat[row]?.lastMessage ?? null,
    openShop: c.page[row]?.shop ?? null,
    score: attributes[world.definition.settings.scoreAttributeId ?? ''] ?? null,
    coins: c.wallet[row]!.coins,
    points: c.wallet[row]!.points,
  };
}

function viewDebris(entity: Entity, world: World, bodies: Physics): DebrisView {
  return { ...viewPlaced(entity, world, bodies), name: world.components.debris[rowOf(entity)]!.name };
}

function viewRegion(entity: Entity, world: World): RegionView {
  return { id: label(world, entity)!, ...rectangleOf(world.components.region[rowOf(entity)]!) };
}

function viewAttributes<D>(row: number, type: RuntimeType<D> | undefined, world: World): NumbersView {
  const { value } = world.attributes;
  return Object.fromEntries(attributeRows(row, type, world).map(([key, at]) => [key, value[at]!]));
}

function viewBounds<D>(row: number, type: RuntimeType<D> | undefined, world: World): BoundsView {
  const { min, max } = world.attributes;
  return Object.fromEntries(attributeRows(row, type, world).map(([key, at]) => [key, [min[at]!, max[at]!] as const]));
}

/** The key and the table row of each attribute that an entity currently has. */
function attributeRows<D>(row: number, type: RuntimeType<D> | undefined, world: World): [string, number][] {
  const start = world.components.attributes.start[row]!;
  const count = world.components.attributes.count[row]!;
  return (type?.attributes.keys ?? []).slice(0, count).map((key, offset) => [key, start + offset]);
}

function viewVariables(row: number, world: World): ValuesView {
  const variables = world.components.variables[row];
  if (variables === undefined) return viewRecord([]);
  return viewRecord(variables.layout.names.map((name, slot) => [name, variables.values[slot]]));
}

/**
 * The values of global variables as scripts read them, with two exceptions: a region variable shows the region's
 * rectangle, and a variable that was never read or written shows its default as written in the definition (such as
 * `computer1`).
 */
function viewGlobals(world: World, regions: readonly RegionView[]): ValuesView {
  const { globals } = world;
  const { names, definitions } = globals.layout;
  const regionsById = new Map(regions.map((region) => [region.id, region]));
  const shown = (slot: number): unknown => {
    const { dataType, default: initial } = definitions[slot]!;
    const value = peekGlobalSlot(world, slot);
    if (dataType !== 'region') return globals.isUnread(slot) ? (initial ?? globals.values[slot]) : value;
    const region = value instanceof EntityRef ? regionsById.get(value.id) : undefined;
    return region === undefined ? value : rectangleOf(region);
  };
  return viewRecord(names.map((name, slot) => [name, shown(slot)]));
}

function viewAbilities(abilities: ReadonlyMap<string, AbilityUse> | undefined): UnitView['abilities'] {
  const view = ({ active, coolsAtMs, endsAtMs }: AbilityUse) => ({
    active,
    coolsAtMs: finiteOrNull(coolsAtMs),
    endsAtMs: finiteOrNull(endsAtMs),
  });
  return Object.fromEntries(Array.from(abilities ?? [], ([key, use]) => [key, view(use)]));
}

function rectangleOf({ x, y, width, height }: RegionState | RegionView): Omit<RegionView, 'id'> {
  return { x, y, width, height };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
