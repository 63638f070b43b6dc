import { describe, expect, test } from 'vitest';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { groupValues } from '../../../engine/script/values/group.ts';
import { append } from '../../support/actions.ts';
import { document, unitType } from '../../support/play.ts';
import { nothing, Scene, testValues } from './harness.ts';
import { called, settle, the, unitAt, valueGameData } from './value-game.ts';

const computers = Array.from({ length: 10 }, (_, i) => `@c${i + 1}`);
const squad = { function: 'getVariable', variableName: 'squad' };

testValues(
  'groups',
  groupValues,
  {
    getUnitCount: [[{}, 3]],
    getNumberOfUnitsOfUnitType: [
      [{ unitType: 'soldier' }, 2],
      [{ unitType: 'dragon' }, 0],
    ],
    allUnits: [[{}, ['@u1', '@u2', '@u3']]],
    allUnitsOfUnitType: [[{ unitType: 'soldier' }, ['@u1', '@u2']]],
    allUnitsOwnedByPlayer: [
      [{ player: the('p1') }, ['@u1', '@u2']],
      [{ player: the('c1') }, []],
      [{ player: the('u1') }, undefined],
    ],
    getPlayerCount: [[{}, 2]],
    getNumberOfPlayersOfPlayerType: [
      [{ playerType: 'red' }, 1],
      [{ playerType: 'green' }, 0],
    ],
    allPlayers: [[{}, [...computers, '@p1', '@p2']]],
    humanPlayers: [[{}, ['@p1', '@p2']]],
    computerPlayers: [[{}, computers]],
    botPlayers: [[{}, ['@p2']]],
    playersOfPlayerType: [[{ playerType: 'blue' }, ['@p2']]],
    allEntities: [[{}, ['@u1', '@u2', '@u3']]],
    allRegions: [[{}, ['@r:square', '@r:meadow']]],
    allDebris: [[{}, []]],
    getDebrisVariable: [[{ debrisId: 'd1' }, undefined]],
    entitiesBetweenTwoPositions: [
      [{ positionA: { x: 500, y: 640 }, positionB: { x: 1100, y: 640 } }, ['@u1', '@u2']],
      [{ positionA: { x: 1100, y: 640 }, positionB: { x: 500, y: 640 } }, ['@u2', '@u1']],
      [{ positionA: { x: 500, y: 100 }, positionB: { x: 1100, y: 100 } }, []],
      [{ positionA: nothing, positionB: { x: 0, y: 0 } }, undefined],
    ],
    entitiesCollidingWithLastRaycast: [
      { give: {}, expect: [], moddio: undefined, alone: true },
      {
        give: {},
        expect: [],
        asking(scene) {
          const nobody = { positionA: { x: 500, y: 100 }, positionB: { x: 1100, y: 100 } };
          scene.ask({ function: 'entitiesBetweenTwoPositions', ...nobody });
          return {};
        },
      },
    ],
    allUnitTypesInGame: [[{}, { soldier: { name: 'Soldier' }, ghost: { name: 'Ghost' } }]],
    getQuantityOfUnitTypeInUnitTypeGroup: [
      [{ unitTypeGroup: squad, unitType: 'soldier' }, 4],
      [{ unitTypeGroup: { variableName: 'squad' }, unitType: 'ghost' }, 2],
      [{ unitTypeGroup: squad, unitType: 'dragon' }, undefined],
      [{ unitTypeGroup: nothing, unitType: 'soldier' }, undefined],
      [{ unitTypeGroup: squad, unitType: 'toString' }, undefined],
    ],
    getRandomUnitTypeFromUnitTypeGroup: [
      { give: { unitTypeGroup: { soldier: { probability: 0.5 } } }, expect: 'soldier', moddio: undefined },
      {
        give: { unitTypeGroup: { soldier: { probability: '0' }, ghost: { probability: 0 } } },
        expect: 'ghost',
        moddio: undefined,
      },
      [{ unitTypeGroup: {} }, undefined],
      [{ unitTypeGroup: { variableName: 'guards' } }, 'soldier'],
    ],
  },
  { data: valueGameData, prepare: settle },
);

describe('a draw from a group of types', () => {
  const share = (group: unknown, key: string) => {
    const { ask } = new Scene({ unitTypes: { a: unitType(), b: unitType() } }).compile({
      function: 'getRandomUnitTypeFromUnitTypeGroup',
      unitTypeGroup: group,
    });
    let count = 0;
    for (let i = 0; i < 4000; i++) if (ask().value === key) count++;
    return count / 4000;
  };

  test('by whole numbers gives the last type one chance more', () => {
    const group = { a: { probability: 1 }, b: { probability: 2 } };
    expect(share(group, 'a')).toBeCloseTo(1 / 4, 1);
    expect(share(group, 'b')).toBeCloseTo(3 / 4, 1);
  });

  test('by fractions gives each type its share', () => {
    const group = { a: { probability: 0.6 }, b: { probability: 0.3 } };
    expect(share(group, 'a')).toBeCloseTo(2 / 3, 1);
  });
});

describe('an entity that is being destroyed', () => {
  test('is no longer listed among the units, but among all entities', () => {
    const log = (text: unknown) => append('log', text);
    const scene = new Scene({
      variables: { log: { dataType: 'string', default: '' } },
      unitTypes: {
        soldier: unitType({
          scripts: {
            last: {
              name: 'last',
              triggers: [{ type: 'initEntityDestroy' }],
              actions: [
                log({ function: 'getUnitCount' }),
                log({ function: 'elementCount', object: { function: 'allEntities' } }),
                log({ function: 'entityExists', entity: { function: 'thisEntity' } }),
              ],
            },
          },
        }),
      },
    });
    const owner = called(scene, 'c1');
    const units = [100, 300].map((x) => unitAt(scene, 'soldier', owner, x, 100));
    destroyEntity(scene.game, units[0]!);
    expect(scene.sim.variable('log')).toBe('12true');
    expect(scene.value({ function: 'allEntities' })).toEqual(['@u2']);
  });
});

describe('a ray', () => {
  const between = { positionA: { x: 500, y: 640 }, positionB: { x: 1100, y: 640 } };
  const met = { function: 'entitiesCollidingWithLastRaycast' };

  function castRay(): Scene {
    const scene = new Scene(valueGameData);
    settle(scene);
    scene.ask({ function: 'entitiesBetweenTwoPositions', ...between });
    return scene;
  }

  test('is stored with the position of each hit', () => {
    const scene = castRay();
    expect(scene.value(met)).toEqual(['@u1', '@u2']);
    expect(scene.value({ function: 'entityLastRaycastCollisionPosition', entity: the('u1') })).toEqual({
      x: expect.closeTo(620, 1),
      y: expect.closeTo(640, 1),
    });
  });

  test('forgets entities that no longer exist', () => {
    const scene = castRay();
    destroyEntity(scene.game, called(scene, 'u1'));
    expect(scene.value(met)).toEqual(['@u2']);
  });
});

test('walls are entities', () => {
  const { data } = document() as { data: { map: { layers: { data: number[] }[] } } };
  data.map.layers[0]!.data[5] = 1;
  const scene = new Scene({ map: data.map });
  expect(scene.value({ function: 'allEntities' })).toEqual(['@w1']);
});

test('a function that returns a list returns a new one each time', () => {
  const { ask } = new Scene().compile({ function: 'allUnits' });
  expect(ask().value).not.toBe(ask().value);
});
