import { expect, test } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import { Legend } from '../../src/picture/legend.ts';
import { addToLegend, picture } from '../../src/picture/picture.ts';
import { pngOf, rendered } from '../../src/picture/png.ts';
import { body, joinAs, play, script, unitType } from '../support/play.ts';
import { sampleGame } from '../support/samples.ts';

test('walls, regions, debris and units are drawn at their positions', () => {
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
/** The part of a picture that draws one entity. */
const drawnAs = (svg: string, title: string): string =>
  new RegExp(`<g transform="translate(?:(?!<g transform="translate).)*<title>${title}</title>`).exec(svg)?.[0] ?? '';
const fillOf = (svg: string, title: string): string | undefined => /fill="(#\w+)"/.exec(drawnAs(svg, title))?.[1];
const edgeOf = (svg: string, title: string): string | undefined =>
  /class="edge" style="stroke:(#\w+)"/.exec(drawnAs(svg, title))?.[1];
const legendOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<g class="entry"[^>]*>(?:(?!<text).)*<text[^>]*>([^<]*)/g)].map(([, text]) => text!);

/** Two computer players on different sides, each with a unit of the same type. */
function twoSides(types: readonly string[], playerTypes: object = sides.playerTypes): string {
  const computer = { function: 'getVariable', variableName: 'one' };
  const actions = types.flatMap((playerType, i) => [
    { type: 'setVariable', variableName: 'one', value: { function: 'getVariable', variableName: `computer${i + 1}` } },
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
  return picture(play({ ...sides, playerTypes, variables, scripts: { start: script('gameStart', actions) } }).sim);
}

test('units of two types look different, even on the same side', () => {
  const { sim } = play(sides);
  sim.edit.createUnit({ type: 'round', x: 100, y: 100 });
  sim.edit.createUnit({ type: 'square', x: 300, y: 100 });
  const svg = picture(sim);
  expect(fillOf(svg, 'u1: Round')).toMatch(/^#/);
  expect(fillOf(svg, 'u1: Round')).not.toBe(fillOf(svg, 'u2: Square'));
});

test('units of one type show their side by an edge colour that is the same in all pictures of a game', () => {
  const both = twoSides(['human', 'zombie']);
  const zombieAlone = twoSides(['zombie']);
  expect(fillOf(both, 'u1: Square')).toBe(fillOf(both, 'u2: Square'));
  expect(edgeOf(both, 'u1: Square')).toMatch(/^#/);
  expect(edgeOf(both, 'u2: Square')).not.toBe(edgeOf(both, 'u1: Square'));
  expect(edgeOf(zombieAlone, 'u1: Square')).toBe(edgeOf(both, 'u2: Square'));
  expect(legendOf(both)).toEqual(['Square 2', 'side human', 'side zombie']);
});

test('a side has the colour of the game, if it is distinct', () => {
  const { human, zombie } = sides.playerTypes;
  const colored = (first: string, second: string) => ({
    human: { ...human, color: first },
    zombie: { ...zombie, color: second },
  });
  const svg = twoSides(['human', 'zombie'], colored('#aa0000', '#0000aa'));
  expect([edgeOf(svg, 'u1: Square'), edgeOf(svg, 'u2: Square')]).toEqual(['#aa0000', '#0000aa']);
  const [plain, own] = ['u1: Square', 'u2: Square'].map((title) =>
    edgeOf(twoSides(['human', 'zombie'], colored('#ffffff', '#0000aa')), title),
  );
  expect(plain).not.toBe('#ffffff');
  expect(own).toBe('#0000aa');
  const same = twoSides(['human', 'zombie'], colored('#aa0000', '#aa0000'));
  expect(edgeOf(same, 'u1: Square')).not.toBe(edgeOf(same, 'u2: Square'));
});

test('the legend shows colours and shapes as drawn', () => {
  const { sim } = play(sides);
  sim.edit.createUnit({ type: 'round', x: 100, y: 100 });
  sim.edit.createUnit({ type: 'square', x: 300, y: 100 });
  const svg = picture(sim);
  const signs = [...svg.matchAll(/<g class="entry"[^>]*fill="(#\w+)"><(\w+)/g)].map(([, fill, shape]) => [fill, shape]);
  expect(legendOf(svg)).toEqual(['Round 1', 'Square 1']);
  expect(signs).toEqual([
    [fillOf(svg, 'u1: Round'), 'circle'],
    [fillOf(svg, 'u2: Square'), 'rect'],
  ]);
});

test('the legend is below the map, and all its lines start at the same margin', () => {
  const unitTypes = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`type${i}`, unitType({ name: `A unit with a long name, ${i}` })]),
  );
  const { sim } = play({ ...sides, unitTypes });
  for (const type of Object.keys(unitTypes)) sim.edit.createUnit({ type, x: 100, y: 100 });
  const svg = picture(sim);
  const { map, cellSize } = sim.definition;
  const [bottom, end] = [map!.height * cellSize.height, Number(/viewBox="0 0 \d+ (\d+)"/.exec(svg)![1])];
  const font = Number(/font-size="(\d+)"/.exec(svg)![1]);
  const lines = new Map<number, number>();
  for (const [, x, y] of svg.matchAll(/<\/g><text x="([\d.]+)" y="([\d.]+)">A unit/g))
    if (!lines.has(Number(y))) lines.set(Number(y), Number(x));
  expect(lines.size).toBeGreaterThan(1);
  expect(new Set(lines.values())).toEqual(new Set([Number((font * 1.9).toFixed(1))]));
  const heights = [...lines.keys()];
  expect(heights[0]).toBeGreaterThan(bottom + font);
  expect(heights[0]).toBeLessThan(bottom + 2 * font);
  expect(heights.at(-1)).toBeLessThan(end);
});

test('entities beyond the edge of the map do not cover the legend', async () => {
  const linesOfLegend = async (y: number): Promise<Uint8Array> => {
    const { sim } = play(sides);
    const { map, cellSize } = sim.definition;
    const height = map!.height * cellSize.height;
    sim.edit.createUnit({ type: 'square', x: 12, y: height + y });
    const svg = picture(sim, { theme: 'light' });
    const image = await rendered(svg, map!.width * cellSize.width);
    return Uint8Array.from(image.pixels).subarray(
      image.width * Math.ceil((height * image.width) / (map!.width * cellSize.width)) * 4,
    );
  };
  const [inside, beyond] = [await linesOfLegend(-100), await linesOfLegend(10)];
  expect(inside.length).toBeGreaterThan(0);
  expect(Buffer.compare(beyond, inside)).toBe(0);
});

test('pictures of a series share one legend, including later types', () => {
  const { sim } = play(sides);
  const legend = new Legend();
  sim.edit.createUnit({ type: 'square', x: 300, y: 100 });
  addToLegend(legend, sim);
  const first = picture(sim, { legend, caption: 'one' });
  expect(legendOf(first)).toEqual(['Square']);
  sim.edit.createUnit({ type: 'round', x: 100, y: 100 });
  addToLegend(legend, sim);
  const second = picture(sim, { legend, caption: 'two' });
  expect(legendOf(second)).toEqual(['Round', 'Square']);
  expect(/viewBox="[^"]*"/.exec(second)?.[0]).toBe(/viewBox="[^"]*"/.exec(first)?.[0]);
});

test('entities have the shapes of their bodies', () => {
  const { sim } = play(sides);
  sim.edit.createUnit({ type: 'round', x: 100, y: 100 });
  sim.edit.createUnit({ type: 'square', x: 300, y: 100 });
  const svg = picture(sim);
  expect(drawnAs(svg, 'u1: Round')).toContain('<circle r="20" class="body"/>');
  expect(drawnAs(svg, 'u2: Square')).toContain('<rect x="-20" y="-20" width="40" height="40" rx="2.5" class="body"/>');
});

test('names of overlapping entities do not cover each other', () => {
  const { sim } = play(sides);
  for (let i = 0; i < 4; i++) sim.edit.createUnit({ type: 'square', x: 300 + 3 * i, y: 300 });
  const heights = [...picture(sim).matchAll(/class="label" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) => Number(y));
  expect(heights).toHaveLength(4);
  expect(new Set(heights).size).toBe(4);
});

test('a fixed theme needs no CSS variables', () => {
  const { sim } = play(sides);
  expect(picture(sim)).toContain('prefers-color-scheme');
  for (const theme of ['light', 'dark'] as const) expect(picture(sim, { theme })).not.toMatch(/var\(|@media/);
});

test('a picture can be rendered to pixels', async () => {
  const { sim } = play(sides);
  const png = await pngOf(picture(sim, { theme: 'dark' }), 320);
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  expect(new DataView(png.buffer, png.byteOffset).getUint32(16)).toBe(320);
});

test('players are labelled by their names, as on pages; other units by their ids', () => {
  const game = play({ ...sides, scripts: { join: joinAs('square') } });
  game.sim.join({ clientId: 'bot2', name: 'bot2' });
  game.sim.edit.createUnit({ type: 'round', x: 300, y: 100 });
  game.ticks(2);
  const labels = [...picture(game.sim).matchAll(/class="label"[^>]*>([^<]*)</g)].map(([, label]) => label);
  expect(labels).toEqual(expect.arrayContaining(['bot2', expect.stringMatching(/^u\d+$/)]));
});

/** A sample game with its own images, in which Ann has joined and holds something. */
function sampleWithAnn(): Simulation {
  const sim = new Simulation(sampleGame('infection.json'));
  sim.input({ kind: 'join', clientId: 'ann', name: 'Ann' });
  for (let i = 0; i < 20; i++) sim.step();
  return sim;
}

test('images that are embedded in the game are drawn instead of shapes, each defined once', async () => {
  const sim = sampleWithAnn();
  const svg = picture(sim, { theme: 'light' });
  const symbols = [...svg.matchAll(/<symbol id="(\w+)"/g)].map(([, id]) => id!);
  const used = [...svg.matchAll(/<use href="#(\w+)"/g)].map(([, id]) => id!);
  expect(new Set(symbols).size).toBe(symbols.length);
  expect(new Set(used)).toEqual(new Set(symbols));
  expect(used.length).toBeGreaterThan(symbols.length);
  expect(svg).not.toMatch(/class="(?:wall|body|front)" (?!transform)/);
  expect(legendOf(svg)).toContain('Human 1');
  const { pixels, width } = await rendered(svg, 720);
  const { cellSize } = sim.definition;
  const at = (x: number, y: number): string => {
    const scale = 720 / (32 * cellSize.width);
    const start = 4 * (Math.round(y * scale) * width + Math.round(x * scale));
    return [...pixels.subarray(start, start + 3)].join(' ');
  };
  // The wall in the corner and the floor next to it have the colours of the tiles.
  expect(new Set([at(20, 20), at(100, 100), '248 250 252']).size).toBe(3);
});

test('a held item is drawn on its unit, turned as its anchor says; other carried items are not', () => {
  const sim = sampleWithAnn();
  const { unit } = sim.player('ann');
  const { id, angle } = unit!.holding!;
  const titles = [...picture(sim).matchAll(/<title>([^<]*)</g)].map(([, title]) => title!);
  expect(titles.at(-1)).toBe(`${id}: Dart gun`);
  expect(titles.filter((title) => title.startsWith('Ann'))).toHaveLength(1);
  const turn = /rotate\(([-\d.]+)\)/.exec(drawnAs(picture(sim), `${id}: Dart gun`))?.[1];
  expect(Number(turn)).toBeCloseTo((angle * 180) / Math.PI - 90, 1);
});

test('an image is cut from its sheet by the first frame of its animation', () => {
  const game = sampleGame('infection.json', ({ unitTypes: { human } }) => {
    human.cellSheet = { url: 'data:image/png;base64,AA', rowCount: 2, columnCount: 3 };
    human.animations.default.frames = [5];
  });
  const sim = new Simulation(game);
  sim.input({ kind: 'join', clientId: 'ann', name: 'Ann' });
  for (let i = 0; i < 20; i++) sim.step();
  const image = '<image href="data:image/png;base64,AA" width="3" height="2"';
  expect(picture(sim)).toContain(`viewBox="1 1 1 1" preserveAspectRatio="none">${image}`);
});
