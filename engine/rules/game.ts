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

/** The first parameter of every rule. Rules keep no state of their own. */
export interface Game {
  readonly definition: Definition;
  readonly world: World;
  readonly physics: Physics;
  readonly rules: DialectRules;
  /** The rules that listen to events of other rules (`world/listeners.ts`). Replaced only to trace them. */
  listeners: Listeners<Game>;
  /** Called when the turn of an awake entity begins. Only a tracer sets it. */
  turnBegins: ((entity: Entity) => void) | undefined;
  readonly running: Running;
  readonly scratch: Scratch;
}

/** The direction in which the held movement keys of one axis steer: -1, 0 or 1. `before` lists the keys held before the current key event. */
export type DirectionBetween = (
  keysDown: readonly string[],
  before: readonly string[],
  back: readonly string[],
  forth: readonly string[],
) => number;

/** How attributes and bonuses carry over when a unit changes its type. The three functions are called in this order. */
interface TypeChangeRules {
  /** Called once the unit's attributes have been recreated. */
  renewBonuses(world: World, unit: Entity): void;
  /** Called for each item that stays with the unit, once it is in its new slot and state. */
  keepBonus(game: Game, item: Entity): void;
  /** Returns the final value of an attribute that lost `excess` to the maximum of the new type. `max` is the current maximum. */
  withExcess(value: number, clamped: number, excess: number, max: number): number;
}

/** Passive bonuses of items. */
export interface BonusRules {
  /** Whether a unit that loses an item loses the item's bonuses too. `slot` is the slot the item was in; undefined when the item is destroyed. */
  isOwed(game: Game, item: Entity, unit: Entity, slot: number | undefined): boolean;
  /** The player whose attributes lose the bonuses, 0 for none. */
  debtor(game: Game, item: Entity, unit: Entity): Entity;
}

