import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDefinition, Simulation } from '../engine/index.ts';
import { Bots } from '../src/bots/bots.ts';
import { table } from './measure.ts';

/** Every game of a folder: loads, plays `seconds` with `bots`, and says how fast and what went wrong. */
export function playGames(folder: string, { seconds, bots }: { seconds: number; bots: number }): string {
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
    const sim = new Simulation(game, { seed: 1 });
    const crowd = new Bots(sim, { count: bots, seed: '1' });
    const start = performance.now();
    const ticks = Math.round(seconds * sim.rate);
    for (let i = 0; i < ticks && !sim.ended; i++) {
      crowd.beforeStep();
      sim.step();
    }
    const wallMs = performance.now() - start;
    const list = sim.world.faults.list();
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
  return `${table(['game', 'ticks', 'wall ms', 'x real time', 'units', 'items', 'fault places', 'hash'], rows)}\n\n${faults.join('\n')}`;
}
