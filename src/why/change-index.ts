import { type Entity, type Simulation, triggerTypes } from '../../engine/index.ts';
import { EntityRef, type Internals, internalsOf, Kind, rowOf, type World } from '../../engine/tools.ts';

/** The keys of the values that the index tracks. */
export const indexKey = {
  global: (slot: number): string => `global ${slot}`,
  /** Whether an entity exists, and its type. */
  entity: (id: string): string => id,
  attribute: (id: string, offset: number): string => `${id} attribute ${offset}`,
  variable: (id: string, slot: number): string => `${id} variable ${slot}`,
  place: (id: string, member: 'x' | 'y' | 'angle'): string => `${id} ${member}`,
  outputs: (kind: string): string => `outputs ${kind}`,
  fired: (trigger: string): string => `fired ${trigger}`,
  runs: (script: number): string => `runs ${script}`,
  action: (location: number): string => `action ${location}`,
};

interface Known {
  readonly entity: Entity;
  readonly id: string;
  readonly attributes: readonly Ticks[];
  readonly variables: unknown[];
  readonly variableTicks: readonly Ticks[];
  readonly x: Ticks;
  readonly y: Ticks;
  readonly angle: Ticks;
}

/**
 * Columns of the world as they were at the last comparison, copied whole, which costs less than copying values one by
 * one.
 */
interface Columns {
  readonly type: Int32Array;
  readonly start: Int32Array;
  readonly count: Int32Array;
  readonly value: Float64Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly angle: Float64Array;
}

/** A set of ticks, stored as runs of consecutive ones, because many values change in every tick. */
class Ticks {
  /** First and last tick of each run. */
  private readonly runs: number[] = [];

  add(tick: number): void {
    const { runs } = this;
    if (runs.at(-1) === tick - 1) runs[runs.length - 1] = tick;
    else runs.push(tick, tick);
  }

  has(tick: number): boolean {
    for (let i = 0; i < this.runs.length; i += 2) if (this.runs[i]! <= tick && tick <= this.runs[i + 1]!) return true;
    return false;
  }

  /** The ticks after `from` up to `to`: how many, and the last one. */
  within(from: number, to: number): { readonly count: number; readonly last: number } {
    let [count, last] = [0, from];
    for (let i = 0; i < this.runs.length; i += 2) {
      const [first, end] = [Math.max(from + 1, this.runs[i]!), Math.min(to, this.runs[i + 1]!)];
      if (first > end) continue;
      count += end - first + 1;
      last = Math.max(last, end);
    }
    return { count, last };
  }
}

const indexedKinds = [Kind.unit, Kind.item, Kind.projectile, Kind.player] as const;
/**
 * The ticks in which values may have changed, collected while a play is simulated, so that later questions need not
 * simulate it again. May contain ticks without a change, but misses none.
 */
export class ChangeIndex {
  /** The tick at which the values below were read; undefined if they are stale. */
  private tick: number | undefined;
  private readonly globals: unknown[] = [];
  private readonly spent: unknown[] = [];
  /** By row. */
  private readonly entities: (Known | undefined)[] = [];
  /** By row: the comparison that found the entity last. */
  private seen = new Int32Array(0);
  private comparison = 0;
  private columns: Columns | undefined;
  private readonly outputs = new Map<string, number>();
  private triggers = new Float64Array(triggerTypes.length);
  private runs = new Float64Array(0);
  private actions = new Float64Array(0);
  /** Keys of variables that have held an object or a list, which scripts can change without replacing it. */
  private readonly objects = new Set<string>();
  /** Ids of all entities seen so far. */
  private readonly ids = new Set<string>();
  private readonly noted = new Set<number>();
  /** Ticks by key. */
  private readonly changed = new Map<string, Ticks>();

  /** Whether the changes of a tick are known. */
  has(tick: number): boolean {
    return this.noted.has(tick);
  }

  /** Whether the index sees every change of an entity with this id. */
  tracks(id: string): boolean {
    return this.ids.has(id);
  }

  /** Whether the index sees every change of a value; it does not see changes inside of objects. */
  follows(key: string): boolean {
    return !this.objects.has(key);
  }

  mayHaveChanged(key: string, tick: number): boolean {
    return this.changed.get(key)?.has(tick) === true;
  }

  /** The ticks after `from` up to `to` in which an action ran; undefined if there are none. */
  ranIn(location: number, from: number, to: number): { readonly count: number; readonly last: number } | undefined {
    const found = this.changed.get(indexKey.action(location))?.within(from, to);
    return found?.count === 0 ? undefined : found;
  }

  /** Call before a tick is simulated. */
  before(sim: Simulation): void {
    if (this.tick === sim.tick || this.has(sim.tick + 1)) return;
    this.compare(sim, undefined);
    this.tick = sim.tick;
  }

  /** Call after it. */
  after(sim: Simulation): void {
    const { tick } = sim;
    if (this.tick !== tick - 1) return;
    this.compare(sim, tick);
    this.tick = tick;
    this.noted.add(tick);
  }

  private compare(sim: Simulation, tick: number | undefined): void {
    const inside = internalsOf(sim);
    const { world } = inside;
    const { values, defaultSpent } = world.globals;
    for (let slot = 0; slot < values.length; slot++) {
      const value = values[slot];
      if (value === this.globals[slot] && defaultSpent[slot] === this.spent[slot]) continue;
      if (isObject(value)) this.objects.add(indexKey.global(slot));
      this.note(indexKey.global(slot), tick);
      this.globals[slot] = value;
      this.spent[slot] = defaultSpent[slot];
    }
    this.compareEntities(sim, world, tick);
    this.compareCounts(inside, tick);
  }

