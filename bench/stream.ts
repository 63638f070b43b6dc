import { readFileSync } from 'node:fs';
import { loadDefinition, Simulation } from '../engine/index.ts';
import { Bots } from '../src/bots/bots.ts';
import { sections } from '../src/protocol/frame-layout.ts';
import { RoomStream } from '../src/protocol/stream.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

/** What a room's state costs on its way to its clients: bytes, and the time to take and encode it. Everything is in sight, nothing compressed. */

const contents = {
  /** Units, players and the state of the round. */
  basic: { kinds: ['player', 'unit'], variables: ['state'] },
  /** And items, projectiles, and eight variables. */
  full: {
    kinds: sections,
    variables: ['state', 'timeLeft', 'timerMessage', 'round', 'humansLeft', 'zombies', 'candidates', 'victims'],
  },
} as const;

export function streams(
  files: readonly string[],
  { seconds, warmUpSeconds, players }: { seconds: number; warmUpSeconds: number; players: readonly number[] },
): Report {
  const rows: (string | number)[][] = [];
  for (const file of files) {
    for (const count of players) {
      for (const [content, options] of Object.entries(contents)) {
        const { game } = loadDefinition(JSON.parse(readFileSync(file, 'utf8')));
        if (game === undefined) throw new Error(`${file} is no definition.`);
        const sim = new Simulation(game, { seed: 1 });
        const bots = new Bots(sim, { count, seed: '1' });
        const tick = (): void => {
          bots.beforeStep();
          sim.step();
        };
        for (let i = 0; i < warmUpSeconds * sim.rate; i++) tick();
        const stream = new RoomStream(sim, options);
        const clients = Array.from({ length: count }, (_, i) => stream.add(`bot${i + 1}`));
        let bytes = 0;
        let whole = 0;
        const times: number[] = [];
        for (let i = 0; i < seconds * sim.rate; i++) {
          tick();
          const start = performance.now();
          const frames = [...stream.frames()];
          times.push(performance.now() - start);
          for (const [, frame] of frames) {
            if (i === 0) whole += frame.length;
            else bytes += frame.length;
          }
          for (const client of clients) stream.acknowledge(client, sim.tick);
        }
        const sorted = times.toSorted((a, b) => a - b);
        rows.push([
          file.replace(/.*\//, '').replace('.json', ''),
          count,
          content,
          sim.rate,
          Math.round(bytes / seconds / count),
          Math.round(whole / count),
          rounded(spread(times).median),
          rounded(sorted[Math.floor(sorted.length * 0.99)]!),
          sim.hash(),
        ]);
      }
    }
  }
  return {
    head: ['game', 'players', 'content', 'rate', 'B/client/s', 'full state B', 'encode ms', 'p99 ms', 'hash'],
    rows,
    notes: [
      'All clients see the whole map and are players. Bytes are payload of deltas, without the full state; time is taking the state from the columns and encoding, a tick for all clients.',
    ],
  };
}
