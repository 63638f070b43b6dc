import { describe, expect, test } from 'vitest';
import { resizeRegion } from '../../../engine/rules/world/region.ts';
import { regionValues } from '../../../engine/script/values/region.ts';
import { lazily } from '../../support/lazily.ts';
import { document, unitType } from '../../support/play.ts';
import { computed, nothing, Scene, testValues } from './harness.ts';
import { called, settle, the, unitAt, valueGameData } from './value-game.ts';

const square = { function: 'getRegionByName', name: 'square' };
const meadow = { function: 'getRegionByName', name: 'meadow' };
const plain = { x: 10, y: 20, width: 30, height: 40 };
const around = (x: number, y: number, size: number) => ({
  x: x - size / 2,
  y: y - size / 2,
  width: size,
  height: size,
});

/** The order is defined only in `standard`; the tests of dialects have that of `moddio`. */
const inAnyOrder = (...names: string[]): unknown =>
  expect.toSatisfy((found: unknown) => Array.isArray(found) && found.toSorted().join() === names.toSorted().join());

testValues(
  'regions',
  regionValues,
  {
    getRegionByName: [
      [{ name: 'square' }, '@r:square'],
      [{ name: 'nowhere' }, undefined],
      [{ name: '' }, undefined],
    ],
    dynamicRegion: [
      [plain, plain],
      [
        { x: '1', y: 2, width: 3, height: nothing },
        { x: '1', y: 2, width: 3, height: undefined },
      ],
    ],
    getEntireMapRegion: [[{}, { x: 0, y: 0, width: 1280, height: 1280 }]],
    nameOfRegion: [
      [{ region: square }, 'square'],
      [{ region: { ...plain, key: 'garden' } }, 'garden'],
      [{ region: plain }, undefined],
    ],
    centerOfRegion: [
      [{ region: square }, { x: 650, y: 640 }],
      { give: { region: plain }, expect: { x: 25, y: 40 }, moddioAborts: 'wrong-value' },
      [{ region: { function: 'getEntireMapRegion' } }, { x: 640, y: 640 }],
    ],
    getXCoordinateOfRegion: [
      [{ region: square }, 600],
      { give: { region: plain }, expect: 10, moddioAborts: 'wrong-value' },
    ],
    getYCoordinateOfRegion: [
      [{ region: square }, 600],
      {
        give: { region: { function: 'dynamicRegion', x: '1', y: '2', width: 3, height: 4 } },
        expect: 2,
        moddio: undefined,
        moddioFault: 'missing-value',
      },
    ],
    getWidthOfRegion: [[{ region: square }, 100], { give: { region: plain }, expect: 30, moddioAborts: 'wrong-value' }],
    getHeightOfRegion: [[{ region: square }, 80]],
    getRandomPositionInRegion: [
      [{ region: { x: 5, y: 6, width: 1, height: 1 } }, { x: 5, y: 6 }],
      [{ region: { x: 5.5, y: -0.5, width: 0, height: 0 } }, { x: 5, y: -1 }],
      // An undefined position is not the corner of the map.
      { give: { region: {} }, expect: undefined, moddio: { x: 0, y: 0 } },
      { give: { region: { x: 5, y: 6, width: 1 } }, expect: undefined, moddio: { x: 5, y: Number.NaN } },
    ],
    getRandomPlayablePositionInRegion: [
      [{ region: { x: 30, y: 40, width: 1, height: 1 } }, { x: 30, y: 40 }],
      [{ region: { x: 600, y: 600, width: 1, height: 1 } }, undefined, 'missing-value'],
    ],
    regionOverlapsWithRegion: [
      [{ regionA: square, regionB: { x: 690, y: 670, width: 50, height: 50 } }, true],
      // Edges that only touch do not overlap.
      [{ regionA: square, regionB: { x: 700, y: 600, width: 50, height: 50 } }, false],
      [{ regionA: square, regionB: { x: 550, y: 600, width: 50, height: 50 } }, false],
      [{ regionA: square, regionB: { x: 600, y: 680, width: 50, height: 50 } }, false],
      [{ regionA: square, regionB: { x: 600, y: 550, width: 50, height: 50 } }, false],
      [{ regionA: square, regionB: meadow }, false],
      { give: { regionA: square, regionB: { function: 'getEntireMapRegion' } }, expect: true, moddio: false },
      [{ regionA: square, regionB: { function: 'entityBounds', entity: the('u1') } }, true],
      // A missing member counts as 0.
      [{ regionA: { width: 10, height: 10 }, regionB: { x: 5, y: 5, width: 1, height: 1 } }, true],
      [{ regionA: nothing, regionB: square }, false],
    ],
    unitIsInRegion: [
      { give: { region: square, unit: the('u1') }, expect: true, moddio: false },
      [{ region: square, unit: the('u2') }, false],
      [{ region: around(940, 640, 10), unit: the('u2') }, true],
      { give: { region: { function: 'getEntireMapRegion' }, unit: the('u1') }, expect: true, moddio: false },
      // Without a body it has no position.
      [{ region: { function: 'getEntireMapRegion' }, unit: the('u3') }, false],
      [{ region: nothing, unit: the('u1') }, false],
      [{ region: square, unit: nothing }, false],
    ],
    allUnitsInRegion: [
      [{ region: { function: 'getEntireMapRegion' } }, ['@u1', '@u2']],
      [{ region: square }, ['@u1']],
      [{ region: around(100, 900, 50) }, []],
    ],
    entitiesInRegion: [
      [{ region: around(640, 640, 10) }, inAnyOrder('@r:square', '@u1')],
      [{ region: around(940, 640, 10) }, ['@u2']],
    ],
    regionInFrontOfEntityAtDistance: [
      [
        { entity: the('u1'), distance: 100, width: 20, height: 40 },
        { x: 630, y: 520, width: 20, height: 40 },
      ],
      [{ entity: the('u1'), distance: 100, width: 0, height: 40 }, undefined, 'wrong-value'],
      [{ entity: the('u1'), distance: 'far', width: 20, height: 40 }, undefined, 'wrong-value'],
      [{ entity: the('u1'), distance: nothing, width: 20, height: 40 }, undefined],
      [{ entity: nothing, distance: 100, width: 20, height: 40 }, undefined],
    ],
    entitiesInRegionInFrontOfEntityAtDistance: [
      [{ entity: the('u1'), distance: 0, width: 10, height: 10 }, inAnyOrder('@r:square', '@u1')],
      [{ entity: the('u2'), distance: 300, width: 10, height: 10 }, []],
      {
        give: { entity: the('u1'), distance: 0, width: -1, height: 10 },
        expect: [],
        fault: 'wrong-value',
        moddio: inAnyOrder('@r:square', '@u1'),
        moddioFault: undefined,
      },
      [{ entity: nothing, distance: 0, width: 10, height: 10 }, undefined],
    ],
  },
  { data: valueGameData, prepare: settle },
);