  private compareEntities(sim: Simulation, world: World, tick: number | undefined): void {
    const { attributes, identity, variables, transform } = world.components;
    const { x, y, angle } = transform;
    const { value } = world.attributes;
    const before = this.columns;
    if (this.seen.length < x.length) this.seen = new Int32Array(x.length);
    const { entities, seen } = this;
    const comparison = ++this.comparison;
    for (const kind of indexedKinds) {
      for (const entity of world.lists[kind]!.entries) {
        if (!world.exists(entity)) continue;
        const row = rowOf(entity);
        const known = entities[row];
        const length = attributes.count[row]!;
        const own = variables[row]?.values ?? noValues;
        seen[row] = comparison;
        if (
          before === undefined ||
          known?.entity !== entity ||
          before.type[row] !== identity.type[row] ||
          before.count[row] !== length
        ) {
          if (known !== undefined && known.entity !== entity) this.note(indexKey.entity(known.id), tick);
          entities[row] = this.met(sim, entity, length, own, tick);
          continue;
        }
        if (length > 0) {
          const [now, then] = [attributes.start[row]!, before.start[row]!];
          for (let i = 0; i < length; i++)
            if (value[now + i] !== before.value[then + i] && tick !== undefined) known.attributes[i]!.add(tick);
        }
        for (let slot = 0; slot < own.length; slot++) {
          const held = own[slot];
          if (held === known.variables[slot]) continue;
          if (isObject(held)) this.objects.add(indexKey.variable(known.id, slot));
          if (tick !== undefined) known.variableTicks[slot]!.add(tick);
          known.variables[slot] = held;
        }
        if (tick === undefined) continue;
        if (x[row] !== before.x[row]) known.x.add(tick);
        if (y[row] !== before.y[row]) known.y.add(tick);
        if (angle[row] !== before.angle[row]) known.angle.add(tick);
      }
    }
    for (let row = 0; row < entities.length; row++) {
      const known = entities[row];
      if (known === undefined || seen[row] === comparison) continue;
      this.note(indexKey.entity(known.id), tick);
      entities[row] = undefined;
    }
    this.columns = {
      type: copied(identity.type, before?.type),
      start: copied(attributes.start, before?.start),
      count: copied(attributes.count, before?.count),
      value: copied(value, before?.value),
      x: copied(x, before?.x),
      y: copied(y, before?.y),
      angle: copied(angle, before?.angle),
    };
  }

  /** An entity that is new, or has another type or number of attributes. */
  private met(
    sim: Simulation,
    entity: Entity,
    length: number,
    own: readonly unknown[],
    tick: number | undefined,
  ): Known {
    const { id } = sim.handle(entity)!;
    for (let slot = 0; slot < own.length; slot++)
      if (isObject(own[slot])) this.objects.add(indexKey.variable(id, slot));
    this.ids.add(id);
    this.note(indexKey.entity(id), tick);
    return {
      entity,
      id,
      attributes: Array.from({ length }, (_, i) => this.ticksOf(indexKey.attribute(id, i))),
      variables: [...own],
      variableTicks: own.map((_, slot) => this.ticksOf(indexKey.variable(id, slot))),
      x: this.ticksOf(indexKey.place(id, 'x')),
      y: this.ticksOf(indexKey.place(id, 'y')),
      angle: this.ticksOf(indexKey.place(id, 'angle')),
    };
  }

  private compareCounts({ world, runtime }: Internals, tick: number | undefined): void {
    for (const [kind, count] of world.outbox.counts) {
      if (this.outputs.get(kind) === count) continue;
      this.note(indexKey.outputs(kind), tick);
      this.outputs.set(kind, count);
    }
    const { counts } = world.triggers;
    for (let i = 0; i < counts.length; i++)
      if (counts[i] !== this.triggers[i]) this.note(indexKey.fired(triggerTypes[i]!), tick);
    for (let i = 0; i < runtime.runs.length; i++)
      if (runtime.runs[i] !== this.runs[i]) this.note(indexKey.runs(i), tick);
    this.triggers = Float64Array.from(counts);
    this.runs = runtime.runs.slice();
    // Counts restart at 0 with an edit, in which nothing ran.
    for (let i = 0; i < runtime.counts.length; i++)
      if (runtime.counts[i]! > (this.actions[i] ?? 0)) this.note(indexKey.action(i), tick);
    this.actions = runtime.counts.slice();
  }

  private note(key: string, tick: number | undefined): void {
    if (tick !== undefined) this.ticksOf(key).add(tick);
  }

  private ticksOf(key: string): Ticks {
    let ticks = this.changed.get(key);
    if (ticks === undefined) {
      ticks = new Ticks();
      this.changed.set(key, ticks);
    }
    return ticks;
  }
}

const noValues: readonly unknown[] = [];

/** A copy of a column, in the place of its last copy if that has the same length. */
function copied<C extends Int32Array | Float64Array>(column: C, last: C | undefined): C {
  if (last?.length !== column.length) return column.slice() as C;
  last.set(column);
  return last;
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof EntityRef);
}
