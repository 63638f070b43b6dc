import type { InventoryState } from '../components/inventory.ts';
import type { OwnedUnitsState } from '../components/owned-units.ts';
import { shown, UsageError, unknownWord } from '../core/usage-error.ts';
import { isKey, keysNear } from '../definition/keys.ts';
import { type Entity, type EntityRef, noEntity } from '../world/entity.ts';
import { EntityHandle, type HandleSource } from './entity-handle.ts';
import { type Input, playerByClientId } from './input.ts';

/** The way from one handle to the others of its simulation, and that of inputs. */
export interface HandleLookup extends HandleSource {
  /** Only one that exists; so `item`. */
  unit(entity: Entity): UnitHandle | undefined;
  item(entity: Entity): ItemHandle | undefined;
  /** Also one that has left. */
  player(entity: Entity): PlayerHandle | undefined;
  input(input: Input): void;
}

/** An entity with a place in the world. */
abstract class PlacedHandle extends EntityHandle<HandleLookup> {
  /** The transform that scripts see, px and radians (0 up, clockwise), of the centre. */
  get x(): number {
    return this.world.components.transform.x[this.row]!;
  }

  get y(): number {
    return this.world.components.transform.y[this.row]!;
  }

  get angle(): number {
    return this.world.components.transform.angle[this.row]!;
  }

  /** As rules and scripts see it, px. Views have the size in which clients draw it. */
  get width(): number {
    return this.world.components.transform.width[this.row]!;
  }

  get height(): number {
    return this.world.components.transform.height[this.row]!;
  }

  get isHidden(): boolean {
    return this.world.components.visibility.hidden[this.row] === 1;
  }
}

/** An entity of a type of the definition, apart from players. */
abstract class BodiedHandle extends PlacedHandle {
  /** Key of its state; undefined where its type has none. */
  get state(): string | undefined {
    return this.runtimeType?.states[this.world.components.identity.state[this.row]!]?.key;
  }

  /** The name of its state, for people. */
  get stateName(): string | undefined {
    return this.runtimeType?.states[this.world.components.identity.state[this.row]!]?.name;
  }

  /** Simulated ms at which it is destroyed; Infinity for never. */
  get deathTimeMs(): number {
    return this.world.components.lifespan.deathTimeMs[this.row]!;
  }

  protected get ownerEntity(): Entity {
    return this.world.components.identity.owner[this.row]!;
  }
}

export class UnitHandle extends BodiedHandle {
  readonly kind = 'unit';

  get name(): string {
    return this.world.components.name[this.row]!;
  }

  /** Its player, also one that has left; undefined for none. */
  get owner(): PlayerHandle | undefined {
    return this.handles.player(this.ownerEntity);
  }

  /** The item in its hand; undefined for none. */
  get holding(): ItemHandle | undefined {
    return this.handles.item(this.own.heldItem);
  }

  /** The items it carries, in the order of their slots. */
  get items(): readonly ItemHandle[] {
    return this.slots.filter((item) => item !== undefined);
  }

  /** The item of each slot, first of the inventory, then of the backpack. */
  get slots(): readonly (ItemHandle | undefined)[] {
    const { slots, inventorySize, backpackSize } = this.own;
    return slots.slice(0, inventorySize + backpackSize).map((item) => this.handles.item(item));
  }

  /** Index of the selected slot. */
  get slot(): number {
    return this.own.currentSlot;
  }

  get isMoving(): boolean {
    return this.world.components.movement.moving[this.row] === 1;
  }

  private get own(): InventoryState {
    return this.world.components.inventory[this.row]!;
  }
}

export class ItemHandle extends BodiedHandle {
  readonly kind = 'item';

  get name(): string {
    return this.world.components.name[this.row]!;
  }

  /** The unit that carries it; undefined for none. */
  get owner(): UnitHandle | undefined {
    return this.handles.unit(this.ownerEntity);
  }

  /** Infinity for endless. */
  get quantity(): number {
    return this.world.components.stack.quantity[this.row]!;
  }

  /** The largest stack; Infinity for endless. */
  get quantityMax(): number {
    return this.world.components.stack.maxQuantity[this.row]!;
  }

  /** Index of the carrier's slot it is in; undefined while it has no carrier. */
  get slot(): number | undefined {
    const slot = this.world.components.carried.slot[this.row]!;
    return slot < 0 ? undefined : slot;
  }

  get isUsed(): boolean {
    return this.world.components.itemUse.beingUsed[this.row] === 1;
  }
}

export class ProjectileHandle extends BodiedHandle {
  readonly kind = 'projectile';

  /** The unit that made it; undefined for none and for one that is gone. */
  get owner(): UnitHandle | undefined {
    return this.handles.unit(this.ownerEntity);
  }

