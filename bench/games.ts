import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDefinition, Simulation } from '../engine/index.ts';
import { internalsOf, programsOfGame } from '../engine/tools.ts';
import { Bots } from '../src/bots/index.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

/** Loads and runs every game of a folder for `seconds` with `bots`, and reports speed and faults. */
export function playGames(folder: string, { seconds, bots }: { seconds: number; bots: number }): Report {
  const rows: (string | number)[][] = [];
  const faults: string[] = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const { game } = loadDefinition(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    if (game === undefined) {
      rows.push([file, 'does not load']);
      continue;
    }
    programsOfGame(game).program().compileAll();
    const sim = new Simulation(game, { seed: 1 });
    const crowd = new Bots(sim, { count: bots, seed: '1' });
    const start = performance.now();
    const ticks = Math.round(seconds * sim.rate);
    for (let i = 0; i < ticks && !sim.ended; i++) {
      crowd.beforeStep();
      sim.step();
    }
    const wallMs = performance.now() - start;
    const list = internalsOf(sim).world.faults.list();
    rows.push([
      file,
      sim.tick,
      Math.round(wallMs),
      Math.round((sim.nowMs / wallMs) * 10) / 10,
      sim.entities('unit').length,
      sim.entities('item').length,
      list.length,
      sim.hash(),
    ]);
    for (const fault of list) faults.push(`${file}: ${fault.count} x ${fault.code} at ${fault.at}: ${fault.message}`);
  }
  return {
    head: ['game', 'ticks', 'wall ms', 'x real time', 'units', 'items', 'fault places', 'hash'],
    rows,
    notes: faults,
  };
}

/** The cost of ticks of one game after a crowd has joined, as fractions of the frame budget. */
export function crowdedGame(file: string, { seconds, bots }: { seconds: number; bots: number }): Report {
  const { game } = loadDefinition(JSON.parse(readFileSync(file, 'utf8')));
  if (game === undefined) throw new Error(`${file} does not load.`);
  const runs = Array.from({ length: 3 }, () => {
    programsOfGame(game).program().compileAll();
    const sim = new Simulation(game, { seed: 1 });
    const crowd = new Bots(sim, { count: bots, seed: '1' });
    const warmUp = Math.round(10 * sim.rate);
    const times: number[] = [];
    for (let i = 0; i < warmUp + Math.round(seconds * sim.rate) && !sim.ended; i++) {
      crowd.beforeStep();
      const start = performance.now();
      sim.step();
      if (i >= warmUp) times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
    const actions = internalsOf(sim).runtime.counts.reduce((all, count) => all + count, 0) / sim.tick;
    return { p50: at(0.5), p99: at(0.99), budgetMs: 1000 / sim.rate, actions, hash: sim.hash() };
  });
  const p50 = spread(runs.map((run) => run.p50)).median;
  const p99 = spread(runs.map((run) => run.p99)).median;
  const { budgetMs, actions, hash } = runs[0]!;
  return {
    head: ['bots', 'p50 ms', 'p99 ms', 'p50 of budget %', 'p99 of budget %', 'actions a tick', 'hash'],
    rows: [
      [
        bots,
        rounded(p50),
        rounded(p99),
        rounded((100 * p50) / budgetMs, 1),
        rounded((100 * p99) / budgetMs, 1),
        rounded(actions, 1),
        hash,
      ],
    ],
    notes: runs.every((run) => run.hash === hash) ? [] : ['INVALID: the runs differ'],
  };
}
