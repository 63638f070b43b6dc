import type { Entity, Simulation } from '../../engine/index.ts';
import { EntityRef, internalsOf, Kind, rowOf } from '../../engine/internal.ts';

/** A value that the index tracks: a global variable by slot, or an attribute of an entity by its offset in the type. */
export type IndexKey =
  | { readonly kind: 'global'; readonly slot: number }
  | { readonly kind: 'attribute'; readonly entity: Entity; readonly offset: number };

interface Known {
  readonly type: number;
  readonly values: Float64Array;
}

const indexedKinds = [Kind.unit, Kind.item, Kind.projectile, Kind.player] as const;

/**
 * The ticks in which global variables and attributes may have changed, collected while a play is simulated, so that
 * later questions need not simulate it again. May contain ticks without a change, but misses none.
 */
export class ChangeIndex {
  /** The tick at which the values below were read; undefined if they are stale. */
  private tick: number | undefined;
  private readonly globals: unknown[] = [];
  private readonly spent: unknown[] = [];
  /** Slots of variables that have held an object or a list. */
  private readonly objects = new Set<number>();
  private readonly entities = new Map<Entity, Known>();
  private readonly noted = new Set<number>();
  /** Ticks by key. */
  private readonly changed = new Map<string, Set<number>>();

  /** Whether the changes of a tick are known. */
  has(tick: number): boolean {
    return this.noted.has(tick);
  }

  /** Whether the index tracks a value. It cannot see changes inside of objects. */
  follows(key: IndexKey): boolean {
    return key.kind !== 'global' || !this.objects.has(key.slot);
  }

  mayHaveChanged(key: IndexKey, tick: number): boolean {
    if (key.kind === 'global') return this.changed.get(`g${key.slot}`)?.has(tick) === true;
    const { entity, offset } = key;
    return [`e${entity}`, `e${entity} ${offset}`].some((each) => this.changed.get(each)?.has(tick) === true);
  }

  /** Call before a tick is simulated. */
  before(sim: Simulation): void {
    if (this.tick === sim.tick || this.has(sim.tick + 1)) return;
    this.tick = undefined;
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
    const { world } = internalsOf(sim);
    const { values, defaultSpent } = world.globals;
    for (let slot = 0; slot < values.length; slot++) {
      const value = values[slot];
      // Scripts can change the content of an object without replacing it.
      if (typeof value === 'object' && value !== null && !(value instanceof EntityRef)) this.objects.add(slot);
      if (value === this.globals[slot] && defaultSpent[slot] === this.spent[slot]) continue;
      this.note(`g${slot}`, tick);
      this.globals[slot] = value;
      this.spent[slot] = defaultSpent[slot];
    }
    const { start, count } = world.components.attributes;
    const { type } = world.components.identity;
    const gone = new Set(this.entities.keys());
    for (const kind of indexedKinds) {
      for (const entity of world.lists[kind]!.entries) {
        if (!world.exists(entity)) continue;
        gone.delete(entity);
        const row = rowOf(entity);
        const from = start[row]!;
        const length = count[row]!;
        const known = this.entities.get(entity);
        if (known === undefined || known.type !== type[row] || known.values.length !== length) {
          this.note(`e${entity}`, tick);
          this.entities.set(entity, { type: type[row]!, values: world.attributes.value.slice(from, from + length) });
          continue;
        }
        for (let i = 0; i < length; i++) {
          const value = world.attributes.value[from + i]!;
          if (value === known.values[i]) continue;
          this.note(`e${entity} ${i}`, tick);
          known.values[i] = value;
        }
      }
    }
    for (const entity of gone) {
      this.note(`e${entity}`, tick);
      this.entities.delete(entity);
    }
  }

  private note(key: string, tick: number | undefined): void {
    if (tick === undefined) return;
    const ticks = this.changed.get(key);
    if (ticks === undefined) this.changed.set(key, new Set([tick]));
    else ticks.add(tick);
  }
}
