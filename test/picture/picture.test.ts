import { expect, test } from 'vitest';
import { picture } from '../../src/picture/picture.ts';
import { pngOf } from '../../src/picture/png.ts';
import { body, play, script, unitType } from '../support/play.ts';

test('walls, regions, debris and units are drawn where they are', () => {
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
  const svg = picture(game.sim);
  expect(svg).toContain('class="wall" d="M0 0h64v64h-64z"');
  expect(svg).toContain('class="region" x="10" y="20"');
  expect(svg).toMatch(/class="debris" transform="translate\(96\.0 96\.0\) rotate\(0\.0\)" x="-15" y="-10" width="30"/);
  expect(svg).toContain('<title>1</title>');
});

const sides = {
  playerTypes: {
    human: { name: 'human', attributes: {}, variables: {}, relationships: {} },
    zombie: { name: 'zombie', attributes: {}, variables: {}, relationships: {} },
  },
  unitTypes: {
    square: unitType({ name: 'Square' }),
    round: unitType({
      name: 'Round',
      bodies: { default: body({ fixtures: [{ density: 1, friction: 0, restitution: 0, shape: { type: 'circle' } }] }) },
    }),
  },
};
const fillOf = (svg: string, title: string): string | undefined =>
  new RegExp(`fill="(#\\w+)">(?:(?!<g transform="translate).)*<title>${title}</title>`).exec(svg)?.[1];

test('a side has the same colour in every picture of a game, whoever is there', () => {
  const joined = (types: readonly string[]): string => {
    const computer = { function: 'getVariable', variableName: 'one' };
    const actions = types.flatMap((playerType, i) => [
      {
        type: 'setVariable',
        variableName: 'one',
        value: { function: 'getVariable', variableName: `computer${i + 1}` },
      },
      { type: 'assignPlayerType', entity: computer, playerType },
      {
        type: 'createUnitAtPosition',
        unitType: 'square',
        entity: computer,
        position: { x: 100 + 200 * i, y: 100 },
        angle: 0,
      },
    ]);
    const player = (name: string | null) => ({ dataType: 'player', default: name });
    const variables = { one: player(null), computer1: player('computer1'), computer2: player('computer2') };
    return picture(play({ ...sides, variables, scripts: { start: script(['gameStart'], actions) } }).sim);
  };
  const both = joined(['human', 'zombie']);
  const zombieAlone = joined(['zombie']);
  expect(fillOf(both, 'u1: Square')).toBeDefined();
  expect(fillOf(both, 'u2: Square')).not.toBe(fillOf(both, 'u1: Square'));
  expect(fillOf(zombieAlone, 'u1: Square')).toBe(fillOf(both, 'u2: Square'));
});

test('things have the shapes of their bodies', () => {
  const { sim } = play(sides);
  sim.edit.createUnit({ type: 'round', x: 100, y: 100 });
  sim.edit.createUnit({ type: 'square', x: 300, y: 100 });
  const svg = picture(sim);
  expect(svg).toMatch(/<circle r="20"\/><path class="front"[^>]*\/><\/g><title>u1: Round/);
  expect(svg).toMatch(
    /<rect x="-20" y="-20" width="40" height="40"[^>]*\/><path class="front"[^>]*\/><\/g><title>u2: Square/,
  );
});

test('names of things that stand in one place do not cover each other', () => {
  const { sim } = play(sides);
  for (let i = 0; i < 4; i++) sim.edit.createUnit({ type: 'square', x: 300 + 3 * i, y: 300 });
  const heights = [...picture(sim).matchAll(/class="label" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) => Number(y));
  expect(heights).toHaveLength(4);
  expect(new Set(heights).size).toBe(4);
});

test('a theme that is fixed needs no variables of a style sheet', () => {
  const { sim } = play(sides);
  expect(picture(sim)).toContain('prefers-color-scheme');
  for (const theme of ['light', 'dark'] as const) expect(picture(sim, { theme })).not.toMatch(/var\(|@media/);
});

test('a picture can be pixels', async () => {
  const { sim } = play(sides);
  const png = await pngOf(picture(sim, { theme: 'dark' }), 320);
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  expect(new DataView(png.buffer, png.byteOffset).getUint32(16)).toBe(320);
});
