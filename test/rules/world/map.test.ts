import { describe, expect, test } from 'vitest';
import { Simulation } from '../../../engine/index.ts';
import { mapJson } from '../../../engine/rules/world/map.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import type { OutputEvent } from '../../../engine/world/outbox.ts';
import { body, joinAs, type Play, play, script, unitType } from '../../support/play.ts';

const tile = (gid: unknown, x: unknown, y: unknown, layer: unknown = 0) => ({ type: 'editMapTile', gid, layer, x, y });
const tiles = (gid: unknown, x: unknown, y: unknown, width: unknown, height: unknown, layer: unknown = 0) => {
  return { type: 'editMapTiles', gid, layer, x, y, width, height };
};

function mapOf(layers: readonly Record<string, unknown>[], width = 6, height = 5): Record<string, unknown> {
  return {
    width,
    height,
    tilewidth: 64,
    tileheight: 64,
    layers: layers.map((layer) => ({
      type: 'tilelayer',
      width,
      height,
      data: new Array(width * height).fill(0),
      ...layer,
    })),
    tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
  };
}

const plain = mapOf([
  { name: 'walls' },
  { name: 'floor' },
  { name: 'debris', type: 'objectgroup', objects: [], data: undefined },
]);

/** A game whose start runs the actions, on a map of 6 by 5 cells. */
function edited(...actions: unknown[]): { game: Play; outputs: OutputEvent[] } {
  const game = play({
    map: plain,
    unitTypes: { walker: unitType({ bodies: { default: body() } }) },
    scripts: { join: joinAs('walker', 96, 160), go: script('playerCustomInput', actions) },
  });
  const outputs: OutputEvent[] = [];
  game.sim.on('output', (event) => {
    if (event.kind.startsWith('map.')) outputs.push(event);
  });
  const human = game.sim.join();
  human.answer('');
  game.ticks(2);
  return { game, outputs };
}

function rowsOf(game: Play, layer = 0): string[] {
  const { map } = game.world;
  const { tiles: cells } = map.layers[layer]!;
  return Array.from({ length: map.height }, (_, row) => cells.slice(row * map.width, (row + 1) * map.width).join(''));
}

describe('a tile', () => {
  test('changes at once, which is published', () => {
    const { game, outputs } = edited(tile(2, 1, 0), tile(3, 5, 4, 1));
    expect(rowsOf(game)).toEqual(['020000', '000000', '000000', '000000', '000000']);
    expect(rowsOf(game, 1)[4]).toBe('000003');
    expect(outputs[0]).toMatchObject({
      kind: 'map.tiles',
      layer: 0,
      x: 1,
      y: 0,
      width: 1,
      height: 1,
      gid: 2,
      to: 'everyone',
    });
    expect(game.sim.definition.map!.layers[0]!.data.every((each) => each === 0)).toBe(true);
  });

  test('of a rectangle changes where the rectangle lies in the map', () => {
    const { game } = edited(tiles(1, 4, 3, 5, 5), tiles(2, -2, -2, 4, 3));
    expect(rowsOf(game)).toEqual(['220000', '000000', '000000', '000011', '000011']);
  });

  test.each([
    { case: 'a tile number that the tileset does not have', action: tile(5, 1, 1), code: 'wrong-value' },
    { case: 'a negative tile number', action: tile(-1, 1, 1), code: 'wrong-value' },
    { case: 'a fraction of a cell', action: tile(1, 1.5, 1), code: 'wrong-value' },
    { case: 'a layer without tiles', action: tile(1, 1, 1, 2), code: 'wrong-value' },
    { case: 'a layer that does not exist', action: tile(1, 1, 1, 3), code: 'no-such-reference' },
    { case: 'no width', action: tiles(1, 1, 1, 0, 2), code: 'wrong-value' },
    { case: 'more cells than one edit may change', action: tiles(1, 0, 0, 1000, 1000), code: 'wrong-value' },
    { case: 'an operand that is not a number', action: tile('x', 1, 1), code: 'missing-value' },
  ])('is not changed by $case', ({ action, code }) => {
    const { game, outputs } = edited(action);
    expect(rowsOf(game).join('')).toMatch(/^0+$/);
    expect(outputs).toEqual([]);
    expect(game.faults()).toEqual([expect.objectContaining({ code })]);
  });

  test('outside the map is ignored', () => {
    const { game, outputs } = edited(tile(1, 6, 0), tile(1, 0, -1));
    expect(outputs).toEqual([]);
    expect(game.faults()).toEqual([]);
  });
});

