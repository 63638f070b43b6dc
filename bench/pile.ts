import { type DialectName, loadDefinition, Simulation } from '../engine/index.ts';
import { bodySpec, sensorSpec } from '../engine/physics/body.ts';
import { createSensor } from '../engine/rules/ai/sensor.ts';
import { createUnit } from '../engine/rules/lifecycle/create-unit.ts';
import { internalsOf } from '../engine/tools.ts';
import { rowOf } from '../engine/world/entity.ts';
import { compare } from './measure.ts';
import { planck, planckBody } from './planck-world.ts';
import { type Report, rounded } from './report.ts';

/**
 * Units in one place, each with a sensor that contains all others, as some games create them. Every unit touches every
 * other unit and sensor, so there are about 1.5 n² contacts.
 */

const rate = 20;
const sensorRadiusPx = 200;
const placePx = 1280;

function definition(shape: string) {
  const tile = { map: { width: 40, height: 40, tilewidth: 64, tileheight: 64, layers: [], tilesets: [] } };
  const body = {
    type: 'dynamic',
    width: 32,
    height: 32,
    fixtures: [{ density: 1, friction: 0.1, restitution: 0, shape: { type: shape } }],
    collidesWith: { walls: true, units: true, sensors: true },
    linearDamping: 1,
    allowSleep: false,
  };
  return {
    data: {
      defaultData: { frameRate: rate },
      ...tile,
      playerTypes: { human: { name: 'human', attributes: {}, relationships: {} } },
      unitTypes: {
        crowd: {
          name: 'crowd',
          attributes: {},
          controls: { movementControlScheme: 'wasd', movementMethod: 'velocity' },
          states: { default: { name: 'default', body: 'default' } },
          bodies: { default: body },
        },
      },
    },
  };
}

const dialects = { grid: 'standard', tree: 'standard except contactsInCreationOrder' } as const;

function pile(count: number, shape: string, dialect: DialectName): Simulation {
  const { game } = loadDefinition(definition(shape));
  if (game === undefined) throw new Error('The bench definition does not load.');
  const sim = new Simulation(game, { seed: 1, dialect });
  const owner = sim.entities('player')[0]!;
  const type = internalsOf(sim).world.types.unit.get('crowd')!;
  for (let i = 0; i < count; i++) {
    const unit = createUnit(internalsOf(sim).game, { type, owner, x: placePx, y: placePx, angle: 0 });
    createSensor(internalsOf(sim).game, unit, sensorRadiusPx);
  }
  return sim;
}

/** A planck step with the same bodies. */
function planckPile(sim: Simulation): () => void {
  const world = new planck.World({ gravity: { x: 0, y: 0 } });
  for (const unit of sim.entities('unit')) {
    const spec = bodySpec(internalsOf(sim).world.components.bodyType[rowOf(unit)], 'unit')!;
    planckBody(world, spec, unit, placePx, placePx, 0);
    planckBody(world, sensorSpec(sensorRadiusPx), 0, placePx, placePx, 0);
  }
  return () => world.step(1 / rate, 8, 3);
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function contactsOf(sim: Simulation): number {
  return internalsOf(sim).game.physics.parts.space.contacts.count;
}

/**
 * Our tick divided by a planck step, in one process. For a thousand units, whose contacts reach the limit, only ours is
 * measured, because planck takes minutes.
 */
export function piles(): Report {
  const rows: (string | number)[][] = [];
  const samples: Record<string, readonly number[]> = {};
  for (const shape of ['circle', 'rectangle']) {
    for (const [pairs, dialect] of Object.entries(dialects)) {
      const sim = pile(150, shape, dialect);
      const step = planckPile(sim);
      // The first step creates all contacts.
      const first = timed(() => sim.step());
      const planckFirst = timed(step);
      const timing = { rounds: 21, callsPerRound: 5, warmupRounds: 2 };
      const { a, b, ratio, ratios } = compare(() => sim.step(), step, timing);
      rows.push([
        150,
        shape,
        pairs,
        contactsOf(sim),
        rounded(first, 1),
        rounded(planckFirst, 1),
        rounded(a.median, 2),
        rounded(b.median, 2),
        rounded(ratio.median),
      ]);
      samples[`150 ${shape}s, ${pairs}: tick by planck's step`] = ratios;
    }
  }
  const large = pile(1000, 'circle', 'standard');
  const first = timed(() => large.step());
  const times = Array.from({ length: 5 }, () => timed(() => large.step())).sort((x, y) => x - y);
  rows.push([1000, 'circle', 'grid', contactsOf(large), rounded(first, 1), '-', rounded(times[2]!, 2), '-', '-']);
  return {
    head: ['units', 'shape', 'pairs', 'contacts', 'first tick ms', 'planck ms', 'tick ms', 'planck ms ', 'ratio'],
    rows,
    samples,
    notes: ['a sensor of 200 px around each unit; ratio is our tick by a step of planck, medians of 21 rounds'],
  };
}
