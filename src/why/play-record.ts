import { cached } from '../../engine/core/index.ts';
import { type Condition, observeScripts, type Simulation } from '../../engine/index.ts';
import { EntityRef, type Internals, internalsOf, Kind, rowOf, typeOf, type World } from '../../engine/tools.ts';
import { nameText } from '../expression/index.ts';
import { Series, type SeriesValue } from './series.ts';

/** Something that happened to an entity, or a fault. */
export interface PlayEvent {
  readonly tick: number;
  readonly kind: 'destroyed' | 'type' | 'fault';
  readonly text: string;
  readonly id?: string;
}

interface Known {
  readonly id: string;
  readonly isUnit: boolean;
  /** The keys of the entity's values in `values`, by member. */
  readonly keys: Map<string, string>;
  type: string;
  typeIndex: number;
  state: number;
  /** The attribute values that were noted last. */
  attributes: number[];
  variables: unknown[];
  /** The unit that the entity controls, if it is a player. */
  selected: number | undefined;
  /** The tick in which the entity was last seen. */
  tick: number;
}

const kinds = [Kind.unit, Kind.item, Kind.projectile, Kind.player] as const;

/**
 * The events of a play up to a tick: every change of global variables, attributes, variables, states and types; and for
 * each script, action, trigger, output and false comparison the ticks in which it occurred, and how often. Collected
 * while the play is simulated once, from start to end.
 */
export class PlayRecord {
  /** The last tick that was recorded. */
  tick: number;
  readonly events: PlayEvent[] = [];
  /** The changes of each value, by its expression: `timeLeft`, `u12.health`. */
  readonly values = new Map<string, Series>();
  readonly scripts: Series[] = [];
  readonly locations: Series[] = [];
  readonly triggers = new Map<string, Series>();
  readonly outputs = new Map<string, Series>();
  readonly falseOnes = new Map<Condition, Series>();
  /** The ticks in which any action ran. */
  readonly active = new Series(true);
  /** The names of the global variables, in the order of the definition. */
  globals: readonly string[] = [];
  /**
   * Values that have held an object or a list. Scripts can change these without replacing them, so their changes are
   * not all recorded.
   */
  private readonly partial = new Set<string>();
  /** The values of the global variables that were noted last. */
  private readonly held: unknown[] = [];
  private readonly entities = new Map<number, Known>();
  private faults = 0;
  private readonly falseNow = new Map<Condition, number>();

  /** `sim`: the simulation at the start of the play. */
  constructor(sim: Simulation) {
    this.tick = sim.tick;
    this.collect(sim);
    this.occurrences(internalsOf(sim), undefined);
  }

  /** Whether all changes of a value are recorded. */
  isWhole(key: string): boolean {
    return this.values.has(key) && !this.partial.has(key);
  }

  /**
   * Records one tick. `play` simulates the tick and returns the simulation after it, which is a different one if an
   * edit changed the state. The scripts of the game must report false conditions.
   */
  step(sim: Simulation, play: () => Simulation) {
    const before = structuredClone(countsOf(internalsOf(sim)));
    const { falseNow } = this;
    const conditionFalse = (node: Condition): unknown => falseNow.set(node, (falseNow.get(node) ?? 0) + 1);
    observeScripts(sim, { enter() {}, leave() {}, conditionFalse });
    const now = play();
    observeScripts(sim, undefined);
    this.tick = now.tick;
    this.collect(now);
    this.occurrences(internalsOf(sim), before);
  }

  private collect(sim: Simulation) {
    const { tick } = sim;
    const { world } = internalsOf(sim);
    const { globals } = world;
    const { names, definitions } = globals.layout;
    this.globals = names;
    for (let slot = 0; slot < names.length; slot++) {
      const value = globals.isUnread(slot) ? definitions[slot]!.default : globals.values[slot];
      if (slot < this.held.length && this.held[slot] === value) continue;
      this.held[slot] = value;
      this.note(nameText(names[slot]!), tick, value);
    }
    for (const kind of kinds)
      for (const entity of world.lists[kind]!.entries)
        if (world.exists(entity)) this.collectEntity(world, tick, entity, kind === Kind.unit);
    for (const [entity, { id, isUnit, type, tick: seen, keys }] of this.entities) {
      if (seen === tick) continue;
      if (isUnit) this.events.push({ tick, kind: 'destroyed', text: `${id} (${type}) is destroyed`, id });
      this.entities.delete(entity);
      for (const key of keys.values()) this.values.get(key)?.note(tick, null);
    }
    const faults = sim.faults();
    const count = faults.reduce((sum, fault) => sum + fault.count, 0);
    if (count > this.faults) this.events.push({ tick, kind: 'fault', text: faults.at(-1)?.message ?? 'fault' });
    this.faults = count;
  }

