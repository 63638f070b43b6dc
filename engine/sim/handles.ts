import type { InventoryState } from '../components/inventory.ts';
import type { OwnedUnitsState } from '../components/owned-units.ts';
import { shown, UsageError, unknownWord } from '../core/usage-error.ts';
import { boundKeys, isKey, keyNames } from '../definition/keys.ts';
import { attributeRow } from '../rules/entities/attribute.ts';
import { readVariable } from '../rules/entities/variable.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../world/entity.ts';
import { type AnyRuntimeType, typeOf } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { type Input, playerByClientId } from './input.ts';

/**
 * A program's reference to an entity. It reads the world as it is at that moment, also in the middle of a tick, and changes nothing. There is
 * one for each entity, so that `===` says whether two are the same. Once the entity is gone, `exists` is false, and every read but
 * `id`, `kind` and `exists` throws `UsageError` (`entity-gone`).
 */
export abstract class EntityHandle {
  abstract readonly kind: Exclude<Kind, 'none'>;
  /** The handles of its simulation. Private at run time: code that prints or compares a handle must not walk the world. */
  readonly #handles: Handles;
  /** Undefined only of a player that has not joined. */
  protected ref: EntityRef | undefined;

  constructor(handles: Handles, ref: EntityRef | undefined) {
    this.#handles = handles;
    this.ref = ref;
  }

  protected get handles(): Handles {
    return this.#handles;
  }

  protected get world(): World {
    return this.#handles.world;
  }

  /** The number by which events name the entity; see `Simulation.handle`. */
  get entity(): Entity {
    return this.ref?.entity ?? noEntity;
  }

  /** The id that people and scripts use: `u1` a unit, `i1` an item, `b1` a projectile, `r:<variable>` a region, a player as it joined or `p1`. */
  get id(): string {
    if (this.ref === undefined) throw this.gone();
    return this.ref.id;
  }

  get exists(): boolean {
    return this.world.exists(this.entity);
  }

  /** Key of its type; undefined for what has none: a player before it is given one, regions, debris. */
  get type(): string | undefined {
    return this.runtimeType?.key;
  }

  /** The name of its type, for people. */
  get typeName(): string | undefined {
    return this.runtimeType?.name;
  }

  /** The value of an attribute; undefined where its type has no such attribute. Throws for a key that no type of the game has. */
  attribute(key: string): number | undefined {
    const at = this.attributeRow(key);
    return at < 0 ? undefined : this.world.attributes.value[at]!;
  }

  /** The bounds of an attribute as they are now; undefined where its type has no such attribute. */
  attributeBounds(key: string): { readonly min: number; readonly max: number } | undefined {
    const at = this.attributeRow(key);
    const { min, max } = this.world.attributes;
    return at < 0 ? undefined : { min: min[at]!, max: max[at]! };
  }

  /** Keys and values of all its attributes, in the order of its type. */
  get attributes(): { readonly [key: string]: number } {
    const keys = this.runtimeType?.attributes.keys ?? [];
    return Object.fromEntries(keys.map((key) => [key, this.attribute(key)!]));
  }

  /** The value of a variable of its own, entities as handles; undefined where it has no value or its type has no such variable. */
  variable(key: string): unknown {
    this.demandExistence();
    const layout = this.world.components.variables[rowOf(this.entity)]?.layout;
    if (layout?.slots.has(key) !== true) this.handles.demandVariable(key);
    return this.handles.outward(readVariable(this.world, this.entity, key));
  }

  /** Whether it has a variable of that name, with or without a value. */
  hasVariable(key: string): boolean {
    return this.world.components.variables[this.row]?.layout.slots.has(key) ?? false;
  }

  /** Names and values of all its variables. */
  get variables(): { readonly [key: string]: unknown } {
    const row = this.row;
    const names = this.world.components.variables[row]?.layout.names ?? [];
    return Object.fromEntries(names.map((name) => [name, this.variable(name)]));
  }

  /** In messages. */
  toString(): string {
    return this.ref?.id ?? this.kind;
  }

  /** As views write it: `@u1`. */
  toJSON(): string {
    return `@${this.toString()}`;
  }

  /** Whether it is of the simulation that these handles belong to. */
  isOf(handles: Handles): boolean {
    return this.#handles === handles;
  }

  /** Throws once the entity is gone. */
  demandExistence(): void {
    if (!this.world.exists(this.entity)) throw this.gone();
  }

