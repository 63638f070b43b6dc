import { loadDefinition, Simulation } from '../engine/index.ts';
import { createUnit } from '../engine/rules/lifecycle/create-unit.ts';
import { internalsOf } from '../engine/tools.ts';
import { compare } from './measure.ts';
import { type Report, rounded } from './report.ts';

/**
 * A hundred thousand regenerating attributes, compared with a plain loop over typed arrays that does only the
 * arithmetic.
 */

const perUnit = 40;
const rate = 20;

function simulation(units: number): Simulation {
  const attributes = Object.fromEntries(
    Array.from({ length: perUnit }, (_, i) => {
      return [`a${i}`, { name: `a${i}`, value: 1, min: 0, max: 1e9, regenerateSpeed: 1 + (i % 7) }];
    }),
  );
  const { game } = loadDefinition({
    data: {
      defaultData: { frameRate: rate },
      map: { width: 10, height: 10, tilewidth: 64, tileheight: 64, layers: [], tilesets: [] },
      playerTypes: { human: { name: 'human', attributes: {}, relationships: {} } },
      unitTypes: { plant: { name: 'plant', attributes, states: {}, bodies: {} } },
    },
  });
  if (game === undefined) throw new Error('The bench definition does not load.');
  const sim = new Simulation(game, { seed: 1 });
  const owner = sim.entities('player')[0]!;
  const type = internalsOf(sim).world.types.unit.get('plant')!;
  for (let i = 0; i < units; i++) createUnit(internalsOf(sim).game, { type, owner, x: 320, y: 320, angle: 0 });
  return sim;
}

function plainLoop(count: number): () => void {
  const value = new Float64Array(count).fill(1);
  const min = new Float64Array(count);
  const max = new Float64Array(count).fill(1e9);
  const speed = Float64Array.from({ length: count }, (_, i) => 1 + ((i % perUnit) % 7));
  return () => {
    for (let i = 0; i < count; i++) {
      value[i] = Math.max(min[i]!, Math.min(max[i]!, value[i]! + speed[i]! / rate));
    }
  };
}

export function regeneratingAttributes(counts: readonly number[] = [10_000, 100_000]): Report {
  const samples: Record<string, readonly number[]> = {};
  const rows = counts.map((count) => {
    const sim = simulation(count / perUnit);
    const { a, b, ratio, ratios } = compare(() => sim.step(), plainLoop(count), { rounds: 21, callsPerRound: 20 });
    samples[`${count} attributes: tick by plain loop`] = ratios;
    return [count, rounded(a.median, 4), rounded(b.median, 4), rounded(ratio.median, 2), sim.hash()];
  });
  return { head: ['attributes', 'tick ms', 'loop ms', 'ratio', 'hash'], rows, samples };
}
