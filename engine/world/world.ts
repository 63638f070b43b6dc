import { archetypes, type Components, components } from '../components/index.ts';
import { kindTags } from '../components/kinds.ts';
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

/** Columns have as many at first: most games never need more, and memory costs time to clear. */
const firstRows = 1024;

/** The parts that a world is made with. Its listeners are called from its first moment on. */
export interface WorldSetup {
  readonly definition: Definition;
  readonly limits: Limits;
  readonly seed: string;
  readonly types: TypeTables;
  readonly globals: GlobalVariables;
  /** Default 0. */
  readonly epochMs?: number | undefined;
  /** Makes the scripts' side of a world, once, at the end of its construction. `noScripts` where there are none. */
  connect(world: World): TriggerPort;
  readonly observers?:
    | {
        readonly trigger?: DispatchObserver | undefined;
        /** The first fault of each place. */
        readonly fault?: ((fault: Fault) => void) | undefined;
        readonly output?: ((event: OutputEvent) => void) | undefined;
      }
    | undefined;
}

/**
 * The whole state of one game, and the few primitives everything else is made of. No rule of the game lives here.
 */
export class World {
  readonly definition: Definition;
  readonly limits: Limits;
  readonly types: TypeTables;
  readonly components: Components;

  readonly clock = clockState.create();
  /** Values, bounds and rates of attributes. The component `attributes` says which rows belong to an entity. */
  readonly attributes = new AttributeTable();
  readonly globals: GlobalVariables;
  readonly random: RandomStreams;
  /** Effects outside the simulated world. No rule reads them back. */
  readonly outbox: Outbox;
  readonly faults: FaultLog;
  readonly skips: FaultLog<SkipCode>;
  readonly timers = new Timers();
  /** Values that scripts can ask for later. */
  readonly memory = scriptMemory.create();
  readonly server = newServerState();
  /** What clients were shown. */
  readonly shown = shownState.create();
  /** The queue of triggers, and how often each has fired. */
  readonly triggers: Triggers;
  /** The current tiles. */
  map: TileMap;

  /** Entities ever created, by kind. */
  readonly made = new Float64Array(kinds.length);
  /** Which rows are in use, the order of entities, and which are awake. */
  readonly entities: EntityTable;
  /** The entities of each kind, in creation order. */
  readonly lists: readonly EntityList[];
  /** Units with status effects. */
  readonly withStatusEffects: Query;
  private readonly membership: Membership;

  constructor({ definition, limits, seed, types, globals, epochMs, connect, observers }: WorldSetup) {
    this.definition = definition;
    this.map = tileMap(definition.map);
    this.limits = limits;
    this.types = types;
    this.globals = globals;
    this.clock.epochMs = epochMs ?? 0;
    const rows = limits.entities + 1;
    this.components = components.create(Math.min(rows, firstRows));
    this.entities = new EntityTable(this.components.rows, rows);
    const membership = new Membership(components, this.entities, this.components.rows);
    this.membership = membership;
    this.lists = kinds.map((kind) => (kind === 'none' ? new EntityList() : membership.query(kindTags[kind])));
    this.withStatusEffects = membership.query(StatusEffects);
    this.random = new RandomStreams(seed);
    this.faults = new FaultLog(observers?.fault);
    this.skips = new FaultLog();
    this.outbox = new Outbox(observers?.output);
    const tooMany = (): void =>
      this.fault('limit-triggers', `More than ${limits.queuedTriggers} triggers wait in one tick.`);
    this.triggers = new Triggers(connect(this), observers?.trigger, limits.queuedTriggers, tooMany);
  }

  // Entities.

  get entityCount(): number {
    return this.entities.count;
  }

  /** Everything, in creation order. */
  get order(): AwakeList {
    return this.entities.order;
  }

