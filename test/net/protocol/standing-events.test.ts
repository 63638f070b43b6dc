import { expect, test } from 'vitest';
import { standingEvents } from '../../../src/net/protocol/audience/standing-events.ts';
import { play, script } from '../../support/play.ts';

const columns = 6;
const rows = 4;

/** A map of two layers, whose scripts run at the start. */
function mapAfter(...actions: readonly object[]) {
  const layer = (name: string, more: object) => ({
    name,
    type: 'tilelayer',
    width: columns,
    height: rows,
    data: new Array(columns * rows).fill(0),
    ...more,
  });
  const game = play({
    map: {
      width: columns,
      height: rows,
      tilewidth: 64,
      tileheight: 64,
      layers: [layer('floor', { opacity: 0.5, data: new Array(columns * rows).fill(1) }), layer('walls', {})],
      tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
    },
    scripts: { start: script('gameStart', actions) },
  });
  game.ticks(1);
  expect(game.faults()).toEqual([]);
  return game;
}

const tile = (gid: number, layer: number, x: number, y: number) => ({ type: 'editMapTile', gid, layer, x, y });
const tiles = (gid: number, layer: number, x: number, y: number, width: number, height: number) => ({
  type: 'editMapTiles',
  gid,
  layer,
  x,
  y,
  width,
  height,
});

function told(...actions: readonly object[]) {
  return standingEvents(mapAfter(...actions).sim).map(({ tick: _tick, time: _time, ...event }) => event);
}

test('a new client is told nothing of a map as the definition has it', () => {
  expect(told()).toEqual([]);
  expect(told(tile(2, 1, 0, 0), tile(0, 1, 0, 0))).toEqual([]);
});

test('a new client is told of changed tiles, in few rectangles of one tile each', () => {
  expect(told(tiles(2, 1, 1, 1, 3, 2), tile(3, 1, 4, 1), tile(2, 1, 5, 3), tiles(0, 0, 0, 0, 6, 1))).toEqual([
    { kind: 'map.tiles', layer: 0, x: 0, y: 0, width: 6, height: 1, gid: 0 },
    { kind: 'map.tiles', layer: 1, x: 1, y: 1, width: 3, height: 2, gid: 2 },
    { kind: 'map.tiles', layer: 1, x: 4, y: 1, width: 1, height: 1, gid: 3 },
    { kind: 'map.tiles', layer: 1, x: 5, y: 3, width: 1, height: 1, gid: 2 },
  ]);
  // An L shape needs two rectangles, and equal tiles at the end of one row and the start of the next are not joined.
  expect(told(tiles(2, 1, 4, 0, 2, 1), tiles(2, 1, 0, 1, 1, 2), tile(2, 1, 1, 2))).toEqual([
    { kind: 'map.tiles', layer: 1, x: 4, y: 0, width: 2, height: 1, gid: 2 },
    { kind: 'map.tiles', layer: 1, x: 0, y: 1, width: 1, height: 2, gid: 2 },
    { kind: 'map.tiles', layer: 1, x: 1, y: 2, width: 1, height: 1, gid: 2 },
  ]);
});

test('a new client is told of the opacity of layers that scripts changed, and of texts on the screen', () => {
  const game = mapAfter(
    { type: 'changeLayerOpacity', layer: 1, opacity: 0.25 },
    { type: 'updateUiTextForEveryone', target: 'top', value: 'Round 1' },
  );
  expect(standingEvents(game.sim)).toEqual([
    { kind: 'ui.text', op: 'update', target: 'top', value: 'Round 1', tick: 1, time: 0.05 },
    { kind: 'map.layerOpacity', layer: 1, opacity: 0.25, tick: 1, time: 0.05 },
  ]);
});
