import type { AiState } from '../../components/ai.ts';
import type { Point } from '../../components/point.ts';
import { hypot } from '../../core/dmath.ts';
import { RayHits } from '../../physics/ray.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { isWayBlocked, type PathQuery, straightPath, type Terrain } from '../../world/path-search.ts';
import { payloadOf } from '../../world/payloads.ts';
import { isWall, rememberRay } from '../combat/ray.ts';
import type { Game } from '../game.ts';

/** Path finding of units with AI (reference: units#path-finding). */

/**
 * The point towards which the unit walks; undefined if it has none. With simple path finding, a unit with a target gets
 * the target's position, even if it flees from the target. The returned object is overwritten by the next call.
 */
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
 * Finds a path to a position (px) and heads for its first cell. If there is no path, the unit heads for the cell of the
 * position anyway, and triggers fire. Returns false if their scripts gave the unit another order or destroyed it.
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
  const terrain = terrainOf(game);
  if (seesWay(game, journey)) {
    straightPath(terrain, x, y, ai.path);
    ai.isReachable = true;
  } else {
    ai.isReachable = game.scratch.paths.find(terrain, journey, ai.path);
  }
  // Assigns a new object; the check below compares identities to notice whether scripts gave another order.
  if (ai.path.length > 0) ai.destination = { x, y };
  const first = ai.destination;
  headForNext(game, ai);
  if (ai.isReachable) return true;
  world.triggers.fireGlobal('unitAStarPathFindingFailed', payloadOf.unit, unit);
  if (world.exists(unit)) world.triggers.fireEntity('entityAStarPathFindingFailed', unit, payloadOf.unit, unit);
  return world.exists(unit) && (ai.destination === first || !game.rules.pathFindingIsSound);
}

// Reused by every search.
const hits = new RayHits();

/**
 * Whether the way from the body to the goal is free: casts five rays, one between the centres and four between points
 * around them, and returns true if no ray hits a wall (reference: units#path-finding).
 */
function seesWay(game: Game, { x, y, width, height, toX, toY }: PathQuery) {
  const { world, physics, definition, rules } = game;
  const near = hypot(width, height) / 2;
  const far = (definition.cellSize.width / 2) * Math.SQRT2;
  for (let i = 0; i < 5; i++) {
    const aside = i === 0 ? 0 : i % 2 === 1 ? -1 : 1;
    const ahead = i === 0 ? 0 : i < 3 ? -1 : 1;
    physics.castRayBothWays(x + near * aside, y + near * ahead, toX + far * aside, toY + far * ahead, hits);
    if (!rules.pathFindingIsSound) rememberRay(game, hits);
    for (let hit = 0; hit < hits.count; hit++) if (isWall(world, hits, hit)) return false;
  }
  return true;
}

/** Heads for the centre of the next cell of the path. Does nothing at the end of the path. */
function headForNext(game: Game, { path, destination }: AiState) {
  if (path.length === 0 || destination === undefined) return;
  const { cellWidth, cellHeight } = terrainOf(game);
  const x = (path[path.length - 2]! + 0.5) * cellWidth;
  const y = (path[path.length - 1]! + 0.5) * cellHeight;
  // In most ticks the unit still heads for the same cell, and keeps its `destination` object.
  if (destination.x === x && destination.y === y) return;
  destination.x = x;
  destination.y = y;
}

/**
 * Updates the path of a unit that chases a moving target or flees from it. Searches again at the end of the path, when
 * one of its cells is blocked, and when the target has moved half a cell.
 */
export function chase(game: Game, unit: Entity, ai: AiState): void {
  dropReached(game, unit, ai);
  if (ai.path.length === 0 || isBlocked(game, ai) || hasTargetMoved(game, ai)) planForTarget(game, unit, ai);
  else headForNext(game, ai);
}

/**
 * Whether the target has moved half a cell since its position was last recorded. If it has, records the new position.
 */
function hasTargetMoved({ world, definition }: Game, ai: AiState) {
  const { transform } = world.components;
  const target = rowOf(ai.target);
  const x = transform.x[target]!;
  const y = transform.y[target]!;
  const from = ai.pathTarget;
  if (from !== undefined && hypot(x - from.x, y - from.y) <= definition.cellSize.width / 2) return false;
  ai.pathTarget = { x, y };
  return true;
}

/**
 * Plans a path to the target; for a fleeing unit, to the point opposite the target. Returns the result of `planRoute`.
 */
export function planForTarget(game: Game, unit: Entity, ai: AiState): boolean {
  const { transform } = game.world.components;
  const target = rowOf(ai.target);
  const row = rowOf(unit);
  const x = transform.x[target]!;
  const y = transform.y[target]!;
  if (ai.mode !== 'flee') return planRoute(game, unit, ai, x, y);
  return planRoute(game, unit, ai, 2 * transform.x[row]! - x, 2 * transform.y[row]! - y);
}

/**
 * Follows the path to a position, and searches again when one of its cells is blocked. Returns false at the end of the
 * path.
 */
export function advancePath(game: Game, unit: Entity, ai: AiState): boolean {
  dropReached(game, unit, ai);
  const { path } = ai;
  if (path.length === 0) return false;
  if (isBlocked(game, ai)) {
    const { cellWidth, cellHeight } = terrainOf(game);
    planRoute(game, unit, ai, (path[0]! + 0.5) * cellWidth, (path[1]! + 0.5) * cellHeight);
  } else headForNext(game, ai);
  return true;
}

/** Removes the next cell from the path once the unit is less than half a cell away from it. */
function dropReached(game: Game, unit: Entity, ai: AiState) {
  const { path } = ai;
  if (path.length === 0) return;
  const { components: c } = game.world;
  const { cellWidth, cellHeight } = terrainOf(game);
  const row = rowOf(unit);
  const x = (path[path.length - 2]! + 0.5) * cellWidth;
  const y = (path[path.length - 1]! + 0.5) * cellHeight;
  if (hypot(c.transform.x[row]! - x, c.transform.y[row]! - y) < cellWidth / 2) ai.path.length -= 2;
}

/**
 * Whether a cell of the path is blocked. The path to a position inside a wall (`isReachable` is false) is always
 * blocked and not checked here, except in the reference, which therefore searches again in each tick.
 */
function isBlocked(game: Game, { path, isReachable }: AiState) {
  return (isReachable || !game.rules.pathFindingIsSound) && isWayBlocked(terrainOf(game), path);
}

/**
 * The map as the path search sees it. In the reference, cells are square, and a path can leave the end of one row and
 * continue in the next.
 */
function terrainOf({ physics, definition, rules, scratch: { terrain } }: Game): Terrain {
  terrain.columns = physics.columns;
  terrain.rows = physics.rows;
  terrain.blocked = physics.wallGrid as Uint8Array<ArrayBuffer>;
  terrain.cellWidth = definition.cellSize.width;
  terrain.cellHeight = rules.pathFindingIsSound ? definition.cellSize.height : definition.cellSize.width;
  terrain.wraps = !rules.pathFindingIsSound;
  return terrain;
}
