import { positionValues } from '../../../engine/script/values/position.ts';
import { computed, near, nothing, testValues } from './harness.ts';

const a = { x: 10, y: -5 };

testValues('positions', positionValues, {
  xyCoordinate: [
    [
      { x: 1, y: 2 },
      { x: 1, y: 2 },
    ],
    // Members keep the values that scripts gave them, including texts.
    [
      { x: '541', y: 0 },
      { x: '541', y: 0 },
    ],
    [{ x: nothing, y: 2 }, undefined],
    [{ x: 1, y: nothing }, undefined],
  ],
  vector3: [
    [
      { x: 1, y: 2, z: 3 },
      { x: 1, y: 2, z: 3 },
    ],
    [{ x: 1, y: 2, z: nothing }, undefined],
  ],
  getPositionX: [
    [{ position: a }, 10],
    [{ position: { x: '7', y: 0 } }, '7'],
    [{ position: { function: 'getRegionByName', name: 'none' } }, undefined],
  ],
  getPositionY: [[{ position: a }, -5]],
  getPositionInFrontOfPosition: [
    [
      { position: { x: 10, y: 10 }, distance: 20, angle: 0 },
      { x: near(10), y: near(-10) },
    ],
    [
      { position: { x: 10, y: 10 }, distance: 20, angle: 1.5 },
      { x: near(29.949899732081089), y: near(8.585255966645942) },
    ],
    {
      give: { position: { x: '10', y: 10 }, distance: '5', angle: Math.PI / 2 },
      expect: { x: near(15), y: near(10) },
      moddio: { x: '510', y: near(10) },
    },
    [{ position: nothing, distance: 20, angle: 0 }, undefined],
    [{ position: a, distance: nothing, angle: 0 }, undefined],
    [{ position: a, distance: 1, angle: 'up' }, undefined],
  ],
  distanceBetweenPositions: [
    [{ positionA: a, positionB: { x: -2, y: 0 } }, 13],
    [{ positionA: { x: '3', y: 0 }, positionB: { x: 0, y: '4' } }, 5],
    [{ positionA: a, positionB: nothing }, undefined],
    [{ positionA: { x: 1 }, positionB: a }, Number.NaN],
  ],
  angleBetweenPositions: [
    [{ positionA: { x: 100, y: 100 }, positionB: { x: 100, y: 50 } }, near(0)],
    [{ positionA: { x: 0, y: 0 }, positionB: { x: 10, y: 0 } }, near(Math.PI / 2)],
    [{ positionA: { x: 0, y: 0 }, positionB: { x: -10, y: 3 } }, near(Math.atan2(3, -10) + Math.PI / 2)],
    [{ positionA: a, positionB: a }, undefined],
    [{ positionA: a, positionB: nothing }, undefined],
  ],
  getLerpPosition: [
    [
      { positionA: { x: 0, y: 0 }, positionB: { x: 10, y: 20 }, alpha: 0.5 },
      { x: 5, y: 10 },
    ],
    [
      { positionA: { x: 0, y: 0 }, positionB: { x: 10, y: 20 }, alpha: computed(2) },
      { x: 20, y: 40 },
    ],
    [{ positionA: { x: 0, y: 0 }, positionB: { x: 10, y: 20 }, alpha: nothing }, undefined],
    [{ positionA: { x: 0 }, positionB: { x: 10, y: 20 }, alpha: 1 }, undefined],
    [{ positionA: nothing, positionB: a, alpha: 1 }, undefined],
  ],
});
