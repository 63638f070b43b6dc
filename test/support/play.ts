import { type DialectName, type LoadedGame, loadDefinition, Simulation, type TriggerType } from '../../engine/index.ts';
import type { Game } from '../../engine/rules/game.ts';
import { createItem, type NewItem } from '../../engine/rules/items/item.ts';
import { giveItem } from '../../engine/rules/items/pick-up.ts';
import { createUnit } from '../../engine/rules/lifecycle/create-unit.ts';
import { assignPlayerType } from '../../engine/rules/players/player.ts';
import { EntityRef, globalValue, internalsOf, type World } from '../../engine/tools.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../engine/world/entity.ts';
import type { Limits } from '../../engine/world/limits.ts';
import type { Payload } from '../../engine/world/triggers.ts';

type Json = Record<string, unknown>;

/** A fired trigger, in the form in which tests compare order and payloads. Entities by id. */
export interface Announced {
  readonly type: TriggerType;
  readonly scope: 'global' | 'entity';
  readonly entity: string | undefined;
  readonly payload: Json;
  readonly tick: number;
}

export interface Play {
  readonly loaded: LoadedGame;
  readonly sim: Simulation;
  readonly announced: Announced[];
  /** Runs simulated seconds. */
  seconds(seconds: number): void;
  ticks(ticks: number): void;
  /** The fired triggers of a type, oldest first. */
  of(type: TriggerType): Announced[];
  /** An existing entity by its visible id (`u1`, `i2`, `p1`). */
  entity(id: string): Entity;
  attribute(id: string, key: string): number | undefined;
  /** A global variable as a script would read it. */
  variable(name: string): unknown;
  faults(): { code: string; at: string; count: number }[];
  readonly game: Game;
  readonly world: World;
  /** One of the ten computer players, who exist from the start; counted from 1. */
  player(number: number, type?: string): Entity;
  /** Creates a unit of type `unit` (or another) for a player, by default at 640, 640. */
  unit(more?: { type?: string; owner?: Entity; x?: number; y?: number; angle?: number }): Entity;
  /** Creates an item that lies in the world. */
  item(type: string, more?: Partial<NewItem>): Entity;
  /** Gives a unit a new item and returns it; 0 if none was created. */
  give(unit: Entity, type: string, quantity?: number): Entity;
  /** Ids of the items in the slots, `.` for an empty slot. Trade slots are left out. */
  slots(unit: Entity): string;
  quantity(item: Entity): number;
  stateKey(item: Entity): string | undefined;
  id(entity: Entity): string | undefined;
}

export interface PlayOptions {
  readonly dialect?: DialectName;
  readonly seed?: string;
  readonly limits?: Partial<Limits>;
  readonly epochMs?: number;
}

/** A map of 20 by 20 empty cells, a player type, and the test's additions. */
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

/** A unit type: a dynamic square of 40 px that collides with units, items, projectiles and walls. */
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

/** A script for one or several triggers; without triggers it only runs by name. */
export function script(on: string | readonly string[], actions: readonly unknown[], more: Json = {}): Json {
  const triggers = [on].flat().map((type) => ({ type }));
  return { name: 'script', triggers, conditions: [], actions, ...more };
}

/** Creates a unit of a type for the joining player, and stores it in the variable `me` if that is declared. */
export function joinAs(unitTypeKey: string, x = 640, y = 640): Json {
  const player = { function: 'getTriggeringPlayer' };
  return script('playerJoinsGame', [
    { type: 'assignPlayerType', entity: player, playerType: 'human' },
    { type: 'createUnitAtPosition', unitType: unitTypeKey, entity: player, position: { x, y }, angle: 0 },
  ]);
}

export function load(data: Json = {}): LoadedGame {
  const { game, issues } = loadDefinition(document(data));
  if (game === undefined) throw new Error(`The definition of this test does not load: ${JSON.stringify(issues)}`);
  return game;
}

/**
 * An item type: 20 px in the world, only drawn in the hand, hidden in the backpack; always ready, endless.
 */
