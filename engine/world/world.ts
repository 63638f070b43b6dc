import type { AccountState } from '../components/account.ts';
import { archetypes, type Components, components } from '../components/index.ts';
import type { InventoryState } from '../components/inventory.ts';
import { kindTags } from '../components/kinds.ts';
import { Seen } from '../components/seen.ts';
import { StatusEffects } from '../components/status-effects.ts';
import { RandomStreams } from '../core/random.ts';
import type { Definition } from '../definition/definition.ts';
import type { AwakeList } from '../ecs/awake.ts';
import type { Component, Tag } from '../ecs/component.ts';
import { EntityTable } from '../ecs/entities.ts';
import { EntityList } from '../ecs/list.ts';
import { Membership, type Query } from '../ecs/membership.ts';
import { AttributeTable } from './attribute.ts';
import { clockState } from './clock.ts';
import { type Entity, EntityRef, Kind, kinds, noEntity, rowOf } from './entity.ts';
import { type Fault, type FaultCode, FaultLog, type SkipCode } from './faults.ts';
import type { Limits } from './limits.ts';
import { type DetailsOf, Outbox, type OutputEvent, type OutputKind } from './outbox.ts';
import { scriptMemory } from './script-memory.ts';
import { newServerState } from './server-state.ts';
import { shownState } from './shown.ts';
import { type TileMap, tileMap } from './tile-map.ts';
import { Timers } from './timer.ts';
import { type DispatchObserver, type TriggerPort, Triggers } from './trigger-dispatch.ts';
import type { TypeTables } from './types.ts';
import type { GlobalVariables } from './variable.ts';

/** Initial number of rows, which many games never exceed. Columns grow by doubling. */
const firstRows = 64;

/**
 * Maximum number of destroyed entities whose rows are kept because groups contain them. Each of them occupies a row.
 */
const heldByGroupsMax = 1000;

/** The parts from which a world is made. Observers are called from the start, also while the world is being built. */
export interface WorldSetup {
  readonly definition: Definition;
  readonly limits: Limits;
  readonly seed: string;
  readonly types: TypeTables;
  readonly globals: GlobalVariables;
  /** The date at which the game starts, as scripts see it, ms since 1970-01-01 UTC. Default 0. */
  readonly epochMs?: number | undefined;
  /** Number of rows of the state that the world will be filled with. Default 0. */
  readonly rows?: number | undefined;
  /** Makes the script runtime of the world; called once, at the end of its construction. */
  connect(world: World): TriggerPort;
  readonly observers?:
    | {
        readonly trigger?: DispatchObserver | undefined;
        /** Called for the first fault of each code and source location. */
        readonly fault?: ((fault: Fault) => void) | undefined;
        readonly output?: ((event: OutputEvent) => void) | undefined;
      }
    | undefined;
}

/** The whole state of one game, with primitives that change it. Contains no rules of the game. */
export class World {
  readonly definition: Definition;
  readonly limits: Limits;
  readonly types: TypeTables;
  readonly components: Components;

  readonly clock = clockState.create();
  /** The attributes of all entities. The component `attributes` says which rows belong to which entity. */
  readonly attributes = new AttributeTable();
  readonly globals: GlobalVariables;
  readonly random: RandomStreams;
  /** Effects outside the simulated world. No rule reads them back. */
  readonly outbox: Outbox;
  readonly faults: FaultLog;
  readonly skips: FaultLog<SkipCode>;
  readonly timers = new Timers();
  /** Values of recent events that scripts can read. */
  readonly memory = scriptMemory.create();
  readonly server = newServerState();
  /** The values that the host has set for its functions, by `hostKey`. */
  readonly hostValues = new Map<string, unknown>();
  /** Everything that clients have been shown. */
  readonly shown = shownState.create();
  /** The dispatcher of triggers: the queue of triggers, and the number of times that each has fired. */
  readonly triggers: Triggers;
  /** The map with its current tiles. */
  map: TileMap;

  /** The number of entities that were ever created, by kind. */
  readonly made = new Float64Array(kinds.length);
  /** The entity table: which rows are in use, in which order entities were created, and which of them are awake. */
  readonly entities: EntityTable;
  /** The entities of each kind, in creation order. */
  readonly lists: readonly EntityList[];
  /** Players whose clients report which tick they display (component `seen`). */
  readonly withSeen: Query;
  /** Units with status effects. */
  readonly withStatusEffects: Query;
  /**
   * Tables of other modules that store something by row. The method `reserve` of each table is called when the number
   * of rows grows.
   */
  readonly rowTables: { reserve(rows: number): void }[] = [];
  private readonly membership: Membership;