  private collectEntity(world: World, tick: number, entity: number, isUnit: boolean) {
    const { attributes, identity, variables } = world.components;
    const row = rowOf(entity);
    const type = typeOf(world, entity);
    const name = type?.name ?? '';
    let known = this.entities.get(entity);
    if (known === undefined) {
      const { id } = world.ref(entity)!;
      known = {
        id,
        isUnit,
        keys: new Map(),
        type: name,
        typeIndex: -1,
        state: -1,
        attributes: [],
        variables: [],
        selected: undefined,
        tick,
      };
      this.entities.set(entity, known);
    }
    known.tick = tick;
    const becomes = known.typeIndex !== identity.type[row];
    if (becomes) {
      if (known.type !== name)
        this.events.push({ tick, kind: 'type', text: `${known.id} becomes ${name}`, id: known.id });
      Object.assign(known, {
        type: name,
        typeIndex: identity.type[row],
        state: -1,
        attributes: [],
        variables: [],
        selected: undefined,
      });
    }
    const start = attributes.start[row]!;
    const keys = type?.attributes.keys ?? [];
    // Most values stay the same, so they are compared before their series are looked up.
    for (let i = 0; i < attributes.count[row]! && i < keys.length; i++) {
      const value = world.attributes.value[start + i]!;
      if (value === known.attributes[i]) continue;
      known.attributes[i] = value;
      this.noteOf(known, keys[i]!, tick, value);
    }
    const own = variables[row];
    for (let slot = 0; slot < (own?.values.length ?? 0); slot++) {
      const value = own!.values[slot];
      if (slot < known.variables.length && value === known.variables[slot]) continue;
      known.variables[slot] = value;
      this.noteOf(known, own!.layout.names[slot]!, tick, value);
    }
    if (type === undefined) return;
    if (becomes)
      for (const [member, key] of known.keys)
        if (!keys.includes(member) && own?.layout.slots.has(member) !== true) this.note(key, tick, null);
    if (identity.state[row] !== known.state && type.states.length > 1) {
      known.state = identity.state[row]!;
      const state = type.states[known.state];
      if (state !== undefined) this.noteOf(known, 'state', tick, state.key);
    }
    if (becomes) this.noteOf(known, 'type', tick, type.key);
    const { selected } = world.components.ownedUnits[row] ?? {};
    if (selected !== undefined && selected !== known.selected) {
      known.selected = selected;
      this.noteOf(known, 'unit', tick, world.ref(selected));
    }
  }

  private noteOf({ id, keys }: Known, member: string, tick: number, value: unknown) {
    let key = keys.get(member);
    if (key === undefined) {
      key = `${id}.${nameText(member)}`;
      keys.set(member, key);
    }
    this.note(key, tick, value);
  }

  private note(key: string, tick: number, value: unknown) {
    // An object's content can change without a write to the variable, so such a value is replayed when it is asked for.
    const plain = value instanceof EntityRef ? `@${value.id}` : (value ?? null);
    if (isPlain(plain)) seriesIn(this.values, key, false).note(tick, plain);
    else this.partial.add(key);
  }

  /** Records what ran, fired and was posted since the counts in `before`. */
  private occurrences(inside: Internals, before: Counts | undefined) {
    const { tick } = this;
    const now = countsOf(inside);
    let ran = 0;
    for (const part of ['scripts', 'locations'] as const) {
      const all = this[part];
      const [counts, earlier] = [now[part], before?.[part]];
      for (let i = 0; i < counts.length; i++) {
        const times = counts[i]! - (earlier?.[i] ?? 0);
        if (times <= 0) continue;
        all[i] ??= new Series(true);
        all[i]!.add(tick, times);
        if (part === 'locations') ran += times;
      }
    }
    if (ran > 0) this.active.add(tick, ran);
    for (let i = 0; i < now.triggers.length; i++) {
      const times = now.triggers[i]! - (before?.triggers[i] ?? 0);
      if (times > 0) seriesIn(this.triggers, inside.runtime.program.triggers.types[i]!, true).add(tick, times);
    }
    for (const [kind, count] of now.outputs) {
      const times = count - (before?.outputs.get(kind) ?? 0);
      if (times > 0) seriesIn(this.outputs, kind, true).add(tick, times);
    }
    for (const [node, times] of this.falseNow) seriesIn(this.falseOnes, node, true).add(tick, times);
    this.falseNow.clear();
  }
}

interface Counts {
  readonly locations: Float64Array;
  readonly scripts: Float64Array;
  readonly triggers: ArrayLike<number>;
  readonly outputs: ReadonlyMap<string, number>;
}

/** The counts themselves rather than copies: they change as the play goes on. */
function countsOf({ world, runtime }: Internals): Counts {
  return {
    locations: runtime.counts,
    scripts: runtime.runs,
    triggers: world.triggers.counts,
    outputs: world.outbox.counts,
  };
}

function seriesIn<K>(all: Map<K, Series>, key: K, isCount: boolean): Series {
  return cached(all, key, () => new Series(isCount));
}

export function isPlain(value: unknown): value is SeriesValue {
  return value === null || typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
}