export function itemType(more: Json = {}): Json {
  return {
    name: 'item',
    type: 'other',
    fireRate: 0,
    states: {
      selected: { name: 'selected', body: 'selected' },
      unselected: { name: 'unselected', body: 'none' },
      dropped: { name: 'dropped', body: 'dropped' },
    },
    bodies: {
      dropped: body({ width: 20, height: 20, collidesWith: { walls: true } }),
      selected: held(),
    },
    controls: { canMerge: true },
    ...more,
  };
}

/** The body of an item in the hand. */
export function held(more: Json = {}): Json {
  return { type: 'spriteOnly', width: 10, height: 20, jointType: 'weldJoint', unitAnchor: { x: 0, y: 20 }, ...more };
}

export function projectileType(more: Json = {}): Json {
  return {
    name: 'projectile',
    states: { default: { name: 'default', body: 'default' } },
    bodies: { default: body({ width: 10, height: 10, fixedRotation: false }) },
    ...more,
  };
}

/** Three kinds of players: `human` is hostile to `foe`, friendly with `ally`; the others are neutral. */
const playerTypes = {
  human: { name: 'human', attributes: {}, variables: {}, relationships: { foe: 'hostile', ally: 'friendly' } },
  foe: { name: 'foe', attributes: {}, variables: {}, relationships: {} },
  ally: { name: 'ally', attributes: {}, variables: {}, relationships: {} },
  stranger: { name: 'stranger', attributes: {}, variables: {}, relationships: {} },
};

/**
 * A running game made of `document(data)`, with the player types above, a unit type `unit` unless the test defines one,
 * and a limit of 2,000 entities.
 */
export function play(data: Json = {}, options: PlayOptions = {}): Play {
  const announced: Announced[] = [];
  let sim: Simulation | undefined;
  const loaded = load({ playerTypes, unitTypes: { unit: unitType() }, ...data });
  sim = new Simulation(loaded, {
    seed: 'test',
    ...options,
    // A world allocates columns up to the limit, which would cost more than these games.
    limits: { entities: 2000, ...options.limits },
    observer: (type, scope, entity, payload) => {
      const world = sim && internalsOf(sim).world;
      announced.push({
        type,
        scope,
        entity: scope === 'entity' ? (world?.ref(entity)?.id ?? String(entity)) : undefined,
        payload: readable(world, payload),
        tick: world?.clock.tick ?? 0,
      });
    },
  });
  const { game, world } = internalsOf(sim);
  const running = sim;
  const find = (id: string): Entity => {
    for (const entity of world.order.entries) if (world.ref(entity)?.id === id) return entity;
    throw new Error(`There is no entity ${id}.`);
  };
  const player = (number: number, type = 'human'): Entity => {
    const entity = world.lists[Kind.player]!.entries[number - 1]!;
    if (world.components.identity.type[rowOf(entity)] === -1) assignPlayerType(game, entity, type);
    return entity;
  };
  return {
    loaded,
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
    game,
    world,
    player,
    unit: ({ type = 'unit', owner = player(1), x = 640, y = 640, angle = 0 } = {}) =>
      createUnit(game, { type: world.types.unit.get(type)!, owner, x, y, angle }),
    item: (type, more = {}) => createItem(game, { type, x: 300, y: 300, angle: 0, ...more }),
    give: (unit, type, quantity) => {
      const before = new Set(world.lists[Kind.item]!.entries);
      giveItem(game, unit, { type: world.types.item.get(type)!, quantity });
      return world.lists[Kind.item]!.entries.find((item) => !before.has(item)) ?? noEntity;
    },
    slots: (unit) => {
      const { slots, inventorySize, backpackSize } = world.components.inventory[rowOf(unit)]!;
      return slots
        .slice(0, inventorySize + backpackSize)
        .map((item) => world.ref(item)?.id ?? '.')
        .join(' ');
    },
    quantity: (item) => world.components.stack.quantity[rowOf(item)]!,
    stateKey: (item) =>
      world.types.item.list[world.components.identity.type[rowOf(item)]!]!.states[
        world.components.identity.state[rowOf(item)]!
      ]?.key,
    id: (entity) => world.ref(entity)?.id,
  };
}

function readable(world: World | undefined, payload: Payload): Json {
  const result: Json = {};
  for (const [key, value] of Object.entries(payload)) {
    result[key] = typeof value === 'number' ? (world?.ref(value)?.id ?? value) : value;
  }
  return result;
}
