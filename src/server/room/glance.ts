import type { Simulation } from '../../../engine/index.ts';
import { mapOf, spectatorRefusal } from '../../../engine/tools.ts';

/** The preview of a room in a list of rooms: its map in few cells, and the positions of its players. */
export interface RoomGlance {
  /** The size of the map, px. */
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  /** For each cell, row by row: `1` if at least a third of it is wall, otherwise `0`. */
  readonly walls: string;
  /** The players; undefined if guests may not watch the game. `x` and `y` are absent for a player without a unit. */
  readonly players: readonly { readonly name: string; readonly x?: number; readonly y?: number }[] | undefined;
}

/** The maximum number of cells along each axis. */
const cellsMax = 64;
const playersMax = 32;
/** How long the walls are cached, in seconds, because games rarely change them. */
const wallsSeconds = 10;
const drawn = new WeakMap<Simulation, { readonly atTick: number; readonly walls: string }>();

export function glanceOf(sim: Simulation): RoomGlance {
  const map = mapOf(sim);
  const { cellSize } = sim.definition;
  const step = Math.max(1, Math.ceil(Math.max(map.width, map.height) / cellsMax));
  let known = drawn.get(sim);
  if (known === undefined || sim.tick - known.atTick >= wallsSeconds * sim.rate) {
    known = { atTick: sim.tick, walls: wallsOf(map, step) };
    drawn.set(sim, known);
  }
  const people = sim.players().filter(({ controlledBy }) => controlledBy === 'human');
  const players = people.slice(0, playersMax).map(({ name, unit }) => ({
    name,
    ...(unit === undefined ? {} : { x: Math.round(unit.x), y: Math.round(unit.y) }),
  }));
  return {
    width: map.width * cellSize.width,
    height: map.height * cellSize.height,
    columns: Math.ceil(map.width / step),
    walls: known.walls,
    players: spectatorRefusal(sim, {}) === undefined ? players : undefined,
  };
}

function wallsOf(map: ReturnType<typeof mapOf>, step: number): string {
  const columns = Math.ceil(map.width / step);
  const tiles = map.layers.findLast(({ name, type }) => name === 'walls' && type === 'tilelayer')?.tiles ?? [];
  const counts = new Uint32Array(columns * Math.ceil(map.height / step));
  for (let i = 0; i < map.width * map.height; i++) {
    if ((tiles[i] ?? 0) === 0) continue;
    const [column, row] = [Math.floor((i % map.width) / step), Math.floor(i / map.width / step)];
    counts[row * columns + column]!++;
  }
  return Array.from(counts, (count) => (count * 3 >= step * step ? '1' : '0')).join('');
}
