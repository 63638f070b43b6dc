import { Issues } from '../../core/issue.ts';
import { guardJson } from '../../core/json-guard.ts';
import { type GameMap, gameMap } from '../../definition/map.ts';
import { Reader } from '../../definition/reader.ts';
import { Kind, rowOf } from '../../world/entity.ts';
import { editableTiles, type TileLayer, type TileMap, tileMap } from '../../world/tile-map.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';

/** Name of the layer whose tiles are walls. */
const wallLayer = 'walls';
/** Maximum number of cells of one edit, as in the reference, and of a map that a script loads. */
const cellsPerEdit = 100_000;
const cellsOfMap = 4_000_000;

/** A change of tiles by a script, in cells from the top-left corner. */
interface TileEdit {
  /** Index of the layer. */
  readonly layer: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Tile number, 0 for none. */
  readonly gid: number;
}

/**
 * Sets the tiles in a rectangle of cells, clipped to the map. Changes of walls take effect in the next physics update.
 */
export function editTiles(game: Game, edit: TileEdit): void {
  const { world } = game;
  const { map } = world;
  const { layer: index, x, y, width, height, gid } = edit;
  const layer = layerAt(world, index);
  if (layer === undefined) return;
  const problem = problemOf(game, layer, edit);
  if (problem !== undefined) {
    world.fault('wrong-value', problem);
    return;
  }
  const left = Math.max(0, x);
  const right = Math.min(map.width, x + width);
  const top = Math.max(0, y);
  const bottom = Math.min(map.height, y + height);
  if (left >= right || top >= bottom) return;
  const tiles = editableTiles(layer, map.width * map.height);
  for (let row = top; row < bottom; row++) tiles.fill(gid, row * map.width + left, row * map.width + right);
  if (layer === wallsOf(world)) game.physics.rebuildWalls(tiles);
  world.post('map.tiles', { layer: index, x, y, width, height, gid, to: 'everyone' });
}

/** The layer with an index; undefined, with a fault, if there is none. */
function layerAt(world: World, index: number): TileLayer | undefined {
  const layer = Number.isInteger(index) ? world.map.layers[index] : undefined;
  if (layer === undefined) world.fault('no-such-reference', `The map has no layer ${index}.`);
  return layer;
}

function problemOf({ world }: Game, layer: TileLayer, { x, y, width, height, gid }: TileEdit): string | undefined {
  if (layer.type !== 'tilelayer') return `The layer "${layer.name}" has no tiles.`;
  for (const value of [x, y, width, height, gid]) {
    if (!Number.isSafeInteger(value)) return 'The position, size and tile number of an edit must be whole numbers.';
  }
  if (gid < 0 || gid > world.map.tileCount)
    return `There is no tile ${gid}: the first tileset has ${world.map.tileCount} tiles.`;
  if (width < 1 || height < 1) return 'The width and height of an edit must be at least 1.';
  if (width * height > cellsPerEdit)
    return `An edit of ${width} by ${height} tiles exceeds the limit of ${cellsPerEdit} tiles.`;
  return undefined;
}

/** Sets the opacity with which clients show a layer. */
export function setLayerOpacity({ world }: Game, index: number, opacity: number): void {
  const layer = layerAt(world, index);
  if (layer?.type !== 'tilelayer') return;
  layer.opacity = opacity;
  world.post('map.layerOpacity', { layer: index, opacity, to: 'everyone' });
}

/**
 * Replaces the map; entities and regions stay. Does nothing once any player has a type, because the game then counts as
 * started.
 */
export function loadMap(game: Game, json: string): void {
  const { world } = game;
  if (hasTypedPlayer(world)) return;
  const map = parseMap(world, json);
  if (map === undefined) {
    world.fault('malformed-json', 'The string is not the JSON of a map.');
    return;
  }
  world.map = tileMap(map);
  game.physics.replaceMap(map.width, map.height, wallsOf(world)?.tiles ?? []);
  world.post('map.replace', { map: JSON.parse(mapJson(world.map)), to: 'everyone' });
}

function parseMap(world: World, json: string): GameMap | undefined {
  const limits = { bytesMax: world.limits.stringLength * 4, depthMax: 100 };
  const { refusal, forbiddenKeyOffsets } = guardJson(json, limits);
  if (refusal !== undefined || forbiddenKeyOffsets.length > 0) return undefined;
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    return undefined;
  }
  const map = new Reader(new Issues()).readAt(gameMap, raw, ['map']);
  // A map without a size, or with one that is too large, is rejected like invalid JSON.
  const cells = map === undefined ? 0 : map.width * map.height;
  return cells === 0 || cells > cellsOfMap ? undefined : map;
}

function hasTypedPlayer(world: World) {
  return world.lists[Kind.player]!.entries.some(
    (player) => world.exists(player) && world.components.identity.type[rowOf(player)]! >= 0,
  );
}

/** The layer of walls. If several layers have that name, the last one counts (reference: physics#walls). */
function wallsOf({ map }: World): TileLayer | undefined {
  return map.layers.findLast((layer) => layer.name === wallLayer && layer.type === 'tilelayer');
}

/** The map as a JSON document, with the current tiles. */
export function mapJson(map: TileMap): string {
  const { source } = map;
  if (source === undefined) return '{}';
  const { layerByName: _, ...document } = source;
  const layers = source.layers.map((layer, i) => {
    const { key: _key, pointer: _pointer, ...rest } = layer;
    const { tiles, opacity } = map.layers[i]!;
    return layer.type === 'tilelayer' ? { ...rest, opacity, data: tiles } : rest;
  });
  return JSON.stringify({ ...document, layers });
}
