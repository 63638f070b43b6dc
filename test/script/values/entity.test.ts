import { describe, expect, test } from 'vitest';
import { RayPoint } from '../../../engine/components/ray-point.ts';
import { createItem } from '../../../engine/rules/items/item.ts';
import { giveItem } from '../../../engine/rules/items/pick-up.ts';
import { entityValues, toThreeDecimals } from '../../../engine/script/values/entity.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { body, unitType } from '../../support/play.ts';
import { computed, near, nothing, Scene, testValues } from './harness.ts';
import { called, settle, the, unitAt, valueGameData } from './value-game.ts';

const soldier = { entity: the('u1') };
const ghost = { entity: the('u3') };
const square = { entity: { function: 'getRegionByName', name: 'square' } };
const nobody = { entity: nothing };

testValues(
  'entities',
  entityValues,
  {
    entityExists: [
      [soldier, true],
      [square, true],
      [{ entity: the('p1') }, true],
      [{ entity: { x: 1, y: 2 } }, false],
      [nobody, false],
    ],
    getEntityId: [
      [soldier, 'u1'],
      [{ unit: the('u1') }, 'u1'],
      [nobody, undefined],
    ],
    getUnitId: [[{ unit: the('u1') }, 'u1']],
    getEntityType: [
      [soldier, 'unit'],
      [{ entity: the('p1') }, 'player'],
      [square, 'region'],
      [{ entity: { x: 1, y: 2 } }, 'wall'],
      [nobody, undefined],
    ],
    entityName: [
      [soldier, 'Ann'],
      [{ entity: the('p2') }, 'Bob'],
      [{ entity: the('i1') }, 'Apple'],
      [square, undefined],
      [nobody, undefined],
    ],
    getEntityPosition: [
      [soldier, { x: 640, y: 640 }],
      [square, { x: 650, y: 640 }],
      [{ entity: { x: 3, y: '4', note: 'kept' } }, { x: 3, y: '4', note: 'kept' }],
      [{ entity: { a: 1 } }, { x: 0, y: 0 }],
      { give: { entity: 'soldier' }, expect: undefined, moddio: { x: 0, y: 0 } },
      [nobody, undefined],
    ],
    unitsFacingAngle: [
      [{ unit: the('u2') }, 1.235],
      [{ entity: the('u2') }, 1.235],
      [{ unit: the('u1'), entity: the('u2') }, 0],
      [{ unit: nothing, entity: the('u2') }, 1.235],
      [{}, undefined],
    ],
    entityFacingAngle: [
      [{ entity: the('u2') }, 1.235],
      [{ entity: the('p1') }, 0],
      [nobody, undefined],
    ],
    getEntityVelocityX: [
      [{ entity: the('u2') }, '1.50'],
      [soldier, '0.00'],
      [ghost, undefined],
      [nobody, undefined],
    ],
    getEntityVelocityY: [
      [{ entity: the('u2') }, '-2.00'],
      [ghost, undefined],
    ],
    entityWidth: [
      [soldier, 40],
      [square, 100],
      [{ entity: 'soldier' }, undefined],
      [nobody, undefined],
    ],
    entityHeight: [
      [soldier, 20],
      [square, 80],
    ],
    entityOpacity: [
      [soldier, 1],
      [{ entity: the('u2') }, 0.25],
      [nobody, undefined],
    ],
    entityBounds: [
      [soldier, { x: 620, y: 630, width: 40, height: 20 }],
      [square, { x: 600, y: 600, width: 100, height: 80 }],
      [{ entity: the('p1') }, undefined],
      [nobody, undefined],
    ],
    getEntityState: [
      [soldier, 'default'],
      [ghost, undefined],
      {
        give: nobody,
        expect: 'default',
        asking: (scene) => ({ selectedEntity: scene.world.ref(called(scene, 'u1')) }),
      },
      [nobody, undefined],
    ],
    areEntitiesTouching: [
      [{ sourceEntity: the('u2'), targetEntity: square.entity }, false],
      [{ sourceEntity: the('u3'), targetEntity: square.entity }, false],
      { give: { sourceEntity: nothing, targetEntity: the('u1') }, aborts: 'no-such-entity' },
      { give: { sourceEntity: the('u1'), targetEntity: nothing }, aborts: 'no-such-entity' },
    ],
    entityLastRaycastCollisionPosition: [
      [{ entity: the('u2') }, { x: 920, y: 640 }],
      [soldier, undefined],
      [nobody, undefined],
    ],
    getEntityPositionOnScreen: [[soldier, undefined]],
  },
  {
    data: { ...valueGameData, itemTypes: { apple: { name: 'Apple', states: { dropped: { name: 'dropped' } } } } },
    prepare: (scene) => {
      settle(scene);
      const { game, world } = scene;
      createItem(game, { type: world.types.item.get('apple')!, x: 300, y: 300, angle: 0, quantity: 1 });
      const other = called(scene, 'u2');
      world.components.transform.angle[rowOf(other)] = 1.23456;
      world.shown.opacity.set(other, 0.25);
      Object.assign(world.ensure(other, RayPoint), { x: 920, y: 640 });
      game.physics.setVelocity(other, 1.499, -2);
    },
  },
);

describe('a facing angle', () => {
  test.each([
    [0, 0],
    [1.2344999, 1.234],
    [1.2345001, 1.235],
    [-3.5, -3.5],
    // Decimal numbers halfway between two results are rounded up, independent of their binary representation.
    [1.0005, 1.001],
    [-1.0005, -1],
    [1e-9, 0],
    [-1e-9, 0],
  ])('%d is normalised to %d', (angle, rounded) => {
    expect(toThreeDecimals(angle)).toBe(rounded);
  });
});

test('the position of a held item is where its carrier holds it', () => {
  const held = { ...body({ type: 'spriteOnly', width: 10, height: 10 }), unitAnchor: { x: 4, y: 30 } };
  const scene = new Scene({
    unitTypes: { soldier: unitType({ bodies: { default: body({ width: 40, height: 40 }) } }) },
    itemTypes: {
      sword: {
        name: 'Sword',
        controls: { permittedInventorySlots: [] },
        states: { dropped: { name: 'dropped', body: 'held' }, selected: { name: 'selected', body: 'held' } },
        bodies: { held },
      },
    },
  });
  const { game, world } = scene;
  const unit = unitAt(scene, 'soldier', called(scene, 'c1'), 500, 500);
  giveItem(game, unit, { type: world.types.item.get('sword')!, quantity: 1 });
  world.components.transform.angle[rowOf(unit)] = Math.PI / 2;
  expect(scene.value({ function: 'getEntityPosition', entity: the('i1') })).toEqual({ x: near(530), y: near(504) });
  expect(scene.value({ function: 'entityBounds', entity: the('i1') })).toEqual({
    x: 495,
    y: 495,
    width: 10,
    height: 10,
  });
});

test('the position of an entity is returned as a copy', () => {
  const scene = new Scene();
  const { ask } = scene.compile({ function: 'getEntityPosition', entity: { function: 'selectedElement' } });
  const place = { x: 1, y: 2 };
  const { value } = ask({ selectedElement: place });
  expect(value).toEqual(place);
  expect(value).not.toBe(place);
});

test('a velocity is a text that can be calculated with', () => {
  const scene = new Scene(valueGameData);
  settle(scene);
  const velocity = { function: 'getEntityVelocityX', entity: the('u1') };
  expect(scene.value({ function: 'calculate', items: ['+', velocity, computed(1)] })).toBe(1);
});
