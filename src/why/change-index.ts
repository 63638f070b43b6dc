import { type Entity, type Simulation, triggerTypes } from '../../engine/index.ts';
import { EntityRef, type Internals, internalsOf, Kind, rowOf, type World } from '../../engine/internal.ts';

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
};

interface Known {
  readonly id: string;
  readonly type: number;
  readonly attributes: Float64Array;
  readonly variables: unknown[];
  readonly place: [x: number, y: number, angle: number];
}

const indexedKinds = [Kind.unit, Kind.item, Kind.projectile, Kind.player] as const;
const placeMembers = ['x', 'y', 'angle'] as const;

/**
 * The ticks in which values may have changed, collected while a play is simulated, so that later questions need not
 * simulate it again. May contain ticks without a change, but misses none.
 */
export class ChangeIndex {
  /** The tick at which the values below were read; undefined if they are stale. */
  private tick: number | undefined;
  private readonly globals: unknown[] = [];
  private readonly spent: unknown[] = [];
  private readonly entities = new Map<Entity, Known>();
  private readonly outputs = new Map<string, number>();
  private triggers = new Float64Array(triggerTypes.length);
  private runs = new Float64Array(0);
  /** Keys of variables that have held an object or a list, which scripts can change without replacing it. */
  private readonly objects = new Set<string>();
  /** Ids of all entities seen so far. */
  private readonly ids = new Set<string>();
  private readonly noted = new Set<number>();
  /** Ticks by key. */
  private readonly changed = new Map<string, Set<number>>();

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
      if (isObject(value)) this.objects.add(indexKey.global(slot));
      if (value === this.globals[slot] && defaultSpent[slot] === this.spent[slot]) continue;
      this.note(indexKey.global(slot), tick);
      this.globals[slot] = value;
      this.spent[slot] = defaultSpent[slot];
    }
    this.compareEntities(sim, world, tick);
    this.compareCounts(inside, tick);
  }

  private compareEntities(sim: Simulation, world: World, tick: number | undefined): void {
    const { attributes, identity, variables, transform } = world.components;
    const gone = new Set(this.entities.keys());
    for (const kind of indexedKinds) {
      for (const entity of world.lists[kind]!.entries) {
        if (!world.exists(entity)) continue;
        gone.delete(entity);
        const row = rowOf(entity);
        const first = attributes.start[row]!;
        const length = attributes.count[row]!;
        const own = variables[row]?.values ?? [];
        const known = this.entities.get(entity);
        if (known === undefined || known.type !== identity.type[row] || known.attributes.length !== length) {
          const { id } = sim.handle(entity)!;
          for (let slot = 0; slot < own.length; slot++)
            if (isObject(own[slot])) this.objects.add(indexKey.variable(id, slot));
          this.ids.add(id);
          this.note(indexKey.entity(id), tick);
          this.entities.set(entity, {
            id,
            type: identity.type[row]!,
            attributes: world.attributes.value.slice(first, first + length),
            variables: [...own],
            place: [transform.x[row]!, transform.y[row]!, transform.angle[row]!],
          });
          continue;
        }
        for (let i = 0; i < length; i++) {
          const value = world.attributes.value[first + i]!;
          if (value === known.attributes[i]) continue;
          this.note(indexKey.attribute(known.id, i), tick);
          known.attributes[i] = value;
        }
        for (let slot = 0; slot < own.length; slot++) {
          const value = own[slot];
          if (isObject(value)) this.objects.add(indexKey.variable(known.id, slot));
          if (value === known.variables[slot]) continue;
          this.note(indexKey.variable(known.id, slot), tick);
          known.variables[slot] = value;
        }
        for (let i = 0; i < placeMembers.length; i++) {
          const value = transform[placeMembers[i]!][row]!;
          if (value === known.place[i]) continue;
          this.note(indexKey.place(known.id, placeMembers[i]!), tick);
          known.place[i] = value;
        }
      }
    }
    for (const entity of gone) {
      this.note(indexKey.entity(this.entities.get(entity)!.id), tick);
      this.entities.delete(entity);
    }
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
  }

  private note(key: string, tick: number | undefined): void {
    if (tick === undefined) return;
    const ticks = this.changed.get(key);
    if (ticks === undefined) this.changed.set(key, new Set([tick]));
    else ticks.add(tick);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof EntityRef);
}
