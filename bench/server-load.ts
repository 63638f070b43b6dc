import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { withFrameRate } from '../src/load/index.ts';
import { playCrowd } from '../src/server/index.ts';
import { type Report, rounded } from './report.ts';
import { end, serve } from './served.ts';

interface ServerLoad {
  readonly seconds: number;
  readonly players: readonly number[];
  /** Ticks per second. */
  readonly rates: readonly number[];
}

/** The fraction of a core to use; the rest is for bursts. */
const filled = 0.7;

/**
 * The cost of players on a real server with a journal: CPU time of the whole process, including sockets, encoding and
 * journal. The bots run in this process. `players a core` fill 70 % of a core; if `p99 of budget` is below 1, ticks are
 * on time.
 */
export async function serverLoad(games: readonly string[], load: ServerLoad): Promise<Report> {
  const rows: (string | number)[][] = [];
  for (const game of games)
    for (const rate of load.rates)
      for (const players of load.players) rows.push(await one(game, rate, players, load.seconds));
  const head = [
    'game',
    'rate',
    'players',
    'rooms',
    'CPU %',
    'players a core',
    'tick p50 ms',
    'tick p99 ms',
    'p99 of budget',
    'late p99 ms',
    'overruns',
    'effect p50 ms',
    'effect p99 ms',
    'B/client/s',
    'journal B/s a room',
    'snapshot B',
    'MB',
  ];
  return { head, rows };
}

async function one(game: string, rate: number, players: number, seconds: number): Promise<(string | number)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-load-'));
  const name = basename(game, '.json');
  const file = join(folder, `${name}.json`);
  const data = join(folder, 'data');
  writeFileSync(file, JSON.stringify(withFrameRate(JSON.parse(readFileSync(game, 'utf8')), rate)));
  const served = await serve(file, data, '--workers', '1', '--trust-address', '127.0.0.1');
  try {
    const { server, ...result } = await playCrowd({ url: served.http, players, seconds, seed: 'load' });
    const { cpuShare, tickMs, lateMs, overruns, memoryMb } = server!;
    const rooms = (await (await fetch(`${served.http}/rooms`)).json()) as { readonly rooms: readonly unknown[] };
    const kept = journalBytes(data);
    const playedSeconds = (performance.now() - served.listeningMs) / 1000;
    return [
      name,
      rate,
      players,
      rooms.rooms.length,
      rounded(cpuShare * 100, 1),
      Math.floor((result.playing / cpuShare) * filled),
      ...[tickMs.p50, tickMs.p99, (tickMs.p99 * rate) / 1000, lateMs.p99].map((value) => rounded(value, 2)),
      ...[overruns, result.latencyMs!.p50, result.latencyMs!.p99, result.receivedPerSecond].map((value) =>
        rounded(value, 0),
      ),
      Math.round(kept.log / playedSeconds / rooms.rooms.length),
      kept.snapshot,
      rounded(memoryMb, 0),
    ];
  } finally {
    await end(served);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The size of the log of all rooms, and of the largest snapshot. */
function journalBytes(data: string): { readonly log: number; readonly snapshot: number } {
  let log = 0;
  let snapshot = 0;
  for (const name of readdirSync(join(data, 'journal'), { recursive: true, encoding: 'utf8' })) {
    const { size } = statSync(join(data, 'journal', name));
    if (name.startsWith('log')) log += size;
    else if (name.endsWith('.snapshot')) snapshot = Math.max(snapshot, size);
  }
  return { log, snapshot };
}