  /** The item that shot it; undefined for none and for one that is gone. */
  get sourceItem(): ItemHandle | undefined {
    return this.handles.item(this.world.components.projectile[this.row]!.sourceItem);
  }
}

export class DebrisHandle extends PlacedHandle {
  readonly kind = 'debris';

  /** Its name on the map. */
  get name(): string {
    return this.world.components.debris[this.row]!.name;
  }
}

/** A region as it is now: top-left corner and size, px. */
export class RegionHandle extends EntityHandle<HandleLookup> {
  readonly kind = 'region';

  /** Name of its variable. */
  get name(): string {
    return this.world.components.region[this.row]!.name;
  }

  get x(): number {
    return this.world.components.region[this.row]!.x;
  }

  get y(): number {
    return this.world.components.region[this.row]!.y;
  }

  get width(): number {
    return this.world.components.region[this.row]!.width;
  }

  get height(): number {
    return this.world.components.region[this.row]!.height;
  }
}

/** The sensor of a unit, or a wall of the map: events name them. */
export class OtherHandle extends EntityHandle<HandleLookup> {
  readonly kind: 'sensor' | 'wall';

  constructor(handles: HandleLookup, ref: EntityRef, kind: 'sensor' | 'wall') {
    super(handles, ref);
    this.kind = kind;
  }
}

/** Longer names than keys have are not believed (see rules/control). */
const keyLengthMax = 64;

/**
 * A player: what a host, a bot or a test holds of a person or bot. Its inputs take effect in the next step. It is there from the moment it
 * asks to join; `exists` says whether it is in the game.
 */
export class PlayerHandle extends EntityHandle<HandleLookup> {
  readonly kind = 'player';
  readonly clientId: string;

  constructor(handles: HandleLookup, clientId: string, ref?: EntityRef) {
    super(handles, ref);
    this.clientId = clientId;
  }

  /** 0 before it has joined and after it has left. */
  override get entity(): Entity {
    if (this.ref !== undefined && this.world.ref(this.ref.entity) === this.ref) return this.ref.entity;
    const ref = this.world.ref(playerByClientId(this.handles, this.clientId));
    if (ref === undefined) return noEntity;
    this.ref = ref;
    return ref.entity;
  }

  override get id(): string {
    return this.entity === noEntity ? super.id : this.ref!.id;
  }

  get name(): string {
    return this.world.components.name[this.row]!;
  }

  /** The id of its account; undefined for a guest. */
  get userId(): string | undefined {
    return this.world.components.account[this.row]!.userId;
  }

  /** `computer` for the ten players that belong to the game. A bot is `human`. */
  get controlledBy(): 'human' | 'computer' {
    return this.world.components.player[this.row]!.controlledBy;
  }

  /** The units it owns, oldest first. */
  get units(): readonly UnitHandle[] {
    return this.own.units.map((unit) => this.handles.unit(unit)).filter((unit) => unit !== undefined);
  }

  /** The unit that gets its keys; undefined for none, and while it is not in the game. */
  get unit(): UnitHandle | undefined {
    return this.exists ? this.handles.unit(this.own.selected) : undefined;
  }

  /** Its last message; undefined for none. */
  get lastMessage(): string | undefined {
    return this.world.components.chat[this.row]?.lastMessage;
  }

  get coins(): number {
    return this.world.components.wallet[this.row]!.coins;
  }

  /** The shop whose window it has open; undefined for none. */
  get openShop(): string | undefined {
    return this.world.components.page[this.row]?.shop;
  }

  /** A key or button goes down: `w`, `space`, `button1` … Throws for a name that neither clients nor the game have. */
  press(key: string): void {
    this.demandKey(key);
    this.handles.input({ kind: 'keyDown', player: this.clientId, key });
  }

  release(key: string): void {
    this.demandKey(key);
    this.handles.input({ kind: 'keyUp', player: this.clientId, key });
  }

  /** World px, finite. */
  pointAt(x: number, y: number): void {
    for (const place of [x, y]) {
      if (typeof place === 'number' && !Number.isFinite(place))
        throw new UsageError('bad-value', `The mouse is at a finite position, not ${shown(place)}.`);
    }
    this.handles.input({ kind: 'mouse', player: this.clientId, x, y });
  }

  say(text: string): void {
    this.handles.input({ kind: 'chat', player: this.clientId, text });
  }

  /** Answers an input box. */
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

  private demandKey(key: unknown): void {
    if (typeof key !== 'string' || key.length === 0 || key.length > keyLengthMax)
      throw new UsageError('bad-key', `A key is a text of 1 to ${keyLengthMax} characters, not ${shown(key)}.`);
    const { definition } = this.world;
    if (!isKey(definition, key)) throw unknownWord('bad-key', 'key', key, keysNear(definition, key));
  }

  private get own(): OwnedUnitsState {
    return this.world.components.ownedUnits[this.row]!;
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