/** Rules that differ between dialects. They are chosen once, when the game is made (`rules/dialect/choose.ts`), so that no rule has to ask for the dialect. */
export interface DialectRules {
  /** How far ahead of its tick an input takes effect. Where regeneration has a phase, the phase of entities that an input creates starts then. */
  readonly inputLeadTicks: number;
  /** Whether life spans also end in the outer frames between two ticks. */
  readonly passesFrames: boolean;
  /** Simulated ms from which ticks affect the attributes of a row again. -Infinity: every tick does. Infinity: none does until something changes. */
  regeneratesAtMs(world: World, row: number): number;
  /** The share of their rates that an entity's attributes gain in this tick of `seconds`; 0 for none. */
  regenerationShare(world: World, row: number, seconds: number): number;
  /** Called when a player gets a type. `old` is the previous layout of its attributes. */
  startPlayer(world: World, player: Entity, old: AttributeLayout): void;
  /** Ends the unit's expired buffs. */
  expireBuffs(game: Game, unit: Entity): void;
  readonly typeChange: TypeChangeRules;
  /** Activates an ability (`begin`) and runs its start script (`run`), in the order of the dialect. */
  startAbility(begin: () => void, run: () => void): void;
  /** Whether a movement is slowed down as diagonal, judged either by the keys or by the components of the direction on the map. */
  isDiagonal(aside: number, ahead: number, x: number, y: number): boolean;
  /** Results of a purchase that fire triggers. */
  readonly purchaseResultsFired: ReadonlySet<string>;
  /** Whether `thisItemIsPickedUp` fires for an item that goes into a slot. */
  readonly pickUpsFireOnItem: boolean;
  /** Whether the body of an item that is put into a slot is rebuilt before the item gets the state of the slot. */
  readonly slotRebuildsBody: boolean;
  /** Whether a unit that changes its type gets the sensor of the new type, and loses its AI if the new type has none. */
  readonly aiFollowsType: boolean;
  /** Whether the hunters of a defeated unit give up in order of age; otherwise in the order in which they first aimed at it. */
  readonly attackersStopByAge: boolean;
  /** Whether a unit under AI loses a target when that is hidden; otherwise in its own turn, in which it still acts on it. */
  readonly hiddenTargetsAreDroppedAtOnce: boolean;
  /** Whether blank chat messages are refused, and the first message of a player counts when those within a time are counted. */
  readonly chatIsStrict: boolean;
  /** Whether groups in global variables keep destroyed entities readable. */
  readonly groupsHoldDestroyed: boolean;
  /** Whether the variables of an entity that changes its type are defined by the new type. */
  readonly typeChangesRedefineVariables: boolean;
  /** Whether a player keeps its shop when a shop is opened that does not exist, or an item is offered that its shop does not sell. */
  readonly shopsMustExist: boolean;
  /** Whether the data of units and players for scripts leaves out what the definition says of their attributes and variables. */
  readonly dataIsPlain: boolean;
  /** Whether items move or are dropped if the new type of their unit does not have their slot. */
  readonly typeChangesEmptyLostSlots: boolean;
  /** Whether a unit or player that is changed to a type that does not exist keeps the key of its type. */
  readonly typesMustExist: boolean;
  /** Whether the use of an item has no effect if its scripts destroy the user. */
  readonly usersMustSurvive: boolean;
  /** Whether a body cannot be scaled by less than 0; otherwise such a body touches nothing. */
  readonly scalesArePositive: boolean;
  /** Whether a sensor with a radius of 0 forgets its previous radius and keeps following its unit (reference: physics#sensors). */
  readonly zeroRadiusSensorsStayOff: boolean;
  /** Whether an entity in a state that names a body its type does not declare has no body (reference: units#states). */
  readonly unknownBodyMeansNoBody: boolean;
  /** Whether a hidden unit whose state or type changes still has no body (reference: units#visibility). */
  readonly hiddenUnitsStayBodiless: boolean;
  /** Whether `a*` path finding respects the edges of the map and the orders of scripts, and does not repeat searches that cannot succeed. */
  readonly pathFindingIsSound: boolean;
  /** Whether a unit whose type has no AI remains without one when scripts switch AI on. */
  readonly aiNeedsSettings: boolean;
  /** Whether a unit that should be shown remains hidden because its AI cannot be switched on again. */
  staysHidden(game: Game, unit: Entity): boolean;
  /** Whether a kicked player leaves immediately; otherwise when its connection has been closed. */
  readonly kicksAreImmediate: boolean;
  /** Width and height (px) of an entity that has not yet had a state or a body that sets its size. */
  readonly firstSize: number;
  /** Whether a state without a body also sets the size of an entity. */
  readonly statesGiveSizes: boolean;
  /** Whether an item falls back to another state if its type lacks the requested one. */
  readonly itemsFallBackToNearestState: boolean;
  /** Whether saved data of units and players includes the bonuses of items. */
  readonly savingKeepsBonuses: boolean;
  /** Whether sensors also fire the global triggers of the 2022 engines. */
  readonly nonReferenceOperationsWork: boolean;
  readonly directionBetween: DirectionBetween;
  /** Whether selecting another unit releases the player's keys on the previous one. */
  readonly selectionReleasesKeys: boolean;
  /** Whether stacks of a type that does not specify `canMerge` merge; otherwise a new stack replaces the old one. */
  readonly stacksMergeByDefault: boolean;
  readonly resetUsesCurrentBounds: boolean;
  /** Whether scaling takes effect immediately for a body that is not built yet. */
  readonly scaleAppliesToUnbuiltBodies: boolean;
  /** Whether a dropped item keeps the angle at which it was held, welded or not. */
  readonly dropsKeepHeldAngle: boolean;
  /** Whether the payload of a quest trigger fired on a unit includes the player. */
  readonly unitsKnowQuestPlayer: boolean;
  readonly botsCanBeKicked: boolean;
  /** Called when an entity's life span ends. */
  endLife(game: Game, entity: Entity): void;
  /** Why the player cannot pay the price of a unit type; undefined if it can. */
  unitPriceRefusal(world: World, player: Entity, unit: Entity, offer: ShopUnit): 'not_affordable' | undefined;
  /** An empty payload that all triggers of a contact share; undefined if each trigger has its own. */
  contactPayload(): Payload | undefined;
  /** Called after a use has reduced an item's quantity: fires the trigger if it `isZero`, and removes the item if it should go when empty. */
  spent(game: Game, item: Entity, isZero: boolean): void;
  readonly bonuses: BonusRules;
  /** Called when a player may not swap the two slots. */
  refuseSwap(game: Game, unit: Entity, from: number, to: number): void;
  /** Position and size of a region's body, px. */
  regionBox(game: Game, region: RegionState): Pick<RegionState, 'x' | 'y' | 'width' | 'height'>;
  /** Where the pass over the entities continues after a turn in which entities were removed: the next one visited is before this position in the order. */
  afterRemovals(world: World, at: number, released: number): number;
  /** Built-in abilities, which work without a description in the definition. */
  readonly builtIns: ReadonlySet<string>;
  /** The projectile type of a gun that names no projectile type of the definition. */
  ownProjectile(world: World, itemType: string): RuntimeProjectileType | undefined;
  /** Whether a new item that is not welded turns to where its carrier aims. */
  aims(type: ItemType): boolean;
}

/** Rules in progress, for rules that their own scripts can start again. Empty between ticks and between inputs, so snapshots do not contain it. */
export class Running {
  /** The latest type change of each unit whose type is changing. */
  readonly typeChanges = new Map<Entity, object>();
  /** The slot selection in progress, by unit. */
  readonly selections = new Map<Entity, Selection>();
}

/** Memory that rules reuse for results; the next call overwrites them. Not part of the state. */
export class Scratch {
  readonly paths = new PathSearch();
  readonly terrain = { columns: 0, rows: 0, blocked: new Uint8Array(0), cellWidth: 0, cellHeight: 0, wraps: false };
  readonly heading: Point = { x: 0, y: 0 };
  readonly entities: Entity[] = [];
}

export interface Selection {
  /** The slot that scripts have requested since the selection began. */
  next: number | undefined;
  /** Whether items got the states of their slots, or swapped, while the old slot still counted. */
  isOutdated: boolean;
}
