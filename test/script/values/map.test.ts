import { expect, test } from 'vitest';
import { editTiles } from '../../../engine/rules/world/map.ts';
import { mapValues } from '../../../engine/script/values/map.ts';
import { computed, nothing, Scene, testValues } from './harness.ts';

const layer = (name: string, data: number[]) => ({ name, type: 'tilelayer', width: 4, height: 3, data });
const map = {
  width: 4,
  height: 3,
  tilewidth: 64,
  tileheight: 64,
  layers: [
    layer('floor', [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]),
    { name: 'things', type: 'objectgroup', objects: [] },
    layer('walls', [0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0, 0]),
  ],
  tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
};

testValues(
  'the map',
  mapValues,
  {
    isPositionInWall: [
      [{ position: { x: 200, y: 10 } }, true],
      [{ position: { x: 10, y: 70 } }, true],
      [{ position: { x: 100, y: 100 } }, false],
      // The members may be operands.
      [{ position: { x: { function: 'calculate', items: ['+', computed(199), 1] }, y: 10 } }, true],
      [{ position: { function: 'xyCoordinate', x: 200, y: 10 } }, true],
      [{ position: { function: 'elementFromObject', object: { it: { x: 200, y: 10 } }, key: 'it' } }, true],
      [{ position: { x: '200', y: '10' } }, true],
      [{ position: { x: 200 } }, false],
    ],
    getMapWidth: [[{}, 256]],
    getMapHeight: [[{}, 192]],
    getMapJson: [[{}, expect.stringContaining('"width":4')]],
    getMapTileId: [
      [{ x: 3, y: 0, layer: 0 }, 4],
      [{ x: computed(3), y: computed(0), layer: computed(2) }, 3],
      [{ x: 0, y: 0, layer: 2 }, 0],
      [{ x: '3', y: 0, layer: 0 }, undefined],
      [{ x: 0.5, y: 0, layer: 0 }, undefined],
      [{ x: nothing, y: 0, layer: 0 }, undefined],
      [{ x: 4, y: 0, layer: 0 }, undefined, 'wrong-value'],
      [{ x: -1, y: 0, layer: 0 }, undefined, 'wrong-value'],
      [{ x: 0, y: 0, layer: 1 }, undefined, 'no-such-reference'],
      [{ x: 0, y: 0, layer: 3 }, undefined, 'no-such-reference'],
      [{ x: 0, y: 0, layer: -1 }, undefined, 'no-such-reference'],
    ],
  },
  { data: { map } },
);

test('a position on the far edge of the map is outside (for moddio see the corrections of the dialects)', () => {
  const scene = new Scene({ map });
  const isWall = (x: number, y: number) => scene.value({ function: 'isPositionInWall', position: { x, y } });
  expect([isWall(0, 64), isWall(256, 10), isWall(-1, 70)]).toEqual([true, false, false]);
});

test('a tile changed by a script is returned', () => {
  const scene = new Scene({ map });
  editTiles(scene.game, { layer: 2, x: 1, y: 1, width: 1, height: 1, gid: 2 });
  expect(scene.value({ function: 'getMapTileId', x: 1, y: 1, layer: 2 })).toBe(2);
  expect(scene.value({ function: 'isPositionInWall', position: { x: 70, y: 70 } })).toBe(true);
  const { layers } = JSON.parse(scene.value({ function: 'getMapJson' }) as string);
  expect(layers[2].data[5]).toBe(2);
  expect(layers[0].data).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]);
});

test('the map as a text has no value if it exceeds the limit of texts', () => {
  const { value, faults } = new Scene({ map }, { limits: { stringLength: 50 } }).ask({ function: 'getMapJson' });
  expect(value).toBeUndefined();
  expect(faults).toEqual(['limit-string']);
});
