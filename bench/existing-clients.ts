import { readFileSync } from 'node:fs';
import { loadDefinition, type OutputEvent, Simulation } from '../engine/index.ts';
import { Bots } from '../src/bots/index.ts';
import { compress, EntityStream, type TickEvents } from '../src/modd-client/index.ts';
import { destinationOf, ReenactStream } from '../src/net/index.ts';
import { ServedDefinition } from '../src/server/index.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

/**
 * The cost of clients of the original engine compared with ours, in the same game at the same moments: bytes, and the
 * time to capture and encode a tick for all. Their frames include events; ours are sent separately and not counted.
 */
export function existingClients(
  files: readonly string[],
  { seconds, warmUpSeconds, players }: { seconds: number; warmUpSeconds: number; players: readonly number[] },
): Report {
  const rows: (string | number)[][] = [];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const { game } = loadDefinition(JSON.parse(text));
    const served = ServedDefinition.of(text, 'game');
    if (game === undefined || served === undefined) throw new Error(`${file} is no definition.`);
    for (const count of players) {
      const outputs: OutputEvent[] = [];
      const sim = new Simulation(game, { seed: 1, dialect: 'moddio', onOutput: (event) => outputs.push(event) });
      const bots = new Bots(sim, { count, seed: '1' });
      const tick = (): void => {
        bots.beforeStep();
        outputs.length = 0;
        sim.step();
      };
      for (let i = 0; i < warmUpSeconds * sim.rate; i++) tick();
      let now = 0;
      const theirs = new EntityStream(sim, { timeMs: () => (now += 1000 / sim.rate) });
      const ours = new ReenactStream(sim);
      const clients = Array.from({ length: count }, (_, i) => ours.add(`bot${i + 1}`));
      for (let i = 0; i < count; i++) theirs.add(`bot${i + 1}`);
      let joinBytes = 0;
      let joinMs = 0;
      let bytes = 0;
      let own = 0;
      const times: number[] = [];
      const ownTimes: number[] = [];
      for (let i = 0; i < seconds * sim.rate; i++) {
        tick();
        const events = eventsOf(sim, outputs);
        const start = performance.now();
        const frames = [...theirs.frames(events)];
        const between = performance.now();
        const ownFrames = [...ours.frames()];
        const end = performance.now();
        if (i === 0) {
          joinMs = between - start;
          for (const [, frame] of frames) joinBytes += frame.length;
          continue;
        }
        times.push(between - start);
        ownTimes.push(end - between);
        for (const [, frame] of frames) bytes += frame.length;
        for (const [, frame] of ownFrames) own += frame.length;
        for (const client of clients) ours.acknowledge(client, sim.tick);
      }
      const sorted = times.toSorted((a, b) => a - b);
      rows.push([
        file.replace(/.*\//, '').replace('.json', ''),
        count,
        sim.rate,
        Math.round(bytes / seconds / count),
        Math.round(own / seconds / count),
        Math.round(joinBytes / count),
        rounded(joinMs),
        rounded(spread(times).median),
        rounded(sorted[Math.floor(sorted.length * 0.99)]!),
        rounded(spread(ownTimes).median),
        Math.round(served.forModdio('moddio').gzip.length / 1024),
      ]);
    }
  }
  return {
    head: [
      'game',
      'players',
      'rate',
      'B/client/s',
      'ours B/client/s',
      'join B',
      'join of all ms',
      'encode ms',
      'p99 ms',
      'ours encode ms',
      'definition kB',
    ],
    rows,
    notes: [
      'All clients see the whole map and are players. Bytes are payload, without what newcomers get; times are those of a tick for all clients together.',
      `A tick of ${sample.length} characters is compressed in ${rounded(compressionMs(), 4)} ms.`,
    ],
  };
}

function eventsOf(sim: Simulation, outputs: readonly OutputEvent[]): TickEvents {
  const forAll: OutputEvent[] = [];
  const forPlayers = new Map<string, OutputEvent[]>();
  for (const event of outputs) {
    const to = destinationOf(sim, event);
    if (to === 'everyone') forAll.push(event);
    else if (to !== 'host') for (const id of to) forPlayers.set(id, [...(forPlayers.get(id) ?? []), event]);
  }
  return { forAll, forPlayers };
}

/** A tick of 40 moving players. */
const sample = JSON.stringify([
  '0',
  [
    ...Array.from({ length: 45 }, (_, i) => `1u${i}&${(i * 97).toString(16)}&${(i * 31).toString(16)}&${i}`),
    ['2', 41_834],
  ],
]);

function compressionMs(): number {
  const calls = 400;
  for (let i = 0; i < calls; i++) compress(sample);
  const start = performance.now();
  for (let i = 0; i < calls; i++) compress(sample);
  return (performance.now() - start) / calls;
}
