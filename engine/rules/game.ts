import type { Point } from '../components/point.ts';
import type { RegionState } from '../components/region.ts';
import type { Definition } from '../definition/definition.ts';
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

/** The game, as every rule gets it. Rules take it first; they keep nothing themselves. */
export interface Game {
  readonly definition: Definition;
  readonly world: World;
  readonly physics: Physics;
  readonly chosen: ChosenRules;
  /** The rules that listen to events of other rules (`world/listeners.ts`). */
  readonly listeners: Listeners<Game>;
  readonly running: Running;
  readonly scratch: Scratch;
}

/** Where the movement keys of one axis steer: -1, 0 or 1. `before` are the keys that were held before the key event. */
export type DirectionBetween = (
  keysDown: readonly string[],
  before: readonly string[],
  back: readonly string[],
  forth: readonly string[],
) => number;

/** Attributes and bonuses of a unit that changes its type; the three are called in this order. */
interface TypeChangeRules {
  /** The attributes have just been made anew. */
  renewBonuses(world: World, unit: Entity): void;
  /** An item stays with the unit, in its new slot and state. */
  keepBonus(game: Game, item: Entity): void;
  /** The final value, where the maximum of the new type cut off `excess`; `max` is the maximum as it is now. */
  withExcess(value: number, clamped: number, excess: number, max: number): number;
}

/** Passive bonuses of items. */
export interface BonusRules {
  /** Whether an item that a unit loses takes its bonuses with it. `slot` is the one that it had; undefined when it is destroyed. */
  isOwed(game: Game, item: Entity, unit: Entity, slot: number | undefined): boolean;
  /** The player whose attributes lose them, 0 for none. */
  debtor(game: Game, item: Entity, unit: Entity): Entity;
}

