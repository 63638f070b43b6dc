import { expect, test } from 'vitest';
import { picture } from '../../src/scenario/picture.ts';
import { play, unitType } from '../support/play.ts';

test('walls, regions, props and units are drawn where they are', () => {
  const layers = [
    { name: 'walls', type: 'tilelayer', width: 4, height: 4, data: [1, ...new Array(15).fill(0)] },
    {
      name: 'debris',
      type: 'objectgroup',
      objects: [{ id: 1, x: 96, y: 96, width: 30, height: 20, rotation: 0, type: 'dynamic', name: 'crate' }],
    },
  ];
  const game = play({
    map: { width: 4, height: 4, tilewidth: 64, tileheight: 64, layers, tilesets: [] },
    variables: { yard: { dataType: 'region', default: { x: 10, y: 20, width: 30, height: 40 } } },
    unitTypes: { unit: unitType() },
  });
  game.ticks(1);
  const svg = picture(game.sim, [], () => undefined);
  expect(svg).toContain('class="wall" d="M0 0h64v64h-64z"');
  expect(svg).toContain('class="region" x="10" y="20"');
  expect(svg).toMatch(/class="debris" transform="translate\(96\.0 96\.0\) rotate\(0\.0\)" x="-15" y="-10" width="30"/);
  expect(svg).toContain('<title>1</title>');
});
