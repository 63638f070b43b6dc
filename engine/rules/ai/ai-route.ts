import { hypot } from '../../core/dmath.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import type { AiState, Point } from '../../world/state.ts';
import type { Game } from '../game.ts';
import { findPath, isLineClear, type Terrain } from './path.ts';

/** How a unit with AI gets to where it wants to be (reference: units#path-finding). */

// Reused by every call.
const terrain = { columns: 0, rows: 0, blocked: new Uint8Array(0), cellWidth: 0, cellHeight: 0 };
const heading: Point = { x: 0, y: 0 };

/** The point that the unit walks towards, or flees from; undefined for none. The point is overwritten by the next call. */
export function headingTo({ world, definition }: Game, ai: AiState): Point | undefined {
  const { path } = ai;
  if (ai.pathFinding === 'a*' && ai.mode !== 'flee' && path.length > 0) {
    const { width, height } = definition.cellSize;
    heading.x = (path[path.length - 2]! + 0.5) * width;
    heading.y = (path[path.length - 1]! + 0.5) * height;
    return heading;
  }
  if (ai.target !== noEntity) {
    if (ai.pathFinding !== 'simple' && ai.pathFinding !== 'a*') return undefined;
    heading.x = world.components.transform.x[rowOf(ai.target)]!;
    heading.y = world.components.transform.y[rowOf(ai.target)]!;
    return heading;
  }
  if (ai.destination === undefined) return undefined;
  heading.x = ai.destination.x;
  heading.y = ai.destination.y;
  return heading;
}

/** Looks for a way to a place (px). Where there is none, the unit heads for the place all the same, and triggers fire. */
export function planRoute(game: Game, unit: Entity, ai: AiState, x: number, y: number): void {
  const { world } = game;
  const { components: c } = world;
  const row = rowOf(unit);
  const journey = {
    x: c.transform.x[row]!,
    y: c.transform.y[row]!,
    width: c.transform.width[row]!,
    height: c.transform.height[row]!,
    toX: x,
    toY: y,
  };
  ai.isReachable = findPath(terrainOf(game), journey, ai.path);
  ai.pathTarget = { x, y };
  if (ai.isReachable) return;
  world.triggers.fireGlobal('unitAStarPathFindingFailed', { unit });
  if (world.exists(unit)) world.triggers.fireEntity('entityAStarPathFindingFailed', unit, { unit });
}

/**
 * Keeps the path to a moving target good. It is searched again when the target has moved by half a cell, when the path has been walked, and when
 * something blocks it. A target that cannot be reached is searched for again only when it moves; a unit that is shut in would otherwise search the
 * whole map every tick.
 */
export function chase(game: Game, unit: Entity, ai: AiState): void {
  const { components: c } = game.world;
  const target = rowOf(ai.target);
  const x = c.transform.x[target]!;
  const y = c.transform.y[target]!;
  dropReached(game, unit, ai);
  const from = ai.pathTarget;
  const hasMoved = from === undefined || hypot(x - from.x, y - from.y) > game.definition.cellSize.width / 2;
  const needsWay = ai.path.length === 0 ? !isInCell(game, unit, x, y) : ai.isReachable && !isNextClear(game, unit, ai);
  if (hasMoved || needsWay) planRoute(game, unit, ai, x, y);
}

/** Follows the way to a place; finds it anew when the unit was pushed to where its next step is behind a wall. */
export function advancePath(game: Game, unit: Entity, ai: AiState): void {
  dropReached(game, unit, ai);
  const { destination } = ai;
  if (destination === undefined || ai.path.length === 0 || !ai.isReachable || isNextClear(game, unit, ai)) return;
  planRoute(game, unit, ai, destination.x, destination.y);
}

/** Steps that the unit is nearer to than half a cell are done. */
function dropReached(game: Game, unit: Entity, { path }: AiState): void {
  const { components: c } = game.world;
  const { width, height } = game.definition.cellSize;
  const row = rowOf(unit);
  while (path.length > 0) {
    const x = (path[path.length - 2]! + 0.5) * width;
    const y = (path[path.length - 1]! + 0.5) * height;
    if (hypot(c.transform.x[row]! - x, c.transform.y[row]! - y) >= width / 2) return;
    path.length -= 2;
  }
}

function isNextClear(game: Game, unit: Entity, { path }: AiState): boolean {
  const { components: c } = game.world;
  const { width, height } = game.definition.cellSize;
  const row = rowOf(unit);
  const x = (path[path.length - 2]! + 0.5) * width;
  const y = (path[path.length - 1]! + 0.5) * height;
  return isLineClear(terrainOf(game), c.transform.x[row]!, c.transform.y[row]!, x, y);
}

function isInCell(game: Game, unit: Entity, x: number, y: number): boolean {
  const { components: c } = game.world;
  const { width, height } = game.definition.cellSize;
  const row = rowOf(unit);
  return (
    Math.floor(c.transform.x[row]! / width) === Math.floor(x / width) &&
    Math.floor(c.transform.y[row]! / height) === Math.floor(y / height)
  );
}

function terrainOf({ physics, definition }: Game): Terrain {
  terrain.columns = physics.columns;
  terrain.rows = physics.rows;
  terrain.blocked = physics.wallGrid as Uint8Array<ArrayBuffer>;
  terrain.cellWidth = definition.cellSize.width;
  terrain.cellHeight = definition.cellSize.height;
  return terrain;
}