/** Rules of which a dialect has its own, chosen once when the game is made (`rules/dialect/choose.ts`): no rule asks which dialect it is. */
export interface ChosenRules {
  /** How long before its tick an input takes effect: where regeneration has a phase, what an input creates starts it then. */
  readonly inputLeadTicks: number;
  /** Whether life spans also end in the outer frames that lie between two ticks. */
  readonly passesFrames: boolean;
  /** Simulated ms at which a tick means something to the attributes of a row again. -Infinity for every tick, Infinity for none as things are. */
  regeneratesAtMs(world: World, row: number): number;
  /** The part of its rates that an entity's attributes gain in this tick of `seconds`; 0 for nothing now. */
  regenerationShare(world: World, row: number, seconds: number): number;
  /** A player has a type; `old` is the layout that its attributes had before. */
  startPlayer(world: World, player: Entity, old: AttributeLayout): void;
  /** Ends the buffs of a unit whose time is over. */
  expireBuffs(game: Game, unit: Entity): void;
  readonly typeChange: TypeChangeRules;
  /** Makes an ability active and runs its start script. */
  startAbility(begin: () => void, run: () => void): void;
  /** Whether a walk is slowed as a diagonal: by the keys, or by the components of the direction on the map. */
  isDiagonal(aside: number, ahead: number, x: number, y: number): boolean;
  /** Results of a purchase that fire triggers. */
  readonly purchaseResultsFired: ReadonlySet<string>;
  /** Whether `thisItemIsPickedUp` fires for an item that goes into a slot. */
  readonly pickUpsFireOnItem: boolean;
  /** Whether an item that comes into a slot gets its present body anew, before the state of the slot. */
  readonly slotRebuildsBody: boolean;
  /** Whether a unit that changes its type gets the sensor of the new type, and loses its AI where that has none. */
  readonly aiFollowsType: boolean;
  /** Whether those that hunt a defeated unit leave it by age, or in the order in which they first aimed at it. */
  readonly huntersActByAge: boolean;
  /** Whether a state whose body is none of the type's has none (reference: units#states). */
  readonly unknownBodiesAreNone: boolean;
  /** Whether ways of `a*` mind the edges of the map and the orders of scripts, and are not searched for in vain. */
  readonly routesAreSound: boolean;
  /** Whether a unit whose type has no AI stays without one when scripts switch it on. */
  readonly mindsNeedSettings: boolean;
  /** Whether a unit that is to be shown stays hidden, because its AI cannot be switched on again. */
  staysHidden(game: Game, unit: Entity): boolean;
  /** Whether a player that is kicked leaves at once, or when its connection has been closed. */
  readonly kicksAtOnce: boolean;
  /** The width and height of an entity that has not had a state, or a body, that gives it one, px. */
  readonly firstSize: number;
  /** Whether a state without a body gives an entity its size too. */
  readonly statesGiveSizes: boolean;
  /** Whether an item whose type lacks a state is put into another one. */
  readonly itemsFindStates: boolean;
  /** Whether data of units and players is taken without taking off the bonuses of items. */
  readonly savesKeepBonuses: boolean;
  /** Whether sensors also fire the triggers of 2022. */
  readonly foreignWords: boolean;
  /** Which way the movement keys held steer a unit along one axis. */
  readonly directionBetween: DirectionBetween;
  /** Whether stacks of a type merge that does not say so; else a new one takes the place of the other. */
  readonly silentStacksMerge: boolean;
  readonly resetsWithinBounds: boolean;
  /** Whether a scale counts at once for a body that is still to be built. */
  readonly scalesUnbuiltBodies: boolean;
  /** Whether a dropped item lies at the angle at which it was held, welded or not. */
  readonly dropsAsSeen: boolean;
  /** Whether the payload of a quest's trigger on a unit has the player. */
  readonly unitsKnowQuestPlayer: boolean;
  readonly botsCanBeKicked: boolean;
  /** An entity's life span is over. */
  endLife(game: Game, entity: Entity): void;
  /** Why the price of a unit type cannot be paid. */
  unitPriceRefusal(world: World, player: Entity, unit: Entity, offer: ShopUnit): 'not_affordable' | undefined;
  /** One payload for all triggers of a contact, empty yet; undefined where each has its own. */
  contactPayload(): Payload | undefined;
  /** After a use has taken of a quantity: fires the trigger where it `isZero`, and removes an item that goes when it is empty. */
  spent(game: Game, item: Entity, isZero: boolean): void;
  readonly bonuses: BonusRules;
  /** A player may not swap the two slots. */
  refuseSwap(game: Game, unit: Entity, from: number, to: number): void;
  /** Where the body of a region is, px. */
  regionBox(game: Game, region: RegionState): Pick<RegionState, 'x' | 'y' | 'width' | 'height'>;
  /** The position in the order before which the pass over the entities goes on, after a turn in which entities were removed. */
  afterRemovals(world: World, at: number, released: number): number;
  /** Abilities that need no description in the definition. */
  readonly builtIns: ReadonlySet<string>;
  /** The projectile type of a gun that names none of the game's. */
  ownProjectile(world: World, itemType: string): RuntimeProjectileType | undefined;
  /** Whether a new item that is not welded turns to its carrier's aim. */
  aims(type: ItemType): boolean;
}

/**
 * Rules that run now, for a rule that its own scripts start again. Empty between ticks and between inputs, so that no snapshot holds it.
 */
export class Running {
  /** The latest change of type of each unit whose type is being changed. */
  readonly typeChanges = new Map<Entity, object>();
  /** The selection of a slot that goes on, by unit. */
  readonly selections = new Map<Entity, Selection>();
}

/** Memory that rules use again and again, for answers that are overwritten by the next call. No part of the state. */
export class Scratch {
  readonly paths = new PathSearch();
  readonly terrain = { columns: 0, rows: 0, blocked: new Uint8Array(0), cellWidth: 0, cellHeight: 0, wraps: false };
  readonly heading: Point = { x: 0, y: 0 };
  readonly entities: Entity[] = [];
}

export interface Selection {
  /** The slot that scripts have asked for since it began. */
  next: number | undefined;
  /** Items were put into the states for their slots, or changed places, while the old slot still counted. */
  isOutdated: boolean;
}
