import { createUnit } from '../../../engine/rules/lifecycle/create-unit.ts';
import { assignPlayerType, joinPlayer } from '../../../engine/rules/players/player.ts';
import type { Entity } from '../../../engine/world/entity.ts';
import { attribute, body, unitType } from '../../support/play.ts';
import type { Scene } from './harness.ts';

/** A definition with a little of everything, for functions that read the world. */
export const valueGameData = {
  defaultData: { frameRate: 20, engineTickRate: 20, _id: 'game', owner: 'account-1' },
  roles: [
    { _id: 'r1', name: 'Moderator' },
    { _id: 'r2', name: 'Helper' },
  ],
  variables: {
    square: { dataType: 'region', default: { x: 600, y: 600, width: 100, height: 80 } },
    meadow: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 64 } },
    count: { dataType: 'number', default: 7 },
    empty: { dataType: 'string' },
    mayor: { dataType: 'player', default: 'computer3' },
    guards: { dataType: 'unitTypeGroup', default: { soldier: { probability: 100, quantity: 4 } } },
    squad: {
      dataType: 'unitTypeGroup',
      default: { soldier: { probability: 1, quantity: 4 }, ghost: { probability: 0, quantity: 2 } },
    },
  },
  playerTypes: {
    red: {
      name: 'red',
      relationships: { blue: 'hostile', red: 'friendly' },
      attributes: { gold: attribute(30, { max: 99, regenerateSpeed: 2 }) },
      variables: { rank: { dataType: 'number', default: 5 } },
    },
    blue: { name: 'blue', relationships: {}, attributes: {}, variables: {} },
  },
  unitTypes: {
    soldier: unitType({
      name: 'Soldier',
      attributes: { health: attribute(50, { max: 100, regenerateSpeed: 0.5 }), armour: attribute(3) },
      variables: {
        kills: { dataType: 'number', default: 2 },
        friend: { dataType: 'unit' },
        home: { dataType: 'position', default: { x: 1, y: 2 } },
      },
      bodies: { default: body({ width: 40, height: 20, rotationSpeed: 3 }) },
      ai: { enabled: false, sensorRadius: 120 },
      particles: { smoke: { name: 'smoke' } },
    }),
    ghost: unitType({ name: 'Ghost', attributes: {}, states: {}, bodies: {}, variables: {} }),
  },
};

/**
 * Joins two humans, red and blue, and creates units: `u1` and `u2` of red, soldiers 300 px apart, and `u3`, a ghost of
 * blue.
 */
export function settle(scene: Scene): void {
  const { game, world } = scene;
  const red = joinPlayer(game, {
    name: 'Ann',
    clientId: 'p1',
    userId: 'account-1',
    roleIds: ['r1'],
    account: { lastPlayedMs: 123, invitedUsers: 4, usesAdblock: true },
  });
  const blue = joinPlayer(game, { name: 'Bob', clientId: 'p2', isMobile: true, isBot: true });
  assignPlayerType(game, red, 'red');
  assignPlayerType(game, blue, 'blue');
  unitAt(scene, 'soldier', red, 640, 640);
  unitAt(scene, 'soldier', red, 940, 640);
  unitAt(scene, 'ghost', blue, 200, 200);
  scene.sim.run({ ticks: 2 });
  world.faults.list();
}

export function unitAt(scene: Scene, type: string, owner: Entity, x: number, y: number, angle = 0): Entity {
  const { game, world } = scene;
  return createUnit(game, { type: world.types.unit.get(type)!, owner, x, y, angle });
}

/** An entity by its id. */
export function called(scene: Scene, id: string): Entity {
  for (const entity of scene.world.order.entries) if (scene.world.ref(entity)?.id === id) return entity;
  throw new Error(`There is no ${id}.`);
}

/** An operand that returns an entity by its id. */
export function the(id: string): unknown {
  return { function: 'getEntityFromId', string: id };
}