  protected gone(): UsageError {
    return new UsageError(
      'entity-gone',
      `The ${this.kind} ${this} is gone. Ask whether it \`exists\` before you read it.`,
    );
  }

  /** The row to read from. */
  protected get row(): number {
    this.demandExistence();
    return rowOf(this.entity);
  }

  protected get runtimeType(): AnyRuntimeType | undefined {
    this.demandExistence();
    return typeOf(this.world, this.entity);
  }

  private attributeRow(key: string): number {
    this.demandExistence();
    const at = attributeRow(this.world, this.entity, key);
    if (at < 0) this.handles.demandAttribute(key);
    return at;
  }
}

/** An entity with a place in the world. */
abstract class PlacedHandle extends EntityHandle {
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

  /** px. */
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
export class RegionHandle extends EntityHandle {
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
export class OtherHandle extends EntityHandle {
  readonly kind: 'sensor' | 'wall';

  constructor(handles: Handles, ref: EntityRef, kind: 'sensor' | 'wall') {
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
export class PlayerHandle extends EntityHandle {
  readonly kind = 'player';
  readonly clientId: string;

  constructor(handles: Handles, clientId: string, ref?: EntityRef) {
    super(handles, ref);
    this.clientId = clientId;
  }

  /** 0 before it has joined and after it has left. */
  override get entity(): Entity {
    if (this.ref !== undefined && this.world.exists(this.ref.entity)) return this.ref.entity;
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
    if (!isKey(definition, key)) throw unknownWord('bad-key', 'key', key, [...keyNames, ...boundKeys(definition)]);
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

/** Deeper than this, a value that scripts made is cut off: they can nest without end. */
const depthMax = 100;

/** The handles of one simulation. */
export class Handles {
  readonly world: World;
  readonly input: (input: Input) => void;
  /** By what is one per entity too, so that nothing here outlives what holds it. */
  private readonly byRef = new WeakMap<EntityRef, AnyHandle>();
  /** Handles that are held of players that are not in the game, by client id: one for each. */
  private readonly joining = new Map<string, WeakRef<PlayerHandle>>();
  private readonly unheld = new FinalizationRegistry<string>((clientId) => {
    if (this.joining.get(clientId)?.deref() === undefined) this.joining.delete(clientId);
  });

  constructor(world: World, input: (input: Input) => void) {
    this.world = world;
    this.input = input;
  }

  /** Of an entity that exists or is still remembered; undefined for others. */
  of(entity: Entity): AnyHandle | undefined {
    const ref = this.world.handle(entity);
    return ref && this.ofRef(ref);
  }

  ofRef(ref: EntityRef): AnyHandle {
    let handle = this.byRef.get(ref);
    if (handle === undefined) {
      handle = this.make(ref);
      this.byRef.set(ref, handle);
    }
    return handle;
  }

  private make(ref: EntityRef): AnyHandle {
    switch (ref.kind) {
      case 'unit':
        return new UnitHandle(this, ref);
      case 'item':
        return new ItemHandle(this, ref);
      case 'projectile':
        return new ProjectileHandle(this, ref);
      case 'region':
        return new RegionHandle(this, ref);
      case 'debris':
        return new DebrisHandle(this, ref);
      case 'player': {
        const clientId = this.world.components.player[rowOf(ref.entity)]?.clientId ?? ref.id;
        return this.joining.get(clientId)?.deref() ?? new PlayerHandle(this, clientId, ref);
      }
      default:
        return new OtherHandle(this, ref, ref.kind as 'sensor' | 'wall');
    }
  }

  /** The player of a client id, who may be about to join. */
  ofClient(clientId: string): PlayerHandle {
    const player = this.player(playerByClientId(this, clientId));
    if (player !== undefined) return player;
    let handle = this.joining.get(clientId)?.deref();
    if (handle === undefined) {
      handle = new PlayerHandle(this, clientId);
      this.joining.set(clientId, new WeakRef(handle));
      this.unheld.register(handle, clientId);
    }
    return handle;
  }

  /** Somebody's joining is over, whatever came of it. */
  joined(clientId: string): void {
    // A player that is in the game is found by its entity from here on.
    this.of(playerByClientId(this, clientId));
    this.joining.delete(clientId);
  }

  /** Only one that exists; so `item`. */
  unit(entity: Entity): UnitHandle | undefined {
    const handle = this.world.exists(entity) ? this.of(entity) : undefined;
    return handle instanceof UnitHandle ? handle : undefined;
  }

  item(entity: Entity): ItemHandle | undefined {
    const handle = this.world.exists(entity) ? this.of(entity) : undefined;
    return handle instanceof ItemHandle ? handle : undefined;
  }

  /** Also one that has left. */
  player(entity: Entity): PlayerHandle | undefined {
    const handle = this.of(entity);
    return handle instanceof PlayerHandle ? handle : undefined;
  }

  /** Those that exist, oldest first. */
  all<H extends AnyHandle>(kind: H['kind']): H[] {
    const { world } = this;
    const handles: H[] = [];
    for (const entity of world.lists[Kind[kind]]!.entries) if (world.exists(entity)) handles.push(this.of(entity) as H);
    return handles;
  }

  /** A value of a script as programs get it: a copy, with a handle for each entity. */
  outward(value: unknown): unknown {
    return copyOf(value, (each) => (each instanceof EntityRef ? this.ofRef(each) : undefined));
  }

  /** A value of a program as scripts get it: a copy, with the handles turned back. Throws for what is neither plain data nor a handle. */
  inward(value: unknown): unknown {
    return copyOf(value, (each) => {
      if (each instanceof EntityHandle) return this.world.ref(this.entityOf(each));
      if (typeof each === 'function' || typeof each === 'symbol' || typeof each === 'bigint')
        throw new UsageError('bad-value', `A value of a script is plain data or a handle, not ${shown(each)}.`);
      return undefined;
    });
  }

  /** The entity of a handle of one of these kinds, of this simulation, that exists. */
  entityOf(handle: unknown, ...kinds: readonly AnyHandle['kind'][]): Entity {
    const wanted = kinds.length === 0 ? 'an entity' : kinds.map(withArticle).join(' or ');
    if (!(handle instanceof EntityHandle)) {
      throw new UsageError('wrong-handle', `This takes the handle of ${wanted}, not ${shown(handle)}.`);
    }
    if (kinds.length > 0 && !kinds.includes(handle.kind)) {
      throw new UsageError(
        'wrong-handle',
        `This takes the handle of ${wanted}, and ${handle} is ${withArticle(handle.kind)}.`,
      );
    }
    if (!handle.isOf(this)) {
      throw new UsageError('wrong-handle', `The ${handle.kind} ${handle} is of another simulation.`);
    }
    handle.demandExistence();
    return handle.entity;
  }

  /** Throws for an attribute that no type of the game has. */
  demandAttribute(key: string): void {
    this.demandSome('attribute', key, ({ attributes }) => attributes.keys);
  }

  /** Throws for a variable that no type of the game has. */
  demandVariable(key: string): void {
    this.demandSome('variable', key, ({ variables }) => variables.names);
  }

  /** Throws for a type that the game does not have. */
  demandType(kind: 'unit' | 'item' | 'projectile' | 'player', key: string): AnyRuntimeType {
    const table = this.world.types[kind];
    const found = table.get(key);
    if (found === undefined)
      throw unknownWord(
        'unknown-type',
        `${kind} type`,
        key,
        table.list.map((type) => type.key),
      );
    return found;
  }

  private demandSome(
    noun: 'attribute' | 'variable',
    key: string,
    keysOf: (type: AnyRuntimeType) => readonly string[],
  ): void {
    const { unit, item, projectile, player } = this.world.types;
    const known = new Set([unit, item, projectile, player].flatMap(({ list }) => list.flatMap(keysOf)));
    if (!known.has(key)) throw unknownWord(`unknown-${noun}`, noun, key, [...known]);
  }
}

function withArticle(kind: string): string {
  return kind === 'item' ? `an ${kind}` : `a ${kind}`;
}

/** Lists and plain objects member by member, each once, so that rings stay rings; `replaced` says what stands for a value instead. */
function copyOf(
  value: unknown,
  replaced: (value: unknown) => unknown,
  copies = new Map<unknown, unknown>(),
  depth = 0,
): unknown {
  const other = replaced(value) ?? copies.get(value);
  if (other !== undefined) return other;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= depthMax) return undefined;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
  copies.set(value, copy);
  for (const [key, member] of Object.entries(value)) {
    // Assigning would do something else to one name, `__proto__`.
    const its = copyOf(member, replaced, copies, depth + 1);
    Object.defineProperty(copy, key, { value: its, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}