describe('a region that a script moved', () => {
  const shared = lazily(() => {
    const scene = new Scene(valueGameData);
    settle(scene);
    resizeRegion(scene.game, called(scene, 'r:square'), { x: 900, y: 600, width: 80, height: 80 });
    scene.sim.run({ ticks: 2 });
    return { scene };
  });

  test('has its current rectangle', () => {
    const { scene } = shared();
    expect(scene.value({ function: 'centerOfRegion', region: square })).toEqual({ x: 940, y: 640 });
    expect(scene.value({ function: 'allUnitsInRegion', region: square })).toEqual(['@u2']);
  });
});

describe('a random position', () => {
  const positions = (scene: Scene, operation: string, region: unknown) => {
    const { ask } = scene.compile({ function: operation, region });
    return Array.from({ length: 300 }, () => ask().value as { x: number; y: number });
  };

  test('is whole, from the near edges up to the far ones, exclusively', () => {
    const found = positions(new Scene(), 'getRandomPositionInRegion', { x: 3, y: -1, width: 3, height: 2 });
    expect(new Set(found.map(({ x }) => x))).toEqual(new Set([3, 4, 5]));
    expect(new Set(found.map(({ y }) => y))).toEqual(new Set([-1, 0]));
  });

  test('that is playable is not in a wall', () => {
    const { data } = document() as { data: { map: { layers: { data: number[] }[] } } };
    data.map.layers[0]!.data = new Array(400).fill(0).map((_, cell) => (cell % 20 < 1 ? 1 : 0));
    const scene = new Scene({ map: data.map });
    const found = positions(scene, 'getRandomPlayablePositionInRegion', { x: 0, y: 0, width: 128, height: 64 });
    expect(found.filter((at) => at !== undefined && at.x < 64)).toEqual([]);
    expect(found.filter((at) => at !== undefined).length).toBeGreaterThan(250);
  });
});

test('lists of entities in a region are in the order of creation', () => {
  const scene = new Scene({ unitTypes: { soldier: unitType() } });
  const owner = called(scene, 'c1');
  for (const x of [700, 300, 500]) unitAt(scene, 'soldier', owner, x, 500);
  scene.sim.run({ ticks: 2 });
  const all = { x: 0, y: 0, width: computed(1000), height: 1000 };
  expect(scene.value({ function: 'allUnitsInRegion', region: { function: 'dynamicRegion', ...all } })).toEqual([
    '@u1',
    '@u2',
    '@u3',
  ]);
});
