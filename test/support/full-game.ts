import type { Input } from '../../engine/index.ts';
import { createProjectile } from '../../engine/rules/combat/projectile.ts';
import { type Entity, Kind, rowOf } from '../../engine/world/entity.ts';
import {
  attribute,
  body,
  held,
  itemType,
  type Play,
  type PlayOptions,
  play,
  projectileType,
  script,
  unitType,
} from './play.ts';

type Json = Record<string, unknown>;

const columns = 20;
const meetsAll = { units: true, items: true, projectiles: true, walls: true, debris: true };
const meetsNothing = { units: false, items: false, projectiles: false, walls: false, debris: false };

/** A square body of 40 px that collides with everything; items and projectiles have the same body, but smaller. */
function solid(more: Json = {}): Json {
  return body({ collidesWith: meetsAll, ...more });
}

const weapon = {
  type: 'weapon',
  fireRate: 0,
  bulletStartPosition: { x: 0, y: 40, rotation: 0 },
  damage: { unitAttributes: { health: 10 } },
};

const itemTypes = {
  /** Collides with everything, and can be carried, dropped and merged with items of its type. */
  crate: itemType({
    quantity: 1,
    bodies: { dropped: solid({ width: 20, height: 20 }), selected: held() },
    attributes: { power: attribute(50, { max: 100 }) },
    controls: { canMerge: false },
  }),
  anvil: itemType({ controls: { undroppable: true } }),
  relic: itemType({ carriedBy: ['nobody'] }),
  potion: itemType({
    type: 'consumable',
    quantity: 2,
    bonus: { consume: { unitAttribute: { health: 1 }, playerAttribute: {} } },
  }),
  gun: itemType({ ...weapon, isGun: true, bulletType: 'projectile', projectileType: 'ball', bulletForce: 20 }),
  rifle: itemType({ ...weapon, isGun: true, bulletType: 'raycast', bulletDistance: 400 }),
  blade: itemType({ ...weapon, isGun: false, damageHitBox: { width: 100, height: 100, offsetX: 0, offsetY: 0 } }),
};

const gold = { gold: attribute(30, { max: 1000 }) };
const price = (amount: number) => ({ price: { coins: 0, requiredItemTypes: {}, playerAttributes: { gold: amount } } });

/** A definition with one of everything that payloads name, and no scripts. */
const data: Json = {
  map: {
    width: columns,
    height: columns,
    tilewidth: 64,
    tileheight: 64,
    layers: [
      {
        name: 'walls',
        type: 'tilelayer',
        width: columns,
        height: columns,
        // One wall, from 128, 128 to 192, 192.
        data: Array.from({ length: columns * columns }, (_, cell) => (cell === 2 * columns + 2 ? 1 : 0)),
      },
      {
        name: 'debris',
        type: 'objectgroup',
        objects: [
          { id: 7, x: 1000, y: 200, width: 64, height: 64, rotation: 0, type: 'dynamic', name: 'barrel' },
          { id: 8, x: 1100, y: 1100, width: 64, height: 64, rotation: 90, type: 'dynamic', name: 'inside the yard' },
        ],
      },
    ],
    tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
  },
  settings: { persistentScoreAttributeId: 'gold' },
  variables: { yard: { dataType: 'region', default: { x: 1000, y: 1000, width: 200, height: 200 } } },
  playerTypes: {
    human: { name: 'human', attributes: gold, variables: {}, relationships: { foe: 'hostile' } },
    foe: { name: 'foe', attributes: gold, variables: {}, relationships: {} },
  },
  unitTypes: {
    unit: unitType({
      attributes: { health: attribute(50, { max: 100 }), speed: attribute(10) },
      bodies: { default: solid() },
    }),
    ghost: unitType({ bodies: { default: solid({ collidesWith: meetsNothing }) } }),
    seer: unitType({
      bodies: { default: solid() },
      ai: { enabled: false, pathFindingMethod: 'a*', idleBehaviour: 'stay', sensorRadius: 150 },
    }),
  },
  itemTypes,
  projectileTypes: {
    ball: projectileType({
      bodies: { default: solid({ width: 20, height: 20 }) },
      attributes: { fuse: attribute(50, { max: 100 }) },
    }),
  },
  shops: {
    market: {
      name: 'market',
      unitTypes: {
        seer: { isPurchasable: true, requirement: { requiredItemTypes: {}, playerAttributes: {} }, ...price(10) },
        ghost: { isPurchasable: true, requirement: { requiredItemTypes: {}, playerAttributes: {} }, ...price(9999) },
      },
      itemTypes: {
        potion: { isPurchasable: true, requirement: { requiredItemTypes: {}, playerAttributes: {} }, ...price(10) },
        gun: { isPurchasable: true, requirement: { requiredItemTypes: {}, playerAttributes: {} }, ...price(9999) },
      },
    },
  },
};

export interface FullGame extends Play {
  /** Clears the record of triggers. */
  hush(): void;
  /** Sends an input and lets it take effect. */
  send(input: Input): void;
  /** Joins a human with an account of the same name, and returns the player. */
  join(clientId?: string, more?: Json): Entity;
  ball(x: number, y: number): Entity;
  /** Moves an entity and steps physics. */
  move(entity: Entity, x: number, y: number): void;
  /** The entity of a kind that exists from the start, or the one with index `index`. */
  only(kind: 'region' | 'wall' | 'debris', index?: number): Entity;
  sensorOf(unit: Entity): Entity;
}

/**
 * Scripts for a trigger in all scopes: `tell` creates the actions for those of the world (g), of every unit type (u),
 * item type (i) and projectile type (p).
 */
export function listening(trigger: string, tell: (scope: 'g' | 'u' | 'i' | 'p') => unknown): Json {
  const ears = (scope: 'g' | 'u' | 'i' | 'p') => ({ scripts: { ear: script(trigger, [tell(scope)]) } });
  const all = (types: unknown, scope: 'u' | 'i' | 'p') =>
    Object.fromEntries(
      Object.entries(types as Json).map(([key, type]) => [key, { ...(type as Json), ...ears(scope) }]),
    );
  return {
    ...ears('g'),
    unitTypes: all(data['unitTypes'], 'u'),
    itemTypes: all(data['itemTypes'], 'i'),
    projectileTypes: all(data['projectileTypes'], 'p'),
  };
}

/** Starts a game that contains one of everything; see the definition above. */
export function fullGame(options: PlayOptions = {}, more: Json = {}): FullGame {
  const made = play({ ...data, ...more }, options);
  const { game, world, sim, announced } = made;
  return {
    ...made,
    hush: () => {
      announced.length = 0;
    },
    send: (input) => {
      sim.input(input);
      made.ticks(1);
    },
    join: (clientId = 'ann', given = {}) => {
      const handle = sim.join({ clientId, userId: clientId, ...given });
      made.ticks(1);
      return handle.entity;
    },
    ball: (x, y) => createProjectile(game, { type: 'ball', x, y, angle: 0 }),
    move: (entity, x, y) => {
      game.physics.moveTo(entity, x, y);
      made.ticks(3);
    },
    only: (kind, index = 0) => world.lists[Kind[kind]]!.entries[index]!,
    sensorOf: (unit) => world.components.sensing.sensor[rowOf(unit)]!,
  };
}
