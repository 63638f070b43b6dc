/**
 * `npm run soak -- --hours 24`: runs a server for this many hours of virtual time, with players that come and go, save,
 * make web requests and crash. No faults are injected. Prints a line for each hour, and what grew: the slope of each
 * figure over the later hours. Exit code 1 if anything is wrong.
 */

import { join } from 'node:path';
import { getHeapCodeStatistics, getHeapSpaceStatistics, writeHeapSnapshot } from 'node:v8';
import { commandLine } from '../../bench/command-line.ts';
import { RandomStreams } from '../../engine/core/random.ts';
import { createLog, observe } from '../../src/server/logging.ts';
import { Metrics } from '../../src/server/metrics.ts';
import { type Sample, samples, servedSample } from './game.ts';
import { ServerMachine } from './machine.ts';
import { Network } from './network.ts';
import { commonOf, Player } from './player.ts';
import { Timeline } from './timeline.ts';
import { Watch } from './watch.ts';

const { values } = commandLine({
  options: {
    seed: { type: 'string', default: 'soak' },
    hours: { type: 'string', default: '24' },
    players: { type: 'string', default: '4' },
    game: { type: 'string', default: 'infection' },
    heap: { type: 'string' },
  },
});
const hours = Number(values.hours);
const count = Number(values.players);
const sample = `${values.game}.json` as Sample;
if (!(hours > 0 && count > 0) || !samples.includes(sample) || globalThis.gc === undefined) {
  process.stderr.write('--hours and --players are numbers above 0, --game a sample, and Node runs with --expose-gc.\n');
  process.exit(2);
}
const collect = globalThis.gc;

/** Hours between two snapshots of the heap, with `--heap FOLDER`. */
const heapHours = 4;

/** Does not inspect rooms, because what it would remember is not the server's memory. */
class Onlooker extends Watch {
  override report(): void {}
  override welcomed(): void {}
  override applied(): void {}
  override acknowledged(): void {
    this.seen.acknowledged++;
  }
  override roomEnded(): void {}
}

const hourMs = 3_600_000;
const stepMs = 60_000;
const failures: string[] = [];
const timeline = new Timeline();
const streams = new RandomStreams(values.seed ?? 'soak');
const random = streams.stream('visits');
const watch = new Onlooker((message) => failures.push(`${(timeline.nowMs / hourMs).toFixed(2)} h: ${message}`));
const network = new Network(timeline, streams.stream('network'));
const definition = servedSample(sample, 1);
let machine: ServerMachine | undefined;
const metrics = new Metrics({
  rooms: () => machine?.core?.rooms.listed() ?? [],
  connections: () => machine?.core?.hub.connections.size ?? 0,
  isStoreFailing: () => machine?.core?.accounts.isStoreFailing === true,
});
const alsoTold = observe(createLog('info', { write: () => {} }), metrics);
machine = new ServerMachine(
  { timeline, streams, network, watch, definition, alsoTold },
  {
    dialect: 'standard',
    sync: 'always',
    onJournalFailure: 'go-on',
    sight: Number.POSITIVE_INFINITY,
    variables: ['state'],
    rooms: 1,
    threads: 2,
    graceMs: 30_000,
    snapshotSeconds: 10,
  },
);
const common = commonOf(definition.game.definition);
const players = Array.from({ length: count }, (_, index) => {
  const own = streams.stream(`player ${index}`);
  return new Player(index, { timeline, network, watch, definition: definition.game.definition, common, random: own });
});

/** A player's visits: it plays for a while, then is away for a while. */
function visit(player: Player): void {
  player.isAway = false;
  timeline.after(random.between(2, 30) * stepMs, () => {
    // Some close the page without a close message.
    if (random.chance(0.3)) player.crash(random.chance(0.5));
    player.goAway();
    timeline.after(random.between(5, 60) * stepMs, () => visit(player));
  });
}

function busy(player: Player): void {
  timeline.after(random.between(10, 60) * 1000, () => {
    if (!player.isAway) player.command();
    busy(player);
  });
}

interface Row {
  readonly [figure: string]: number;
}

async function row(hour: number): Promise<Row> {
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  const { core, process: virtual, disk } = machine!;
  const rooms = [...(core?.rooms.byId.values() ?? [])];
  const megabytes = (bytes: number) => Math.round((bytes / 1e6) * 100) / 100;
  return {
    hour,
    heapMb: megabytes(heapUsed),
    codeMb: megabytes(codeBytes()),
    // Here the disk is in memory, which does not count as the server's.
    buffersMb: megabytes(arrayBuffers - disk.memory),
    rssMb: megabytes(rss),
    handles: activeResources().length,
    timers: virtual?.timers ?? 0,
    openFiles: virtual?.openFiles ?? 0,
    files: disk.files,
    diskMb: megabytes(disk.bytes),
    metricsKb: Math.round((await metrics.text()).text.length / 1000),
    connections: core?.hub.connections.size ?? 0,
    rooms: rooms.length,
    entities: machine!.entities,
    seats: rooms.reduce((sum, room) => sum + room.seats.size, 0),
    inputs: watch.seen.acknowledged,
  };
}

/** The size of compiled code with its tables, and of bytecode. */
function codeBytes(): number {
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return code + bytecode;
}

/** Handles that keep the process alive; the Node types used here lack this function. */
const activeResources = (process as unknown as { getActiveResourcesInfo(): readonly string[] }).getActiveResourcesInfo;

/** The slope of the least-squares line. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return above / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

process.on('unhandledRejection', (error) =>
  failures.push(`a promise is rejected that nobody waits for: ${String(error)}`),
);
machine.boot();
for (const player of players) {
  busy(player);
  visit(player);
}
const startMs = performance.now();
const rows: Row[] = [];
for (let hour = 1; hour <= hours && failures.length === 0; hour++) {
  await timeline.run(hour * hourMs);
  const now = await row(hour);
  rows.push(now);
  const speed = Math.round((hour * hourMs) / (performance.now() - startMs));
  process.stdout.write(`${JSON.stringify({ ...now, timesRealTime: speed })}\n`);
  if (values.heap !== undefined && hour % heapHours === 0) {
    const spaces = getHeapSpaceStatistics().map(({ space_name, space_used_size }) => [space_name, space_used_size]);
    process.stderr.write(`${JSON.stringify({ hour, spaces: Object.fromEntries(spaces) })}\n`);
    writeHeapSnapshot(join(values.heap, `${hour}.heapsnapshot`));
  }
}
/** Memory that fills up at first and then stays constant does not count as growth. */
const later = rows.filter(({ hour }) => hour! > Math.min(4, hours / 4));
const figures = Object.keys(later[0] ?? {}).filter((name) => name !== 'hour' && name !== 'inputs');
const slopes = Object.fromEntries(
  figures.map((name) => [name, Math.round(slope(later.map((each) => [each['hour']!, each[name]!])) * 1000) / 1000]),
);
process.stdout.write(`${JSON.stringify({ hours: rows.length, perHour: slopes, failures })}\n`);
process.exit(failures.length > 0 ? 1 : 0);