  constructor({ definition, limits, seed, types, globals, epochMs, rows, connect, observers }: WorldSetup) {
    this.definition = definition;
    this.map = tileMap(definition.map);
    this.limits = limits;
    this.types = types;
    this.globals = globals;
    this.clock.epochMs = epochMs ?? 0;
    let capacity = firstRows;
    while (capacity < (rows ?? 0)) capacity *= 2;
    this.components = components.create(capacity);
    this.entities = new EntityTable(this.components.rows, limits.entities + 1);
    const membership = new Membership(components, this.entities, this.components.rows);
    this.membership = membership;
    this.lists = kinds.map((kind) => (kind === 'none' ? new EntityList() : membership.query(kindTags[kind])));
    this.withSeen = membership.query(Seen);
    this.withStatusEffects = membership.query(StatusEffects);
    this.random = new RandomStreams(seed);
    this.faults = new FaultLog(observers?.fault);
    this.skips = new FaultLog();
    this.outbox = new Outbox(observers?.output);
    const tooMany = () =>
      this.fault('limit-triggers', `More than ${limits.queuedTriggers} triggers are queued in one tick.`);
    this.triggers = new Triggers(connect(this), observers?.trigger, limits.queuedTriggers, tooMany);
  }

  // The following methods concern entities.

  get entityCount(): number {
    return this.entities.count;
  }

  /** All entities in creation order. */
  get order(): AwakeList {
    return this.entities.order;
  }

  /**
   * Creates an entity of a kind with the initial values of its components; returns 0 and records a fault if the limit
   * is reached. `name` is the id that scripts and people see; the default is the kind's letter and the number within
   * the kind (`u1`, `i7`).
   */
  allocate(kind: Exclude<Kind, 'none'>, name?: string): Entity {
    const { entities, components: c } = this;
    if (entities.count >= this.limits.entities || !entities.hasRoom) {
      this.fault('limit-entities', `There are already ${entities.count} entities, which is the limit.`);
      return noEntity;
    }
    this.reserve(entities.rowsNeeded);
    // All columns of a free row are 0, except its generation.
    const entity = entities.create();
    const row = rowOf(entity);
    const mask = archetypes[kind];
    components.start(c, row, mask);
    this.membership.begin(entity, mask);
    this.components.identity.kind[row] = Kind[kind];
    const number = ++this.made[Kind[kind]]!;
    this.components.handle[row] = new EntityRef(entity, kind, name ?? number);
    return entity;
  }

  /** The number of rows that fit into the columns. */
  get rowCapacity(): number {
    return this.components.rows.life.length;
  }

  /** Makes room for `rows` rows. Replaces all columns if they must grow. */
  reserve(rows: number): void {
    if (rows <= this.rowCapacity) return;
    components.reserve(this.components, rows);
    for (const table of this.rowTables) table.reserve(this.rowCapacity);
  }

  /** Ends the existence of an entity; its row is freed at the end of the tick. */
  release(entity: Entity): void {
    this.entities.release(entity);
    this.membership.end(entity);
  }

  /** The number of entities that are released but whose rows are not freed yet. */
  get releasedCount(): number {
    return this.entities.leaving.length;
  }

  /**
   * Frees the rows of the first `count` released entities for reuse, except rows that are still held (see `isHeld`).
   * Physics must have removed the bodies of these entities before, because the removal ends contacts that refer to the
   * rows. `others` must drop everything that other modules store about a row. `groupsHold`: whether groups in global
   * variables also hold the rows of their members.
   */
  freeReleased(count: number, others: { forget(row: number): void }, groupsHold = false): void {
    if (count === 0) return;
    const grouped = groupsHold ? this.grouped() : undefined;
    const isHeld = (entity: Entity) => this.isHeld(entity) || grouped?.has(entity) === true;
    this.entities.freeReleased(count, isHeld, (row, entity) => {
      const c = this.components;
      this.attributes.free(c.attributes.start[row]!, c.attributes.count[row]!);
      this.shown.opacity.delete(entity);
      this.shown.looks.delete(entity);
      others.forget(row);
      const generation = c.rows.generation[row]!;
      components.clear(c, row);
      this.components.rows.generation[row] = generation;
    });
    this.membership.compact();
  }

  /**
   * Whether something keeps the row of a destroyed entity: a global variable refers to the entity, or the entity is a
   * player who left but still owns units (reference: units#ownership).
   */
  private isHeld(entity: Entity) {
    const row = rowOf(entity);
    if (this.globals.values.includes(this.components.handle[row])) return true;
    const { owner } = this.components.identity;
    return (
      this.components.ownedUnits[row]?.units.some((unit) => this.exists(unit) && owner[rowOf(unit)] === entity) ?? false
    );
  }

  /**
   * The destroyed entities that are members of groups in global variables. If there are more than `heldByGroupsMax`,
   * only those that were destroyed last.
   */
  private grouped(): Set<Entity> {
    const members = new Set<Entity>();
    for (const value of this.globals.values) {
      if (!Array.isArray(value)) continue;
      for (const member of value) if (member instanceof EntityRef) members.add(member.entity);
    }
    const { leaving } = this.entities;
    const held = new Set<Entity>();
    for (let i = leaving.length - 1; i >= 0 && held.size < heldByGroupsMax; i--) {
      if (members.has(leaving[i]!)) held.add(leaving[i]!);
    }
    return held;
  }

  /** Whether the entity is not yet destroyed. While it is being destroyed, it still exists for its own last scripts. */
  exists(entity: Entity): boolean {
    return this.entities.exists(entity);
  }

