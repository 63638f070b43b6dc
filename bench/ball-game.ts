import { type DialectName, type LoadedGame, loadDefinition, Simulation } from '../engine/index.ts';
import { internalsOf } from '../engine/internal.ts';
import { bodySpec, wallSpec } from '../engine/physics/body.ts';
import { createUnit } from '../engine/rules/lifecycle/create-unit.ts';
import { type Entity, Kind, rowOf } from '../engine/world/entity.ts';
import { type PlanckWorld, planck, planckBody } from './planck-world.ts';

/**
 * Balls in a walled map without scripts, and the baseline: a raw planck world with the same bodies and walls and no
 * listeners. The baseline's bodies come from the same specifications, so that shapes, masses and filters are equal.
 */

const cellPx = 64;
const rate = 60;

export interface Ball {
  readonly type: 'bouncer' | 'sleeper' | 'ghost';
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

export interface Arena {
  readonly game: LoadedGame;
  readonly sim: Simulation;
  readonly units: readonly Entity[];
  readonly floor: PlanckWorld;
  tick(): void;
  floorStep(): void;
}

function body(collidesWith: Record<string, boolean>, restitution: number, allowSleep: boolean) {
  return {
    type: 'dynamic',
    width: 32,
    height: 32,
    fixtures: [{ density: 1, friction: 0, restitution, shape: { type: 'circle' } }],
    collidesWith,
    linearDamping: 0,
    allowSleep,
  };
}

function unitType(name: string, form: ReturnType<typeof body>) {
  return {
    name,
    attributes: { speed: { name: 'speed', value: 10, min: 0, max: 100, regenerateSpeed: 0 } },
    controls: { movementControlScheme: 'wasd', movementMethod: 'velocity' },
    states: { default: { name: 'default', body: 'default' } },
    bodies: { default: form },
  };
}

function definition(cells: number) {
  return {
    data: {
      defaultData: { frameRate: rate },
      map: {
        width: cells,
        height: cells,
        tilewidth: cellPx,
        tileheight: cellPx,
        layers: [{ name: 'walls', type: 'tilelayer', width: cells, height: cells, data: border(cells) }],
        tilesets: [{ name: 't', firstgid: 1, tilecount: 10, tilewidth: 64, tileheight: 64 }],
      },
      playerTypes: { human: { name: 'human', attributes: {}, relationships: {} } },
      unitTypes: {
        bouncer: unitType('bouncer', body({ walls: true, units: true }, 1, false)),
        sleeper: unitType('sleeper', body({ walls: true, units: true }, 0, true)),
        ghost: unitType('ghost', body({ walls: true, units: false }, 1, false)),
      },
    },
  };
}

function border(cells: number): number[] {
  const last = cells - 1;
  return Array.from({ length: cells * cells }, (_, i) => {
    const x = i % cells;
    const y = Math.floor(i / cells);
    return x === 0 || y === 0 || x === last || y === last ? 1 : 0;
  });
}

/** `count` positions on a grid that fills a square of `side` pixels with its corner at `corner`. */
export function grid(count: number, corner: number, side: number): { x: number; y: number }[] {
  const perRow = Math.ceil(Math.sqrt(count));
  const step = side / perRow;
  return Array.from({ length: count }, (_, i) => ({
    x: corner + (i % perRow) * step + step / 2,
    y: corner + Math.floor(i / perRow) * step + step / 2,
  }));
}

/** A different velocity for each of a few hundred balls, in physics units. */
export function velocity(i: number): { vx: number; vy: number } {
  return { vx: ((i * 37) % 21) - 10, vy: ((i * 53) % 19) - 9 };
}

export function arena(balls: readonly Ball[], cells: number, dialect: DialectName = 'standard'): Arena {
  const { game } = loadDefinition(definition(cells));
  if (game === undefined) throw new Error('The bench definition does not load.');
  const sim = new Simulation(game, { seed: 1, dialect });
  const owner = sim.entities('player')[0]!;
  const units = balls.map(({ type, x, y }) =>
    createUnit(internalsOf(sim).game, { type: internalsOf(sim).world.types.unit.get(type)!, owner, x, y, angle: 0 }),
  );
  sim.step();
  balls.forEach(({ vx, vy }, i) => {
    if (vx !== 0 || vy !== 0) internalsOf(sim).game.physics.setVelocity(units[i]!, vx, vy);
  });
  const floor = floorOf(sim, units, balls, cells);
  return { game, sim, units, floor, tick: () => sim.step(), floorStep: () => floor.step(1 / rate, 8, 3) };
}

function floorOf(sim: Simulation, units: readonly Entity[], balls: readonly Ball[], cells: number): PlanckWorld {
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

export function unitCount(sim: Simulation): number {
  return internalsOf(sim).world.lists[Kind.unit]!.entries.length;
}
