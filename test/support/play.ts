import { type DialectName, type LoadedGame, loadDefinition, Simulation, type TriggerType } from '../../engine/index.ts';
import { EntityRef, globalValue, insideOf, type World } from '../../engine/internal.ts';
import { type Entity, Kind, rowOf } from '../../engine/world/entity.ts';
import type { Limits } from '../../engine/world/limits.ts';
import type { Payload } from '../../engine/world/triggers.ts';

type Json = Record<string, unknown>;

/** A trigger as it fired: what tests about order and payloads compare. Entities by id. */
export interface Announced {
  readonly type: TriggerType;
  readonly scope: 'global' | 'entity';
  readonly entity: string | undefined;
  readonly payload: Json;
  readonly tick: number;
}

export interface Play {
  readonly sim: Simulation;
  readonly announced: Announced[];
  /** Runs simulated seconds. */
  seconds(seconds: number): void;
  ticks(ticks: number): void;
  /** Announcements of one trigger, oldest first. */
  of(type: TriggerType): Announced[];
  /** A living entity by the id that tests and people see (`u1`, `i2`, `p1`). */
  entity(id: string): Entity;
  attribute(id: string, key: string): number | undefined;
  /** A global variable as a script would read it. */
  variable(name: string): unknown;
  faults(): { code: string; at: string; count: number }[];
}

export interface PlayOptions {
  readonly dialect?: DialectName;
  readonly seed?: string;
  readonly limits?: Partial<Limits>;
}

/** A map of 20 by 20 empty cells, a player type, and what the test adds. */
export function document(data: Json = {}): Json {
  return {
    data: {
      defaultData: { frameRate: 20, engineTickRate: 20 },
      map: {
        width: 20,
        height: 20,
        tilewidth: 64,
        tileheight: 64,
        layers: [{ name: 'walls', type: 'tilelayer', width: 20, height: 20, data: new Array(400).fill(0) }],
        tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
      },
      playerTypes: { human: { name: 'human', attributes: {}, variables: {}, relationships: {} } },
      ...data,
    },
  };
}

/** A unit type: a dynamic square of 40 px that meets units, items, projectiles and walls. */
export function unitType(more: Json = {}): Json {
  return {
    name: 'unit',
    inventorySize: 3,
    backpackSize: 0,
    attributes: { health: attribute(100, { max: 100 }), speed: attribute(10) },
    controls: { movementControlScheme: 'wasd', movementMethod: 'velocity', abilities: {}, mouseBehaviour: {} },
    states: { default: { name: 'default', body: 'default' } },
    bodies: { default: body() },
    ...more,
  };
}

export function body(more: Json = {}): Json {
  return {
    type: 'dynamic',
    width: 40,
    height: 40,
    fixedRotation: true,
    linearDamping: 0,
    collidesWith: { units: true, items: true, projectiles: true, walls: true },
    fixtures: [{ density: 1, friction: 0, restitution: 0, shape: { type: 'rectangle' } }],
    ...more,
  };
}

export function attribute(value: number, more: Json = {}): Json {
  return { name: 'attribute', value, min: 0, max: 1000, regenerateSpeed: 0, ...more };
}

/** A script for triggers; without triggers it runs by name. */
export function script(triggers: readonly string[], actions: readonly unknown[], more: Json = {}): Json {
  return { name: 'script', triggers: triggers.map((type) => ({ type })), conditions: [], actions, ...more };
}

/** Makes a unit of a type for the player that joins, and remembers it in the variable `me` where that is declared. */
export function joinAs(unitTypeKey: string, x = 640, y = 640): Json {
  const player = { function: 'getTriggeringPlayer' };
  return script(
    ['playerJoinsGame'],
    [
      { type: 'assignPlayerType', entity: player, playerType: 'human' },
      { type: 'createUnitAtPosition', unitType: unitTypeKey, entity: player, position: { x, y }, angle: 0 },
    ],
  );
}

export function load(data: Json = {}): LoadedGame {
  const { game, issues } = loadDefinition(document(data));
  if (game === undefined) throw new Error(`The definition of this test does not load: ${JSON.stringify(issues)}`);
  return game;
}

/** A running game made of `document(data)`. */
export function play(data: Json = {}, options: PlayOptions = {}): Play {
  const announced: Announced[] = [];
  let sim: Simulation | undefined;
  sim = new Simulation(load(data), {
    seed: 'test',
    ...options,
    observer: (type, scope, entity, payload) => {
      const world = sim && insideOf(sim).world;
      announced.push({
        type,
        scope,
        entity: scope === 'entity' ? (world?.ref(entity)?.id ?? String(entity)) : undefined,
        payload: readable(world, payload),
        tick: world?.tick ?? 0,
      });
    },
  });
  const { world } = insideOf(sim);
  const running = sim;
  const find = (id: string): Entity => {
    for (const entity of world.order.entries) if (world.ref(entity)?.id === id) return entity;
    throw new Error(`There is no entity ${id}.`);
  };
  return {
    sim: running,
    announced,
    seconds: (seconds) => running.run({ seconds }),
    ticks: (ticks) => running.run({ ticks }),
    of: (type) => announced.filter((each) => each.type === type),
    entity: find,
    attribute: (id, key) => {
      const row = rowOf(find(id));
      const { components, types } = world;
      const index = components.identity.type[row]!;
      const table =
        components.identity.kind[row] === Kind.unit
          ? types.unit
          : components.identity.kind[row] === Kind.item
            ? types.item
            : components.identity.kind[row] === Kind.player
              ? types.player
              : types.projectile;
      const offset = table.list[index]?.attributes.offsets.get(key);
      return offset === undefined ? undefined : world.attributes.value[components.attributes.start[row]! + offset];
    },
    variable: (name) => {
      const value = globalValue(running, name);
      return value instanceof EntityRef ? `@${value.id}` : value;
    },
    faults: () => world.faults.list().map(({ code, at, count }) => ({ code, at, count })),
  };
}

function readable(world: World | undefined, payload: Payload): Json {
  const result: Json = {};
  for (const [key, value] of Object.entries(payload)) {
    result[key] = typeof value === 'number' ? (world?.ref(value)?.id ?? value) : value;
  }
  return result;
}
