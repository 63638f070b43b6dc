import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { playCrowd } from '../src/server/index.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';
import { end, type Served, serve } from './served.ts';

interface InsightLoad {
  readonly players: number;
  readonly seconds: number;
  readonly rounds: number;
  /** The number of operators watching at the same time. */
  readonly operators: number;
}

const token = 'a token for measuring';

/** The cost of operators watching a room: the same server and crowd, interleaved with and without them. */
export async function insight(games: readonly string[], load: InsightLoad): Promise<Report> {
  const rows: (string | number)[][] = [];
  for (const game of games) rows.push(...(await both(game, load)));
  const head = ['game', 'players', 'operators', 'tick p50 ms', 'tick p99 ms', 'late p99 ms', 'CPU %'];
  return {
    head: [...head, 'kB an operator a second'],
    rows,
    notes: ['Medians of rounds that take turns. Bytes without the definition and the first snapshot.'],
  };
}

async function both(
  game: string,
  { players, seconds, rounds, operators }: InsightLoad,
): Promise<(string | number)[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-insight-'));
  writeFileSync(join(folder, 'token'), token, { mode: 0o600 });
  const served = await serve(game, join(folder, 'data'), '--admin-token-file', join(folder, 'token'), '--workers', '1');
  try {
    const figures: Record<number, number[][]> = { 0: [], [operators]: [] };
    for (let round = 0; round < rounds; round++) {
      for (const looking of [0, operators]) {
        const looks = await Promise.all(Array.from({ length: looking }, () => look(served)));
        const before = looks.map(({ bytes }) => bytes());
        const { server } = await playCrowd({ url: served.http, players, seconds, seed: `insight ${round}` });
        const received = looks.map(({ bytes }, i) => (bytes() - before[i]!) / 1000 / seconds);
        for (const { close } of looks) close();
        if (server === undefined) throw new Error('The server gave no figures of itself.');
        const { tickMs, lateMs, cpuShare } = server;
        figures[looking]!.push([
          tickMs.p50,
          tickMs.p99,
          lateMs.p99,
          cpuShare * 100,
          received.length === 0 ? 0 : spread(received).median,
        ]);
      }
    }
    return [0, operators].map((looking) => {
      const columns = figures[looking]![0]!.map((_, i) => spread(figures[looking]!.map((row) => row[i]!)).median);
      return [basename(game, '.json'), players, looking, ...columns.map((value) => rounded(value, 2))];
    });
  } finally {
    await end(served);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Watches the first room, and counts the bytes after the first chunk. */
async function look({ http }: Served): Promise<{ bytes(): number; close(): void }> {
  const { rooms } = (await (await fetch(`${http}/rooms`)).json()) as { readonly rooms: readonly { id: string }[] };
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await fetch(`${http}/rooms/${rooms[0]!.id}/insight`, { headers, signal: stop.signal });
  const reader = body!.getReader();
  let bytes = 0;
  await reader.read();
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
    }
  };
  void read().catch(() => {});
  return { bytes: () => bytes, close: () => stop.abort() };
}
