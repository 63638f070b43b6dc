import type { InventoryState } from '../components/inventory.ts';
import type { OwnedUnitsState } from '../components/owned-units.ts';
import { formatValue, UsageError, unknownWord } from '../core/usage-error.ts';
import { isKey, keysNear } from '../definition/keys.ts';
import { type Entity, type EntityRef, noEntity } from '../world/entity.ts';
import { EntityHandle, type HandleSource } from './entity-handle.ts';
import type { Input } from './input.ts';
import { drawnHeight, drawnWidth } from './view.ts';

/** Looks up other handles of the same simulation, and accepts the inputs of players. */
export interface HandleLookup extends HandleSource {
  /** `unit` and `item` return only entities that exist. */
  unit(entity: Entity): UnitHandle | undefined;
  item(entity: Entity): ItemHandle | undefined;
  /** Also returns players that have left. */
  player(entity: Entity): PlayerHandle | undefined;
  input(input: Input): void;
}

/** An entity with a position in the world. */
abstract class PlacedHandle extends EntityHandle<HandleLookup> {
  /** The transform of the centre as scripts see it, px and radians (0 up, clockwise). */
  get x(): number {
    return this.components.transform.x[this.row]!;
  }

  get y(): number {
    return this.components.transform.y[this.row]!;
  }

  get angle(): number {
    return this.components.transform.angle[this.row]!;
  }

  /** Size as rules and scripts see it, px. */
  get width(): number {
    return this.components.transform.width[this.row]!;
  }

  get height(): number {
    return this.components.transform.height[this.row]!;
  }

  /** The size in which clients draw the entity, px. */
  get drawnWidth(): number {
    return drawnWidth(this.world, this.row);
  }

  get drawnHeight(): number {
    return drawnHeight(this.world, this.row);
  }

  get isHidden(): boolean {
    return this.components.visibility.hidden[this.row] === 1;
  }
}

/** A unit, item or projectile. */
abstract class BodiedHandle extends PlacedHandle {
  /** The key of the entity's state; undefined if its type has none. */
  get state(): string | undefined {
    return this.runtimeType?.states[this.components.identity.state[this.row]!]?.key;
  }

  /** The display name of the entity's state. */
  get stateName(): string | undefined {
    return this.runtimeType?.states[this.components.identity.state[this.row]!]?.name;
  }

  /** The simulated time at which the entity's life span ends, ms; Infinity for never. */
  get deathTimeMs(): number {
    return this.components.lifespan.deathTimeMs[this.row]!;
  }

  protected get ownerEntity(): Entity {
    return this.components.identity.owner[this.row]!;
  }
}

export class UnitHandle extends BodiedHandle {
  readonly kind = 'unit';

  get name(): string {
    return this.components.name[this.row]!;
  }

  /** The owning player, who may have left the game; undefined if there is none. */
  get owner(): PlayerHandle | undefined {
    return this.handles.player(this.ownerEntity);
  }

  /** The item that the unit holds; undefined if it holds none. */
  get holding(): ItemHandle | undefined {
    return this.handles.item(this.own.heldItem);
  }

  /** The items that the unit carries, in the order of their slots. */
  get items(): readonly ItemHandle[] {
    return this.slots.filter((item) => item !== undefined);
  }

  /** The items in all slots: those of the inventory, then those of the backpack. */
  get slots(): readonly (ItemHandle | undefined)[] {
    const { slots, inventorySize, backpackSize } = this.own;
    return slots.slice(0, inventorySize + backpackSize).map((item) => this.handles.item(item));
  }

  /** Index of the selected slot. */
  get slot(): number {
    return this.own.currentSlot;
  }

  /** The radius of the unit's sensor, in which its AI notices other units, px; 0 without a sensor. */
  get sensorRadius(): number {
    const { sensor, radius } = this.components.sensing;
    return sensor[this.row] === noEntity ? 0 : radius[this.row]!;
  }

  get isMoving(): boolean {
    return this.components.movement.moving[this.row] === 1;
  }

  private get own(): InventoryState {
    return this.components.inventory[this.row]!;
  }
}

export class ItemHandle extends BodiedHandle {
  readonly kind = 'item';

  get name(): string {
    return this.components.name[this.row]!;
  }

  /** The unit that carries the item; undefined if there is none. */
  get owner(): UnitHandle | undefined {
    return this.handles.unit(this.ownerEntity);
  }

  /** The quantity; Infinity if unlimited. */
  get quantity(): number {
    return this.components.stack.quantity[this.row]!;
  }

  /** The largest quantity of a stack; Infinity if unlimited. */
  get quantityMax(): number {
    return this.components.stack.maxQuantity[this.row]!;
  }

  /** The index of the item's slot in the carrier; undefined while no unit carries it. */
  get slot(): number | undefined {
    const slot = this.components.carried.slot[this.row]!;
    return slot < 0 ? undefined : slot;
  }

  get isUsed(): boolean {
    return this.components.itemUse.beingUsed[this.row] === 1;
  }
}

export class ProjectileHandle extends BodiedHandle {
  readonly kind = 'projectile';

  /** The unit that made the projectile; undefined if there is none or it no longer exists. */
  get owner(): UnitHandle | undefined {
    return this.handles.unit(this.ownerEntity);
  }

  /** The item that fired the projectile; undefined if there is none or it no longer exists. */
  get sourceItem(): ItemHandle | undefined {
    return this.handles.item(this.components.projectile[this.row]!.sourceItem);
  }
}

