import { isDeepStrictEqual } from 'node:util';
import { loadDefinition, Simulation } from '../engine/index.ts';
import { insideOf } from '../engine/internal.ts';
import type { PhysicsEngine } from '../engine/physics/bodies.ts';
import { createSensor } from '../engine/rules/ai/sensor.ts';
import { createUnit } from '../engine/rules/lifecycle/create-unit.ts';
import { compare } from './measure.ts';
import { type Report, rounded } from './report.ts';

/**
 * Units that stand in one place, each with a sensor around it that all others are in. Some games create their units so. Every unit
 * touches every other and every sensor, so that contacts are as many as one and a half times the square of the units.
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

interface Pile {
  readonly sim: Simulation;
  /** Of the first tick, in which all contacts are made. */
  readonly firstMs: number;
}

function pile(count: number, shape: string, physics: PhysicsEngine): Pile {
  const { game } = loadDefinition(definition(shape));
  if (game === undefined) throw new Error('The bench definition does not load.');
  const sim = new Simulation(game, { seed: 1, physics });
  const owner = sim.entities('player')[0]!;
  const type = insideOf(sim).world.types.unit.get('crowd')!;
  for (let i = 0; i < count; i++) {
    const unit = createUnit(insideOf(sim).game, { type, owner, x: placePx, y: placePx, angle: 0 });
    createSensor(insideOf(sim).game, unit, sensorRadiusPx);
  }
  const start = performance.now();
  sim.step();
  return { sim, firstMs: performance.now() - start };
}

/** Ours by planck's own step, in one process; of a thousand units, which the limit of contacts holds, only ours, because planck takes minutes. */
export function piles(): Report {
  const rows: (string | number)[][] = [];
  const samples: Record<string, readonly number[]> = {};
  for (const [shape, engine] of [
    ['circle', 'grid'],
    ['circle', 'flat'],
    ['rectangle', 'grid'],
    ['rectangle', 'flat'],
  ] as const) {
    const flat = pile(150, shape, engine);
    const planck = pile(150, shape, 'planck');
    const { a, b, ratio, ratios } = compare(
      () => flat.sim.step(),
      () => planck.sim.step(),
      { rounds: 21, callsPerRound: 5, warmupRounds: 2 },
    );
    const contacts = insideOf(flat.sim).game.physics.parts.planck.getContactCount();
    const isEqual = isDeepStrictEqual(flat.sim.view(), planck.sim.view());
    rows.push([
      150,
      shape,
      engine,
      contacts,
      rounded(flat.firstMs, 1),
      rounded(planck.firstMs, 1),
      rounded(a.median, 2),
      rounded(b.median, 2),
      rounded(ratio.median),
      engine === 'grid' ? '-' : isEqual ? 'yes' : 'NO',
    ]);
    samples[`150 ${shape}s, ${engine}: tick by planck's`] = ratios;
  }
  const large = pile(1000, 'circle', 'grid');
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    large.sim.step();
    times.push(performance.now() - start);
  }
  times.sort((x, y) => x - y);
  const contacts = insideOf(large.sim).game.physics.parts.planck.getContactCount();
  rows.push([1000, 'circle', 'grid', contacts, rounded(large.firstMs, 1), '-', rounded(times[2]!, 2), '-', '-', '-']);
  return {
    head: [
      'units',
      'shape',
      'engine',
      'contacts',
      'first tick ms',
      'with planck',
      'tick ms',
      'with planck ',
      'ratio',
      'equal',
    ],
    rows,
    samples,
    notes: ['a sensor of 200 px around each unit; ratio is ours by planck, medians of 21 rounds'],
  };
}
