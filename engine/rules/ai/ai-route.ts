import type { AiState } from '../../components/ai.ts';
import type { Point } from '../../components/point.ts';
import { hypot } from '../../core/dmath.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { isLineClear, type Terrain } from '../../world/path-search.ts';
import type { Game } from '../game.ts';

/** How a unit with AI gets to where it wants to be (reference: units#path-finding). */

/** The point that the unit walks towards, or flees from with simple path finding; undefined for none. The point is overwritten by the next call. */
export function headingTo({ world, scratch: { heading } }: Game, ai: AiState): Point | undefined {
  if (ai.target !== noEntity && ai.pathFinding === 'simple') {
    heading.x = world.components.transform.x[rowOf(ai.target)]!;
    heading.y = world.components.transform.y[rowOf(ai.target)]!;
    return heading;
  }
  if (ai.destination === undefined) return undefined;
  heading.x = ai.destination.x;
  heading.y = ai.destination.y;
  return heading;
}

/**
 * Looks for a way to a place (px) and heads for its first cell. Where there is none, the unit heads for the cell of the place all the same and
 * triggers fire. False when these have given it something else to do.
 */
export function planRoute(game: Game, unit: Entity, ai: AiState, x: number, y: number): boolean {
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
  ai.isReachable = game.scratch.paths.find(terrainOf(game), journey, ai.path);
  // A new point, by which it is seen below whether scripts gave another order.
  const first = { x, y };
  ai.destination = first;
  headForNext(game, ai);
  if (ai.isReachable) return true;
  world.triggers.fireGlobal('unitAStarPathFindingFailed', { unit });
  if (world.exists(unit)) world.triggers.fireEntity('entityAStarPathFindingFailed', unit, { unit });
  return world.exists(unit) && ai.destination === first;
}

/** The centre of the next cell of its way; the same as before at the end of it. */
function headForNext({ definition }: Game, { path, destination }: AiState): void {
  if (path.length === 0 || destination === undefined) return;
  destination.x = (path[path.length - 2]! + 0.5) * definition.cellSize.width;
  destination.y = (path[path.length - 1]! + 0.5) * definition.cellSize.height;
}

/**
 * Keeps the path to a moving target good, or the one away from it. It is searched again when the target has moved by half a cell, when the path has
 * been walked, and when something blocks it. A target that cannot be reached is searched for again only when it moves. Otherwise a unit that is shut
 * in would search the whole map every tick.
 */
export function chase(game: Game, unit: Entity, ai: AiState): void {
  const { components: c } = game.world;
  const target = rowOf(ai.target);
  const x = c.transform.x[target]!;
  const y = c.transform.y[target]!;
  dropReached(game, unit, ai);
  const from = ai.pathTarget;
  const hasMoved = from === undefined || hypot(x - from.x, y - from.y) > game.definition.cellSize.width / 2;
  if (hasMoved) ai.pathTarget = { x, y };
  const needsWay = ai.isReachable && (ai.path.length === 0 || !isNextClear(game, unit, ai));
  if (hasMoved || needsWay) planForTarget(game, unit, ai);
  else headForNext(game, ai);
}

/** To the target; for one that flees, to where the target would be on its other side. False as with `planRoute`. */
export function planForTarget(game: Game, unit: Entity, ai: AiState): boolean {
  const { transform } = game.world.components;
  const target = rowOf(ai.target);
  const row = rowOf(unit);
  const x = transform.x[target]!;
  const y = transform.y[target]!;
  if (ai.mode !== 'flee') return planRoute(game, unit, ai, x, y);
  return planRoute(game, unit, ai, 2 * transform.x[row]! - x, 2 * transform.y[row]! - y);
}

/** Follows the way to a place; finds it anew when the unit was pushed to where its next step is behind a wall. */
export function advancePath(game: Game, unit: Entity, ai: AiState): void {
  dropReached(game, unit, ai);
  const { path } = ai;
  if (path.length === 0) return;
  if (!ai.isReachable || isNextClear(game, unit, ai)) {
    headForNext(game, ai);
    return;
  }
  const { width, height } = game.definition.cellSize;
  planRoute(game, unit, ai, (path[0]! + 0.5) * width, (path[1]! + 0.5) * height);
}

/** A step that the unit is nearer to than half a cell is done. */
function dropReached(game: Game, unit: Entity, { path }: AiState): void {
  if (path.length === 0) return;
  const { components: c } = game.world;
  const { width, height } = game.definition.cellSize;
  const row = rowOf(unit);
  const x = (path[path.length - 2]! + 0.5) * width;
  const y = (path[path.length - 1]! + 0.5) * height;
  if (hypot(c.transform.x[row]! - x, c.transform.y[row]! - y) < width / 2) path.length -= 2;
}

function isNextClear(game: Game, unit: Entity, { path }: AiState): boolean {
  const { components: c } = game.world;
  const { width, height } = game.definition.cellSize;
  const row = rowOf(unit);
  const x = (path[path.length - 2]! + 0.5) * width;
  const y = (path[path.length - 1]! + 0.5) * height;
  return isLineClear(terrainOf(game), c.transform.x[row]!, c.transform.y[row]!, x, y);
}

function terrainOf({ physics, definition, scratch: { terrain } }: Game): Terrain {
  terrain.columns = physics.columns;
  terrain.rows = physics.rows;
  terrain.blocked = physics.wallGrid as Uint8Array<ArrayBuffer>;
  terrain.cellWidth = definition.cellSize.width;
  terrain.cellHeight = definition.cellSize.height;
  return terrain;
}