  /** Whether the entity has a component; false if the entity no longer exists. */
  has(entity: Entity, component: Tag): boolean {
    return this.membership.has(entity, component);
  }

  /** Adds a component with the initial values of its fields, unless the entity has it already. */
  add(entity: Entity, component: Tag): void {
    this.membership.add(entity, component, components.storeOf(this.components, component));
  }

  /** Adds a component that is a single value, if the entity does not have it, and returns the value. */
  ensure<T>(entity: Entity, component: Component<(T | undefined)[]>): T {
    this.add(entity, component);
    return (components.storeOf(this.components, component) as T[])[rowOf(entity)]!;
  }

  /** Removes a component if the entity has it. */
  remove(entity: Entity, component: Tag): void {
    this.membership.remove(entity, component, components.storeOf(this.components, component));
  }

  /**
   * The entities with all these components, oldest first. The returned query is kept up to date: callers should request
   * it once and walk it as often as needed.
   */
  query(...all: readonly Tag[]): Query {
    return this.membership.query(...all);
  }

  /** Rebuilds the queries after the rows of a snapshot have been restored. */
  rowsRestored(): void {
    this.membership.refresh();
  }

  /**
   * Wakes an entity and the items that it carries for the next pass over the entities; see `rules/world/behaviour.ts`.
   */
  wake(entity: Entity): void {
    this.entities.order.wake(entity);
    this.wakeCarried(entity);
  }

  /**
   * Wakes the items in the slots of a unit, because they move with it. Does nothing for entities without an inventory.
   */
  wakeCarried(entity: Entity): void {
    const inventory = this.components.inventory[rowOf(entity)];
    if (inventory === undefined || !this.exists(entity)) return;
    const { slots } = inventory;
    for (let i = 0; i < slots.length; i++) if (slots[i] !== noEntity) this.entities.order.wake(slots[i]!);
  }

  is(entity: Entity, kind: number): boolean {
    return this.exists(entity) && this.components.identity.kind[rowOf(entity)] === kind;
  }

  // Shorthands for frequent reads of components. They also work for a destroyed entity as long as the world remembers
  // it.

  kindOf(entity: Entity): number {
    return this.components.identity.kind[rowOf(entity)]!;
  }

  /** A unit's player, an item's carrier, a projectile's shooter or a sensor's unit; 0 for none. */
  ownerOf(entity: Entity): Entity {
    return this.components.identity.owner[rowOf(entity)]!;
  }

  inventoryOf(unit: Entity): InventoryState {
    return this.components.inventory[rowOf(unit)]!;
  }

  /** The unit that gets the keys of a player; 0 for none. */
  selectedUnitOf(player: Entity): Entity {
    return this.components.ownedUnits[rowOf(player)]!.selected;
  }

  isHuman(player: Entity): boolean {
    return this.components.player[rowOf(player)]!.controlledBy === 'human';
  }

  accountOf(player: Entity): AccountState {
    return this.components.account[rowOf(player)]!;
  }

  /** The handle by which scripts refer to an entity, always the same object; undefined if the entity does not exist. */
  ref(entity: Entity): EntityRef | undefined {
    return this.exists(entity) ? this.components.handle[rowOf(entity)] : undefined;
  }

  /** The player with a client id; 0 if the player is not in the game. */
  playerOf(clientId: string): Entity {
    for (const player of this.lists[Kind.player]!.entries) {
      if (this.exists(player) && this.components.player[rowOf(player)]!.clientId === clientId) return player;
    }
    return noEntity;
  }

  /**
   * Whether the columns of an entity can still be read, because the entity exists, was destroyed in this tick, or is
   * still held. Scripts rely on this when they destroy an entity and then read its position (reference:
   * creation#destruction, variables#writing).
   */
  remembers(entity: Entity): boolean {
    return this.entities.remembers(entity);
  }

  /** Whether the entity is a player, including one that has left but whose units remain. */
  remembersPlayer(entity: Entity): boolean {
    return this.remembers(entity) && this.components.identity.kind[rowOf(entity)] === Kind.player;
  }

  /** Like `ref`, but also for a destroyed entity that the world still remembers. */
  handle(entity: Entity): EntityRef | undefined {
    return this.remembers(entity) ? this.components.handle[rowOf(entity)] : undefined;
  }

  // The following methods concern outputs and faults.

  post<K extends OutputKind>(kind: K, details: DetailsOf<K>): void {
    const { outbox } = this;
    // The source is looked up only if there is a listener, because the lookup is not needed otherwise.
    const whole = outbox.listener === undefined ? details : { ...this.triggers.port.source(), ...details };
    outbox.post(kind, this.clock.tick, this.clock.nowMs / 1000, whole);
  }

  fault(code: FaultCode, message: string, at: string = this.triggers.port.place()): void {
    this.faults.record(code, at, message, this.clock.tick);
  }

  /** Records that an action had nothing to act on, which is not a fault. */
  skip(code: SkipCode, message: string): void {
    this.skips.record(code, this.triggers.port.place(), message, this.clock.tick);
  }
}