export class DebrisHandle extends PlacedHandle {
  readonly kind = 'debris';

  /** The name of the debris in the map. */
  get name(): string {
    return this.components.debris[this.row]!.name;
  }
}

/** A region: current top-left corner and size, px. */
export class RegionHandle extends EntityHandle<HandleLookup> {
  readonly kind = 'region';

  /** The name of the region's variable. */
  get name(): string {
    return this.components.region[this.row]!.name;
  }

  get x(): number {
    return this.components.region[this.row]!.x;
  }

  get y(): number {
    return this.components.region[this.row]!.y;
  }

  get width(): number {
    return this.components.region[this.row]!.width;
  }

  get height(): number {
    return this.components.region[this.row]!.height;
  }
}

/** The sensor of a unit, or a wall of the map. Only events refer to them. */
export class OtherHandle extends EntityHandle<HandleLookup> {
  constructor(
    handles: HandleLookup,
    ref: EntityRef,
    readonly kind: 'sensor' | 'wall',
  ) {
    super(handles, ref);
  }
}

/** Longer key names are rejected (see rules/control). */
const keyLengthMax = 64;

/**
 * A player, for hosts, bots and tests. The methods send inputs, which take effect in the next step. The handle is
 * available as soon as the player asks to join; `exists` tells whether the player is in the game.
 */
export class PlayerHandle extends EntityHandle<HandleLookup> {
  readonly kind = 'player';

  constructor(
    handles: HandleLookup,
    readonly clientId: string,
    ref?: EntityRef,
  ) {
    super(handles, ref);
  }

  /** The entity's number; 0 before the player has joined and after it has left. */
  override get entity(): Entity {
    if (this.ref !== undefined && this.world.ref(this.ref.entity) === this.ref) return this.ref.entity;
    const ref = this.world.ref(this.world.playerOf(this.clientId));
    if (ref === undefined) return noEntity;
    this.ref = ref;
    return ref.entity;
  }

  override get id(): string {
    return this.entity === noEntity ? super.id : this.ref!.id;
  }

  get name(): string {
    return this.components.name[this.row]!;
  }

  /** Account id; undefined for a guest. */
  get userId(): string | undefined {
    return this.components.account[this.row]!.userId;
  }

  /** `computer` for the ten built-in players. A bot counts as `human`. */
  get controlledBy(): 'human' | 'computer' {
    return this.components.player[this.row]!.controlledBy;
  }

  /** The units that the player owns, oldest first. */
  get units(): readonly UnitHandle[] {
    return this.own.units.map((unit) => this.handles.unit(unit)).filter((unit) => unit !== undefined);
  }

  /** The unit that receives the player's key presses; undefined if there is none or the player is not in the game. */
  get unit(): UnitHandle | undefined {
    return this.exists ? this.handles.unit(this.own.selected) : undefined;
  }

  /** The player's latest chat message; undefined if there is none. */
  get lastMessage(): string | undefined {
    return this.components.chat[this.row]?.lastMessage;
  }

  get coins(): number {
    return this.components.wallet[this.row]!.coins;
  }

  /**
   * The key of the shop from which the player can buy, even after the shop's window was closed; undefined before the
   * first shop.
   */
  get openShop(): string | undefined {
    return this.components.page[this.row]?.shop;
  }

  /** Presses a key or mouse button: `w`, `space`, `button1` … Throws if neither clients nor the game know the name. */
  press(key: string): void {
    this.demandKey(key);
    this.handles.input({ kind: 'keyDown', player: this.clientId, key });
  }

  release(key: string): void {
    this.demandKey(key);
    this.handles.input({ kind: 'keyUp', player: this.clientId, key });
  }

  /** Moves the mouse to a position in the world, px. */
  pointAt(x: number, y: number): void {
    for (const place of [x, y]) {
      if (typeof place === 'number' && !Number.isFinite(place))
        throw new UsageError('bad-value', `The position of the mouse must be finite, not ${formatValue(place)}.`);
    }
    this.handles.input({ kind: 'mouse', player: this.clientId, x, y });
  }

  say(text: string): void {
    this.handles.input({ kind: 'chat', player: this.clientId, text });
  }

  /** Answers the input box that is being shown to the player. */
  answer(text: string): void {
    this.handles.input({ kind: 'customInput', player: this.clientId, text });
  }

  leave(): void {
    this.handles.input({ kind: 'leave', player: this.clientId });
  }

  override toString(): string {
    return this.ref?.id ?? this.clientId;
  }

  protected override gone(): UsageError {
    const why = 'it has not joined yet (a join takes effect in the next step), was not let in, or has left';
    return new UsageError('entity-gone', `The player ${this} is not in the game: ${why}.`);
  }

  private demandKey(key: unknown) {
    if (typeof key !== 'string' || key.length === 0 || key.length > keyLengthMax)
      throw new UsageError(
        'bad-key',
        `A key must be a string of 1 to ${keyLengthMax} characters, not ${formatValue(key)}.`,
      );
    const { definition } = this.world;
    if (!isKey(definition, key)) throw unknownWord('bad-key', 'key', key, keysNear(definition, key));
  }

  private get own(): OwnedUnitsState {
    return this.components.ownedUnits[this.row]!;
  }
}

export type AnyHandle =
  | UnitHandle
  | ItemHandle
  | ProjectileHandle
  | PlayerHandle
  | RegionHandle
  | DebrisHandle
  | OtherHandle;
