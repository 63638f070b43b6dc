import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadDefinition, Simulation } from '../engine/index.ts';
import { Bots } from '../src/bots/index.ts';
import { compare } from './measure.ts';
import { type Report, rounded } from './report.ts';

/**
 * Many simulations of one game in one process, as learners and searches have them: their memory, ticks per second, and
 * what a fork, a new game and an observation cost in ticks of the same game.
 */

const players = 4;
/** By then, the game is running and its units have met. */
const warmUpTicks = 400;
const attributesMax = 4;

export function manySimulations(
  files: readonly string[],
  { count, seconds }: { count: number; seconds: number },
): Report {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedBytes = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const samples: Record<string, readonly number[]> = {};
  const rows = files.map((file) => {
    const name = file.split('/').at(-1)!;
    const { game } = loadDefinition(JSON.parse(readFileSync(file, 'utf8')));
    if (game === undefined) throw new Error(`${file} is no definition.`);
    const first = new Simulation(game, { seed: 1 });
    const bots = new Bots(first, { count: players, seed: '1' });
    for (let tick = 0; tick < warmUpTicks; tick++) {
      bots.beforeStep();
      first.step();
    }
    const before = usedBytes();
    const all = Array.from({ length: count }, (_, seed) => first.fork({ reseed: seed }));
    const bytes = (usedBytes() - before) / count;

    let steps = 0;
    const start = performance.now();
    while (performance.now() < start + seconds * 1000)
      for (const sim of all) {
        sim.step();
        steps++;
      }
    const perSecond = (steps * 1000) / (performance.now() - start);
    all.length = 0;

    const stepping = first.fork();
    const step = (): void => stepping.step();
    const inSteps = (noun: string, call: () => void): number => {
      const { ratio, ratios } = compare(call, step, { rounds: 15, callsPerRound: 40 });
      samples[`${name}: ${noun} in ticks`] = ratios;
      return rounded(ratio.median, 2);
    };
    const units = first.units().length;
    const attributes = new Set(first.units().flatMap((unit) => Object.keys(unit.attributes)));
    const column = (): Float32Array => new Float32Array(units);
    const reader = first.columns('unit', {
      x: column(),
      y: column(),
      angle: column(),
      attributes: Object.fromEntries([...attributes].slice(0, attributesMax).map((key) => [key, column()])),
    });
    let seed = 0;
    return [
      name,
      first.entityCount,
      rounded(bytes / 1024),
      Math.round(perSecond),
      inSteps('a fork', () => first.fork()),
      inSteps('a new game', () => new Simulation(game, { seed: seed++ })),
      inSteps('an observation', () => reader.read()),
    ];
  });
  return {
    head: [
      'game',
      'entities',
      'KiB a simulation',
      'ticks/s of all',
      'fork ticks',
      'new game ticks',
      'observation ticks',
    ],
    rows,
    samples,
    notes: [`${count} forks with ${players} players each, played in turns in one thread`],
  };
}
