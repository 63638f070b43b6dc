import type { DialectName } from '../engine/index.ts';
import { bodySpec, wallSpec } from '../engine/physics/body.ts';
import { internalsOf } from '../engine/tools.ts';
import { rowOf } from '../engine/world/entity.ts';
import { type Ball, type BallGame, ballGame, cellPx, rate } from './ball-game.ts';
import { type PlanckWorld, planck, planckBody } from './planck-world.ts';

/**
 * A ball game and its baseline: a raw planck world with the same bodies and walls and no listeners. The baseline's
 * bodies come from the same specifications, so that shapes, masses and filters are equal.
 */
export interface Arena extends BallGame {
  readonly floor: PlanckWorld;
  tick(): void;
  floorStep(): void;
}

export function arena(balls: readonly Ball[], cells: number, dialect: DialectName = 'standard'): Arena {
  const balled = ballGame(balls, cells, dialect);
  const floor = floorOf(balled, balls, cells);
  return { ...balled, floor, tick: () => balled.sim.step(), floorStep: () => floor.step(1 / rate, 8, 3) };
}

function floorOf({ sim, units }: BallGame, balls: readonly Ball[], cells: number): PlanckWorld {
  const world = new planck.World({ gravity: { x: 0, y: 0 }, continuousPhysics: false });
  const size = cells * cellPx;
  const inner = size - 2 * cellPx;
  addWall(world, size / 2, cellPx / 2, size, cellPx);
  addWall(world, size / 2, size - cellPx / 2, size, cellPx);
  addWall(world, cellPx / 2, size / 2, cellPx, inner);
  addWall(world, size - cellPx / 2, size / 2, cellPx, inner);
  balls.forEach(({ x, y, vx, vy }, i) => {
    const spec = bodySpec(internalsOf(sim).world.components.bodyType[rowOf(units[i]!)], 'unit');
    if (spec === undefined) throw new Error('A ball has no body.');
    planckBody(world, spec, units[i]!, x, y, 0).setLinearVelocity({ x: vx, y: vy });
  });
  return world;
}

function addWall(world: PlanckWorld, x: number, y: number, width: number, height: number): void {
  planckBody(world, wallSpec(width, height), 0, x, y, 0);
}
