import { expect, test } from 'vitest';
import { enableAi } from '../../../engine/rules/ai/ai-switch.ts';
import { createSensor, removeSensor } from '../../../engine/rules/ai/sensor.ts';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { removePlayer } from '../../../engine/rules/players/player.ts';
import { unitValues } from '../../../engine/script/values/unit.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { nothing, Scene, testValues } from './harness.ts';
import { called, settle, the, valueGameData } from './value-game.ts';

const soldier = { unit: the('u1') };
const ghost = { unit: the('u3') };
const nobody = { unit: nothing };

testValues(
  'units',
  unitValues,
  {
    getOwner: [
      [{ entity: the('u1') }, '@p1'],
      [{ entity: the('u3') }, '@p2'],
      [{ entity: the('p1') }, undefined],
    ],
    nameOfUnit: [
      [soldier, 'Ann'],
      [ghost, 'Bob'],
      [{ unit: the('p2') }, 'Bob'],
      [{ unit: { function: 'getRegionByName', name: 'square' } }, undefined],
      [nobody, undefined],
    ],
    getUnitTypeOfUnit: [
      [{ entity: the('u1') }, 'soldier'],
      [{ entity: 'soldier' }, 'soldier'],
      [{ entity: the('p1') }, undefined],
    ],
    getUnitType: [[{ unitType: 'ghost' }, 'ghost']],
    getUnitTypeName: [
      [{ unitType: 'soldier' }, 'Soldier'],
      [{ unitType: 'dragon' }, undefined],
    ],
    unitTypeWidth: [
      [{ unitType: 'soldier' }, 40],
      [{ unitType: 'ghost' }, undefined],
    ],
    unitTypeHeight: [
      [{ unitType: 'soldier' }, 20],
      [{ unitType: 'dragon' }, undefined],
    ],
    getRotateSpeed: [
      [{ unitType: 'soldier' }, 3],
      [{ unitType: 'ghost' }, undefined],
    ],
    isUnitMoving: [
      [soldier, false],
      [{ unit: the('u2') }, true],
      [{ unit: the('p1') }, undefined],
      { give: nobody, aborts: 'no-such-entity' },
    ],
    isAIEnabled: [
      [soldier, false],
      [{ unit: the('u2') }, true],
      [ghost, undefined],
      [nobody, undefined],
    ],
    targetUnit: [
      [{ unit: the('u2') }, '@u3'],
      [soldier, undefined],
      [nobody, undefined],
    ],
    unitSensorRadius: [
      [soldier, 120],
      [{ unit: the('u2') }, 90],
      [ghost, undefined],
      [nobody, undefined],
    ],
    getSensorOfUnit: [
      [{ unit: the('u2') }, '@s2'],
      [soldier, undefined],
    ],
    ownerUnitOfSensor: [
      [{ sensor: the('s2') }, '@u2'],
      [{ sensor: the('u1') }, undefined],
    ],
    getUnitBody: [
      [soldier, true],
      [ghost, undefined],
      [nobody, undefined],
    ],
    getUnitData: [{ give: nobody, aborts: 'no-such-entity' }],
    selectedInventorySlot: [
      [soldier, 1],
      [nobody, undefined],
      [{ unit: the('p1') }, undefined],
    ],
    getUnitParticle: [
      [{ particleType: 'smoke', entity: the('u1') }, 'smoke'],
      [{ particleType: 'fire', entity: the('u1') }, undefined],
      [{ particleType: 'smoke', entity: nothing }, undefined],
    ],
    allUnitsAttachedToUnit: [[{ entity: the('u1') }, undefined]],
    allUnitsMountedOnUnit: [[{ entity: the('u1') }, undefined]],
  },
  {
    data: valueGameData,
    prepare: (scene) => {
      settle(scene);
      const other = called(scene, 'u2');
      removeSensor(scene.game, called(scene, 'u1'));
      createSensor(scene.game, other, 90);
      enableAi(scene.game, other);
      scene.world.components.movement.moving[rowOf(other)] = 1;
      scene.world.components.ai[rowOf(other)]!.target = called(scene, 'u3');
    },
  },
);

test('the data of a unit is what would be saved', () => {
  const scene = new Scene(valueGameData);
  settle(scene);
  expect(JSON.parse(scene.value({ function: 'getUnitData', unit: the('u1') }) as string)).toMatchObject({
    attributes: { armour: { value: 3 } },
    variables: { kills: { value: 2 } },
    inventoryItems: [],
  });
});

test('a unit that outlives its owner keeps it', () => {
  const scene = new Scene(valueGameData);
  settle(scene);
  const owner = { function: 'getOwner', entity: the('u3') };
  removePlayer(scene.game, called(scene, 'p2'));
  scene.sim.run({ ticks: 5 });
  expect(scene.value(owner)).toBe('@p2');
  expect(scene.value({ function: 'entityExists', entity: owner })).toBe(false);
});

test('functions work on a unit that was just destroyed', () => {
  const scene = new Scene(valueGameData);
  settle(scene);
  const unit = called(scene, 'u1');
  const asking = { selectedUnit: scene.world.ref(unit) };
  const questions = {
    owner: { function: 'getOwner', entity: { function: 'selectedUnit' } },
    type: { function: 'getUnitTypeOfUnit', entity: { function: 'selectedUnit' } },
    exists: { function: 'entityExists', entity: { function: 'selectedUnit' } },
    place: { function: 'getEntityPosition', entity: { function: 'selectedUnit' } },
    health: { function: 'getEntityAttribute', attribute: 'armour', entity: { function: 'selectedUnit' } },
    kills: {
      function: 'getValueOfEntityVariable',
      variable: { function: 'getEntityVariable', variable: { key: 'kills' } },
      entity: { function: 'selectedUnit' },
    },
  };
  const answers = () =>
    Object.fromEntries(Object.entries(questions).map(([name, node]) => [name, scene.value(node, asking)]));
  destroyEntity(scene.game, unit);
  expect(answers()).toEqual({
    owner: '@p1',
    type: 'soldier',
    exists: false,
    place: { x: 640, y: 640 },
    health: 3,
    kills: 2,
  });
  // Only for a while: later its row belongs to another entity.
  scene.sim.run({ ticks: 3 });
  expect(answers()).toEqual({
    owner: undefined,
    type: undefined,
    exists: false,
    place: undefined,
    health: undefined,
    kills: undefined,
  });
});
