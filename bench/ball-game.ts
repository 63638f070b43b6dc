import { type DialectName, type LoadedGame, loadDefinition, Simulation } from '../engine/index.ts';
import { createUnit } from '../engine/rules/lifecycle/create-unit.ts';
import { internalsOf } from '../engine/tools.ts';
import { type Entity, Kind } from '../engine/world/entity.ts';

/** Balls in a walled map without scripts. It also runs in a page, so it needs nothing of Node. */

export const cellPx = 64;
export const rate = 60;

export interface Ball {
  readonly type: 'bouncer' | 'sleeper' | 'ghost';
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

export interface BallGame {
  readonly game: LoadedGame;
  readonly sim: Simulation;
  readonly units: readonly Entity[];
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

export function ballGame(balls: readonly Ball[], cells: number, dialect: DialectName = 'standard'): BallGame {
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
  return { game, sim, units };
}

export function unitCount(sim: Simulation): number {
  return internalsOf(sim).world.lists[Kind.unit]!.entries.length;
}