describe('a wall', () => {
  const isWall = (game: Play, column: number, row: number) => game.game.physics.isWall(column * 64 + 32, row * 64 + 32);

  test('that a script sets blocks units until it is removed', () => {
    const { game } = edited(tiles(1, 3, 0, 1, 5));
    expect(isWall(game, 3, 2)).toBe(true);
    expect(game.sim.entities('wall').length).toBe(1);
    const human = { kind: 'keyDown', player: 'p1', key: 'd' } as const;
    game.sim.input(human);
    game.seconds(2);
    const unit = rowOf(game.entity('u1'));
    expect(game.world.components.transform.x[unit]!).toBeLessThan(3 * 64);

    const open = edited(tiles(1, 3, 0, 1, 5), tiles(0, 3, 1, 1, 4));
    expect(isWall(open.game, 3, 2)).toBe(false);
    open.game.sim.input(human);
    open.game.seconds(2);
    expect(internalsOf(open.game.sim).world.components.transform.x[rowOf(open.game.entity('u1'))]!).toBeGreaterThan(
      4 * 64,
    );
  });

  test('comes from the layer `walls` only', () => {
    const { game } = edited(tiles(1, 0, 0, 6, 5, 1));
    expect(game.sim.entities('wall')).toEqual([]);
  });
});

test("a change of a layer's opacity is published", () => {
  const { game, outputs } = edited(
    { type: 'changeLayerOpacity', layer: 1, opacity: 0.5 },
    { type: 'changeLayerOpacity', layer: 0, alpha: 0.25 },
    { type: 'changeLayerOpacity', layer: 2, opacity: 0 },
    { type: 'changeLayerOpacity', layer: 9, opacity: 0 },
  );
  expect(game.world.map.layers.map(({ opacity }) => opacity)).toEqual([0.25, 0.5, undefined]);
  expect(outputs.map((event) => event.kind === 'map.layerOpacity' && [event.kind, event.layer, event.opacity])).toEqual(
    [
      ['map.layerOpacity', 1, 0.5],
      ['map.layerOpacity', 0, 0.25],
    ],
  );
  expect(game.faults()).toEqual([expect.objectContaining({ code: 'no-such-reference' })]);
});

describe('loading another map', () => {
  const large = mapOf([{ name: 'walls', data: new Array(120).fill(0).with(61, 1) }], 12, 10);

  /** Loads a map as the game starts, or once a player has a type. */
  function loading(string: unknown, when: 'gameStart' | 'playerJoinsGame' = 'gameStart'): Play {
    const game = play({
      map: plain,
      unitTypes: { walker: unitType() },
      variables: { json: { dataType: 'string', default: string } },
      scripts: {
        join: joinAs('walker', 96, 160),
        go: script([when], [{ type: 'loadMapFromString', string: { function: 'getVariable', variableName: 'json' } }]),
      },
    });
    game.sim.join();
    game.ticks(2);
    return game;
  }

  test('replaces the present one at the start of the game', () => {
    const game = loading(JSON.stringify(large));
    const { physics } = game.game;
    expect([physics.mapWidth, physics.mapHeight]).toEqual([768, 640]);
    expect(physics.isWall(1 * 64 + 1, 5 * 64 + 1)).toBe(true);
    expect(game.sim.entities('wall').length).toBe(1);
    expect(JSON.parse(mapJson(game.world.map))).toMatchObject({
      width: 12,
      height: 10,
      layers: [{ name: 'walls' }],
    });
  });

  test('survives snapshots', () => {
    const data = new Array<number>(120).fill(0).with(3, 1).with(61, 1).with(119, 1);
    const game = loading(JSON.stringify(mapOf([{ name: 'walls', data }], 12, 10)));
    const walls = (sim: Simulation): string[] => {
      const { physics } = internalsOf(sim).game;
      const at = (column: number, row: number): string => (physics.isWall(column * 64 + 1, row * 64 + 1) ? '#' : '.');
      return Array.from({ length: 12 }, (_, row) =>
        Array.from({ length: 14 }, (_, column) => at(column, row)).join(''),
      );
    };
    const empty = '..............';
    const expected = Array.from({ length: 12 }, () => empty)
      .with(0, '...#..........')
      .with(5, '.#............')
      .with(9, '...........#..');
    expect(walls(game.sim)).toEqual(expected);
    expect(walls(Simulation.restore(game.loaded, game.sim.snapshot()))).toEqual(expected);
    expect(walls(game.sim.fork())).toEqual(expected);
  });

  test('is ignored while a player has a type', () => {
    const game = loading(JSON.stringify(large), 'playerJoinsGame');
    expect(game.game.physics.mapWidth).toBe(384);
  });

  test.each([
    '',
    'no json',
    '[1, 2]',
    '{}',
    '{"width": 2',
    '{"__proto__": {}, "width": 3, "height": 3}',
    '{"width": 1e9, "height": 1e9}',
  ])('is a fault for %j', (string) => {
    const game = loading(string);
    expect(game.game.physics.mapWidth).toBe(384);
    expect(game.faults().map(({ code }) => code)).toEqual(['malformed-json']);
  });
});

test('the map as JSON has the current tiles', () => {
  const { game } = edited(tile(2, 1, 0));
  const document = JSON.parse(mapJson(game.world.map));
  expect(document.layers[0].data.slice(0, 3)).toEqual([0, 2, 0]);
  expect(document.layers[2]).toMatchObject({ name: 'debris', type: 'objectgroup', objects: [] });
  expect(document.tilesets[0]).toMatchObject({ tilecount: 4 });
});
