import type { Point } from '../components/point.ts';
import type { Area, RegionState } from '../components/region.ts';
import type { Definition } from '../definition/definition.ts';
import type { Dialect } from '../definition/dialect.ts';
import type { ItemType } from '../definition/item.ts';
import type { ShopUnit } from '../definition/shop.ts';
import type { Physics } from '../physics/physics.ts';
import type { AttributeLayout } from '../world/attribute.ts';
import type { Entity } from '../world/entity.ts';
import { PathSearch } from '../world/path-search.ts';
import type { Payload } from '../world/triggers.ts';
import type { RuntimeProjectileType } from '../world/types.ts';
import type { World } from '../world/world.ts';
import type { Listeners } from './events.ts';

/** The first parameter of every rule. Rules keep no state of their own. */
export interface Game {
  readonly definition: Definition;
  readonly world: World;
  readonly physics: Physics;
  readonly rules: DialectRules;
  /** The rules that listen to events of other rules (`rules/world/listeners.ts`). Replaced only to trace them. */
  listeners: Listeners<Game>;
  /** Called when the turn of an awake entity begins. Only a tracer sets it. */
  turnBegins: ((entity: Entity) => void) | undefined;
  readonly running: Running;
  readonly scratch: Scratch;
}

/**
 * The direction in which the held movement keys of one axis steer: -1, 0 or 1. `before` lists the keys held before the
 * current key event.
 */
export type DirectionBetween = (
  keysDown: readonly string[],
  before: readonly string[],
  back: readonly string[],
  forth: readonly string[],
) => number;

/** How attributes and bonuses carry over when a unit changes its type. The three functions are called in this order. */
interface TypeChangeRules {
  /** Called when the unit's attributes have been created again for the new type. */
  renewBonuses(world: World, unit: Entity): void;
  /** Called for each item that the unit keeps, when the item is in its new slot and state. */
  keepBonus(game: Game, item: Entity): void;
  /**
   * Returns the final value of an attribute that lost `excess` to the maximum of the new type. `max` is the current
   * maximum.
   */
  withExcess(value: number, clamped: number, excess: number, max: number): number;
}

/** Decides whether, and from which player, passive bonuses are taken back when a unit loses an item. */
export interface BonusRules {
  /**
   * Whether a unit that loses an item also loses the bonuses of the item. `slot` is the slot the item was in; undefined
   * when the item is destroyed.
   */
  isOwed(game: Game, item: Entity, unit: Entity, slot: number | undefined): boolean;
  /** The player whose attributes lose the bonuses, 0 for none. */
  debtor(game: Game, item: Entity, unit: Entity): Entity;
}

/**
 * Rules that differ between dialects. They are chosen once, when the game is made (`rules/dialect/choose.ts`), so that
 * no rule has to ask for the dialect. Many rules read a difference directly, as a flag.
 */
export interface DialectRules extends Dialect {
  /**
   * How many ticks an input precedes the tick that applies it. If attributes regenerate in pulses, an entity that an
   * input creates starts its regeneration clock at that earlier time.
   */
  readonly inputLeadTicks: number;
  /**
   * The simulated time, ms, from which on ticks regenerate the attributes of a row. -Infinity: every tick does.
   * Infinity: none does until an attribute changes.
   */
  regeneratesAtMs(world: World, row: number): number;
  /** The share of their rates that an entity's attributes gain in this tick, which lasts `seconds`; 0 for none. */
  regenerationShare(world: World, row: number, seconds: number): number;
  /** Called when a player gets a type. `old` is the previous layout of its attributes. */
  startPlayer(world: World, player: Entity, old: AttributeLayout): void;
  /** Ends the unit's expired buffs. */
  expireBuffs(game: Game, unit: Entity): void;
  readonly typeChange: TypeChangeRules;
  /** Activates an ability (`begin`) and runs its start script (`run`), in the order of the dialect. */
  startAbility(begin: () => void, run: () => void): void;
  /**
   * Whether a movement is diagonal and therefore slowed down. Dialects judge either by the keys (`aside`, `ahead`) or
   * by the direction on the map (`x`, `y`).
   */
  isDiagonal(aside: number, ahead: number, x: number, y: number): boolean;
  /** Results of a purchase that fire triggers. */
  readonly purchaseResultsFired: ReadonlySet<string>;
  /** Whether a unit that should be shown remains hidden because its AI cannot be switched on again. */
  staysHidden(game: Game, unit: Entity): boolean;
  /** Width and height (px) of an entity that has not yet had a state or a body that sets its size. */
  readonly firstSize: number;
  readonly directionBetween: DirectionBetween;
  /** Called when an entity's life span ends. */
  endLife(game: Game, entity: Entity): void;
  /** Why the player cannot pay the price of a unit type; undefined if the player can pay. */
  unitPriceRefusal(world: World, player: Entity, unit: Entity, offer: ShopUnit): 'not_affordable' | undefined;
  /** An empty payload that all triggers of a contact share; undefined if each trigger has its own. */
  contactPayload(): Payload | undefined;
  /**
   * Called after a use has reduced an item's quantity. Fires the trigger for an empty item if `isZero`, and removes the
   * item if it is empty and its type says that empty items are removed.
   */
  spent(game: Game, item: Entity, isZero: boolean): void;
  readonly bonuses: BonusRules;
  /** Called when a player may not swap the two slots. */
  refuseSwap(game: Game, unit: Entity, from: number, to: number): void;
  /** Position and size of a region's body, px. */
  regionBox(game: Game, region: RegionState): Area;
  /**
   * Called when entities were removed in a turn. Returns the position in the order from which the pass over the
   * entities continues: the next entity visited is the one before that position.
   */
  afterRemovals(world: World, at: number, released: number): number;
  /** Built-in abilities, which work without a description in the definition. */
  readonly builtIns: ReadonlySet<string>;
  /** The projectile type of a gun that names no projectile type of the definition; undefined if the gun has none. */
  ownProjectile(world: World, itemType: string): RuntimeProjectileType | undefined;
  /** Whether a new item that is not welded turns to where its carrier aims. */
  aims(type: ItemType): boolean;
}

/**
 * The rules in progress whose scripts can start the same rule again. Empty between ticks and between inputs, so
 * snapshots do not contain it.
 */
export class Running {
  /** The latest type change of each unit whose type is changing. */
  readonly typeChanges = new Map<Entity, object>();
  /** The slot selection in progress, by unit. */
  readonly selections = new Map<Entity, Selection>();
}

/** Objects that rules reuse for their results: the next call overwrites the result. Not part of the state. */
export class Scratch {
  readonly paths = new PathSearch();
  readonly terrain = { columns: 0, rows: 0, blocked: new Uint8Array(0), cellWidth: 0, cellHeight: 0, wraps: false };
  readonly heading: Point = { x: 0, y: 0 };
  readonly entities: Entity[] = [];
}

export interface Selection {
  /** The slot that scripts have requested since the selection began. */
  next: number | undefined;
  /**
   * Whether items changed their states or slots during the selection, while the old slot still counted as selected. The
   * end of the selection then corrects their states.
   */
  isOutdated: boolean;
}
