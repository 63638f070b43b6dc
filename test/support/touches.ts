import { vi } from 'vitest';
import { components } from '../../engine/components/index.ts';
import { RandomStreams } from '../../engine/core/random.ts';
import { EntityList } from '../../engine/ecs/list.ts';
import { type DialectName, type LoadedGame, Simulation } from '../../engine/index.ts';
import { insideOf } from '../../engine/internal.ts';
import { turn } from '../../engine/rules/world/turn.ts';
import { applyInput, type Input } from '../../engine/sim/input.ts';
import { TickRunner } from '../../engine/sim/tick.ts';
import { resources } from '../../engine/world/resources.ts';
import { TriggerQueue } from '../../engine/world/trigger-queue.ts';
import { Bots } from '../../src/bots/bots.ts';

/** By system, or by `system: part`: what code of ours touched in it. Members that scripts touched meanwhile are not counted. */
export interface Touches {
  readonly reads: Map<string, Set<string>>;
  readonly writes: Map<string, Set<string>>;
  /** Systems and parts in which scripts ran. */
  readonly scripted: Set<string>;
}

/** Plays a game with bots while stores and resources are watched. */
export function playWatched(
  game: LoadedGame,
  {
    dialect,
    ticks,
    bots,
    isWatched = true,
  }: { dialect: DialectName; ticks: number; bots: number; isWatched?: boolean },
): { readonly sim: Simulation; readonly touches: Touches } {
  const touches: Touches = { reads: new Map(), writes: new Map(), scripted: new Set() };
  let system: string | undefined;
  let part: string | undefined;
  let depth = (): number => 0;
  const note = (how: 'reads' | 'writes', name: string): void => {
    if (system === undefined) return;
    const where = part === undefined ? system : `${system}: ${part}`;
    if (depth() > 0) {
      touches.scripted.add(where);
      return;
    }
    const names = touches[how].get(where) ?? new Set();
    touches[how].set(where, names.add(name));
  };
  // Before anything can hold a column of them.
  const create = components.create.bind(components);
  const spy = vi.spyOn(components, 'create').mockImplementation((capacity) => {
    const stores = create(capacity) as unknown as Record<string, object>;
    if (!isWatched) return stores as unknown as ReturnType<typeof create>;
    for (const [name, store] of Object.entries(stores)) {
      if (Array.isArray(store)) stores[name] = watched(store, `components/${name}`, note);
      else
        for (const [field, column] of Object.entries(store as Record<string, object>))
          (store as Record<string, object>)[field] = watched(column, `components/${name}`, note);
    }
    return stores as unknown as ReturnType<typeof create>;
  });
  const sim = new Simulation(game, { seed: 'touch', dialect });
  spy.mockRestore();
  const inside = insideOf(sim);
  depth = () => (inside.runtime as unknown as { depth: number }).depth;
  const world = inside.world as unknown as Record<string, object>;
  for (const name of isWatched ? [...Object.keys(resources.all), 'lists'] : [])
    world[name] = watched(world[name]!, `resources/${name === 'lists' ? 'entities' : name}`, note);
  // Its methods do too much to be followed: that it is used at all is what counts.
  (inside.game as { physics: object }).physics = new Proxy(inside.game.physics, {
    get(target, key) {
      note('reads', 'resources/physics');
      const own = Reflect.get(target, key, target);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
  const players = new Bots(sim, { count: bots, seed: 'touch' });
  let inputs: Input[] = [];
  sim.input = (input) => void inputs.push(input);
  const runner = new TickRunner(inside.game, inside.runtime, inside.rates, (input) => applyInput(inside.game, input));
  const restore = Object.values(turn).map((each) => {
    const whole = each as { run: (...given: unknown[]) => unknown };
    const { run } = whole;
    whole.run = (...given) => {
      const outer = part;
      part = each.name;
      try {
        return run(...given);
      } finally {
        part = outer;
      }
    };
    return () => {
      whole.run = run;
    };
  });
  try {
    for (let tick = 0; tick < ticks; tick++) {
      players.beforeStep();
      const given = inputs;
      inputs = [];
      runner.run(given, (next) => {
        system = next.name;
      });
      system = undefined;
    }
  } finally {
    for (const each of restore) each();
  }
  return { sim, touches };
}

type Note = (how: 'reads' | 'writes', name: string) => void;

/** The object, seen through a proxy that notes what is read and written of it and of the plain objects, lists and maps in it. */
function watched<T extends object>(root: T, name: string, note: Note): T {
  const proxies = new WeakMap<object, object>();
  const wrap = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
    if (value !== root && !isOurs(value)) return value;
    const known = proxies.get(value);
    if (known !== undefined) return known;
    const made: object = new Proxy(value, {
      get(target, key) {
        if (target instanceof RandomStreams) note('writes', name);
        const own = Reflect.get(target, key, isNative(target) ? target : made);
        if (typeof own === 'function') {
          if (target instanceof Map || target instanceof Set)
            return collection(target, key as string, own, name, note, wrap);
          if (ArrayBuffer.isView(target) && key === 'fill') note('writes', name);
          if (!isNative(target) && !Array.isArray(target)) return own;
          return own.bind(isNative(target) ? target : made);
        }
        if (typeof key === 'string') note('reads', name);
        return key === 'port' || key === 'observer' || key === 'listener' ? own : wrap(own);
      },
      set(target, key, value) {
        note('writes', name);
        return Reflect.set(target, key, unwrapped(value));
      },
      deleteProperty(target, key) {
        note('writes', name);
        return Reflect.deleteProperty(target, key);
      },
    });
    proxies.set(value, made);
    raw.set(made, value);
    return made;
  };
  return wrap(root) as T;
}

const raw = new WeakMap<object, object>();
const unwrapped = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (raw.get(value) ?? value) : value;

/** Their methods want the object itself. */
function isNative(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof Map || value instanceof Set || value instanceof RandomStreams;
}

/** Handles of entities and parts of the runtime are no stores. */
function isOurs(value: object): boolean {
  return (
    Array.isArray(value) ||
    isNative(value) ||
    value instanceof EntityList ||
    value instanceof TriggerQueue ||
    Object.getPrototypeOf(value) === Object.prototype
  );
}

const changing = new Set(['set', 'add', 'delete', 'clear']);

function collection(
  target: Map<unknown, unknown> | Set<unknown>,
  key: string,
  own: (...given: unknown[]) => unknown,
  name: string,
  note: Note,
  wrap: (value: unknown) => unknown,
) {
  return (...given: unknown[]): unknown => {
    note(changing.has(key) ? 'writes' : 'reads', name);
    if (key === 'forEach') throw new Error('forEach is not watched');
    const result = own.apply(target, given.map(unwrapped));
    if (key === 'get') return wrap(result);
    if (key === 'values' || key === 'entries' || key === (Symbol.iterator as unknown))
      return [...(result as Iterable<unknown>)]
        .map((each) => (Array.isArray(each) ? each.map(wrap) : wrap(each)))
        .values();
    return result;
  };
}