  /**
   * Makes a row of a kind with all columns at their start; 0, and a fault, when the limit is reached. `name` is the id that scripts and people see.
   * Left out, it is the kind's letter and the entity's number in its kind (`u1`, `i7`).
   */
  allocate(kind: Exclude<Kind, 'none'>, name?: string): Entity {
    const { entities, components: c } = this;
    if (entities.count >= this.limits.entities || !entities.hasRoom) {
      this.fault('limit-entities', `There are already ${entities.count} entities.`);
      return noEntity;
    }
    components.reserve(c, entities.rowsNeeded);
    // Every column of a row that is not in use is 0, except its generation.
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

  /** From now on the entity resolves to nothing; its row is freed at the end of the tick. */
  release(entity: Entity): void {
    this.entities.release(entity);
    this.membership.end(entity);
  }

  /** Entities released and not yet freed. */
  get releasedCount(): number {
    return this.entities.leaving.length;
  }

  /**
   * Frees the rows of the first `count` released entities for reuse. Only rows whose bodies physics has removed may be freed, because
   * that removal still ends contacts in their name. `others` drop what they hold of a row.
   */
  freeReleased(count: number, others: { forget(row: number): void }): void {
    if (count === 0) return;
    const isHeld = (entity: Entity): boolean => this.isHeld(entity);
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

  /** A global variable has it, or it is a player whose units have stayed and still are its (reference: units#ownership). Groups hold nothing: they grow. */
  private isHeld(entity: Entity): boolean {
    const row = rowOf(entity);
    if (this.globals.values.includes(this.components.handle[row])) return true;
    const { owner } = this.components.identity;
    return (
      this.components.ownedUnits[row]?.units.some((unit) => this.exists(unit) && owner[rowOf(unit)] === entity) ?? false
    );
  }

  /** Not yet destroyed. An entity that is just being destroyed still exists for its own last scripts. */
  exists(entity: Entity): boolean {
    return this.entities.exists(entity);
  }

  /** Whether the entity has a component. False for what is gone. */
  has(entity: Entity, component: Tag): boolean {
    return this.membership.has(entity, component);
  }

  /** Gives the entity a component, with the first values of its fields; nothing where it has it. */
  add(entity: Entity, component: Tag): void {
    this.membership.add(entity, component, components.storeOf(this.components, component));
  }

  /** As `add`, of a component that is a value: what it is now. */
  ensure<T>(entity: Entity, component: Component<(T | undefined)[]>): T {
    this.add(entity, component);
    return (components.storeOf(this.components, component) as T[])[rowOf(entity)]!;
  }

  /** Takes a component from the entity; nothing where it has it not. */
  remove(entity: Entity, component: Tag): void {
    this.membership.remove(entity, component, components.storeOf(this.components, component));
  }

  /** The entities that have all these components, oldest first, kept up to date. To be asked for once and walked often. */
  query(...all: readonly Tag[]): Query {
    return this.membership.query(...all);
  }

  /** After the rows of a snapshot were put in: the queries follow from them. */
  rowsRestored(): void {
    this.membership.refresh();
  }

  /** The entity has something to do in the next pass over the entities, and so has what it carries; see `rules/world/behaviour.ts`. */
  wake(entity: Entity): void {
    this.entities.order.wake(entity);
    this.wakeCarried(entity);
  }

  /** The items in the slots of a unit have something to do: they go where it goes. Nothing for other entities. */
  wakeCarried(entity: Entity): void {
    const inventory = this.components.inventory[rowOf(entity)];
    if (inventory === undefined || !this.exists(entity)) return;
    const { slots } = inventory;
    for (let i = 0; i < slots.length; i++) if (slots[i] !== noEntity) this.entities.order.wake(slots[i]!);
  }

  /** Exists and is of the kind. */
  is(entity: Entity, kind: number): boolean {
    return this.exists(entity) && this.components.identity.kind[rowOf(entity)] === kind;
  }

  /** The one handle by which scripts hold an existing entity; undefined for one that is gone or none. */
  ref(entity: Entity): EntityRef | undefined {
    return this.exists(entity) ? this.components.handle[rowOf(entity)] : undefined;
  }

  /**
   * Exists, or its row has not been freed: it was destroyed in this tick, or something still holds it. Its columns can still be read. Scripts rely
   * on that which destroy first and ask for the place afterwards (reference: creation#destruction, variables#writing).
   */
  remembers(entity: Entity): boolean {
    return this.entities.remembers(entity);
  }

  /** A player, also one that has left and whose units have stayed. */
  remembersPlayer(entity: Entity): boolean {
    return this.remembers(entity) && this.components.identity.kind[rowOf(entity)] === Kind.player;
  }

  /** As `ref`, also for an entity that is only remembered. */
  handle(entity: Entity): EntityRef | undefined {
    return this.remembers(entity) ? this.components.handle[rowOf(entity)] : undefined;
  }

  // Outputs and faults.

  post<K extends OutputKind>(kind: K, details: DetailsOf<K>): void {
    const { outbox } = this;
    // Where it comes from is looked up only for somebody who listens.
    const whole = outbox.listener === undefined ? details : { ...this.triggers.port.source(), ...details };
    outbox.post(kind, this.clock.tick, this.clock.nowMs / 1000, whole);
  }

  fault(code: FaultCode, message: string, at: string = this.triggers.port.place()): void {
    this.faults.record(code, at, message, this.clock.tick);
  }

  /** An action had nothing to act on, which is no fault of the game's. */
  skip(code: SkipCode, message: string): void {
    this.skips.record(code, this.triggers.port.place(), message, this.clock.tick);
  }
}
