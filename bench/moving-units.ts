import { Box, Circle, World as PlanckWorld, Vec2 } from 'planck';
import { createUnit } from '../engine/game/create.ts';
import { loadDefinition, Simulation } from '../engine/index.ts';
import { Kind } from '../engine/world/entity.ts';
import { compare, table } from './measure.ts';

/**
 * A whole tick against its floor: a raw planck step over the same bodies. Units bounce about a walled map without scripts; the floor has
 * the same circles, walls, velocities and filters, and nobody who listens.
 */

const cells = 100;
const cellPx = 64;
const pixelsPerMetre = 30;
const rate = 60;

const definition = {
  data: {
    defaultData: { frameRate: rate },
    map: {
      width: cells,
      height: cells,
      tilewidth: cellPx,
      tileheight: cellPx,
      layers: [{ name: 'walls', type: 'tilelayer', width: cells, height: cells, data: border() }],
      tilesets: [{ name: 't', firstgid: 1, tilecount: 10, tilewidth: 64, tileheight: 64 }],
    },
    playerTypes: { human: { name: 'human', attributes: {}, relationships: {} } },
    unitTypes: {
      ball: {
        name: 'ball',
        attributes: { speed: { name: 'speed', value: 10, min: 0, max: 100, regenerateSpeed: 0 } },
        controls: { movementControlScheme: 'wasd', movementMethod: 'velocity' },
        states: { default: { name: 'default', body: 'default' } },
        bodies: {
          default: {
            type: 'dynamic',
            width: 32,
            height: 32,
            fixtures: [{ density: 1, friction: 0, restitution: 1, shape: { type: 'circle' } }],
            collidesWith: { walls: true, units: true },
            linearDamping: 0,
          },
        },
      },
    },
  },
};

function border(): number[] {
  const tiles: number[] = [];
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) tiles.push(x === 0 || y === 0 || x === cells - 1 || y === cells - 1 ? 1 : 0);
  }
  return tiles;
}

interface Ball {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

/** A deterministic scatter over a grid, so that no two start inside each other. */
function balls(count: number): Ball[] {
  const perRow = Math.ceil(Math.sqrt(count));
  const step = ((cells - 4) * cellPx) / perRow;
  return Array.from({ length: count }, (_, i) => ({
    x: 2 * cellPx + (i % perRow) * step + step / 2,
    y: 2 * cellPx + Math.floor(i / perRow) * step + step / 2,
    vx: ((i * 37) % 21) - 10,
    vy: ((i * 53) % 19) - 9,
  }));
}

function simulation(count: number): Simulation {
  const { game } = loadDefinition(definition);
  if (game === undefined) throw new Error('The bench definition does not load.');
  const sim = new Simulation(game, { seed: 1 });
  const owner = sim.entities('player')[0]!;
  const type = sim.world.types.unit.get('ball')!;
  const units = balls(count).map(({ x, y }) => createUnit(sim.game, { type, owner, x, y, angle: 0 }));
  sim.step();
  balls(count).forEach(({ vx, vy }, i) => {
    sim.game.physics.setVelocity(units[i]!, vx, vy);
  });
  return sim;
}

function floor(count: number): PlanckWorld {
  const world = new PlanckWorld({ gravity: new Vec2(0, 0), continuousPhysics: false });
  const wall = (x: number, y: number, width: number, height: number): void => {
    const body = world.createBody({ type: 'static', position: new Vec2(x / pixelsPerMetre, y / pixelsPerMetre) });
    body.createFixture({
      shape: new Box(width / 2 / pixelsPerMetre, height / 2 / pixelsPerMetre),
      friction: 0.1,
      filterCategoryBits: 1,
      filterMaskBits: 0x3a,
    });
  };
  const size = cells * cellPx;
  wall(size / 2, cellPx / 2, size, cellPx);
  wall(size / 2, size - cellPx / 2, size, cellPx);
  wall(cellPx / 2, size / 2, cellPx, size - 2 * cellPx);
  wall(size - cellPx / 2, size / 2, cellPx, size - 2 * cellPx);
  for (const { x, y, vx, vy } of balls(count)) {
    const body = world.createBody({
      type: 'dynamic',
      position: new Vec2(x / pixelsPerMetre, y / pixelsPerMetre),
      linearVelocity: new Vec2(vx, vy),
      allowSleep: false,
    });
    body.createFixture({
      shape: new Circle(16 / pixelsPerMetre),
      density: 1,
      friction: 0,
      restitution: 1,
      filterCategoryBits: 2,
      filterMaskBits: 0x63,
    });
  }
  return world;
}

export function movingUnits(counts: readonly number[] = [100, 300, 1000, 3000]): string {
  const rows = counts.map((count) => {
    const sim = simulation(count);
    const world = floor(count);
    const comparison = compare(
      () => sim.step(),
      () => world.step(1 / rate, 8, 3),
      { rounds: 15, callsPerRound: Math.max(10, Math.round(20_000 / count)) },
    );
    const alive = sim.world.lists[Kind.unit]!.entries.length;
    return [
      alive,
      comparison.a.median.toFixed(4),
      comparison.b.median.toFixed(4),
      comparison.ratio.median.toFixed(3),
      `${comparison.ratio.min.toFixed(3)}..${comparison.ratio.max.toFixed(3)}`,
      sim.hash(),
    ];
  });
  return table(['units', 'tick ms', 'planck ms', 'ratio', 'spread', 'hash'], rows);
}
