import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { Player, spread } from './chaos-players.ts';
import { cpuSeconds, end, freePort, type Served, serve } from './served.ts';

interface Redis {
  readonly url: string;
  readonly pid: number;
  /** The values of the command INFO, by name. */
  info(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** Starts a Redis for the suite that fsyncs its log once a second. */
async function startRedis(folder: string): Promise<Redis> {
  const port = await freePort();
  const dir = join(folder, 'redis');
  mkdirSync(dir);
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--appendonly', 'yes', '--save', ''];
  const child: ChildProcess = spawn('redis-server', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `redis://127.0.0.1:${port}`;
  const client = createClient({ url, socket: { reconnectStrategy: 100 } });
  client.on('error', () => {});
  await client.connect();
  return {
    url,
    pid: child.pid!,
    async info() {
      const text = await client.sendCommand<string>(['INFO', 'everything']);
      return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
    },
    async close() {
      client.destroy();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

interface Fleet {
  readonly folder: string;
  readonly game: string;
  readonly redis: Redis;
}

function shared({ folder, game, redis }: Fleet, ...more: string[]): Promise<Served> {
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'a secret of all processes, long enough', { mode: 0o600 });
  const line = [
    '--journal',
    redis.url,
    '--token-secret-file',
    secret,
    '--data',
    '',
    '--workers',
    '1',
    '--grace',
    '120',
    '--trust-address',
    '127.0.0.1',
  ];
  return serve(game, '', ...line, ...more);
}

const takenOver = ({ log }: Served, room: string) =>
  log.find((entry) => entry['msg'] === 'room-resumed' && entry['room'] === room);

/** Reconnects like a client: a slow room may just be moving to another thread, which drops its connections. */
async function comeBack(player: Player, url: string): ReturnType<Player['connect']> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await player.connect(url);
    } catch (error) {
      if (attempt === 10) throw error;
      await wait(200);
    }
  }
}

interface Takeovers {
  readonly takeovers: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly differing: number;
  /** The time until another process runs the room, and until all players are back. */
  readonly takenMs: ReturnType<typeof spread>;
  readonly playersBackMs: ReturnType<typeof spread>;
}

/** Kills the process that runs a room, and measures the takeover by another. */
export async function takeovers(
  folder: string,
  game: string,
  count: number,
  signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL',
): Promise<Takeovers> {
  mkdirSync(folder, { recursive: true });
  const redis = await startRedis(folder);
  const fleet: Fleet = { folder, game, redis };
  const players = Array.from({ length: 40 }, () => new Player());
  let playing = await shared(fleet);
  let spare = await shared(fleet);
  const takenMs: number[] = [];
  const backMs: number[] = [];
  let acknowledged = 0;
  let lost = 0;
  let differing = 0;
  try {
    const { room } = await players[0]!.connect(playing.url);
    for (const player of players.slice(1)) await player.connect(playing.url);
    for (let round = 0; round < count; round++) {
      const before = players.reduce((sum, player) => sum + player.acknowledged.sequence, 0);
      for (const player of players) player.play(20);
      await wait(2000 + Math.random() * 1500);
      for (const player of players) player.close();
      const start = performance.now();
      const ended = end(playing, signal);
      if (signal === 'SIGKILL') await ended;
      acknowledged += players.reduce((sum, player) => sum + player.acknowledged.sequence, 0) - before;
      const lastTick = Math.max(...players.map((player) => player.acknowledged.tick));
      let resumed = takenOver(spare, room);
      for (; resumed === undefined; resumed = takenOver(spare, room)) await wait(5);
      takenMs.push(performance.now() - start);
      if ((resumed['tick'] as number) < lastTick) lost++;
      if (spare.log.some(({ code }) => code === 'resume-differs')) differing++;
      const welcomes = await Promise.all(players.map((player) => comeBack(player, spare.url)));
      backMs.push(performance.now() - start);
      await ended;
      for (const [i, welcome] of welcomes.entries()) {
        const player = players[i]!;
        if (welcome.room !== room) throw new Error('A player came into another room.');
        lost += Math.max(0, player.acknowledged.sequence - welcome.sequence);
        player.sequence = welcome.sequence;
      }
      playing = spare;
      spare = await shared(fleet);
      process.stderr.write(
        `${round + 1} of ${count}: ${acknowledged} acknowledged, ${lost} lost, ${takenMs.at(-1)} ms\n`,
      );
    }
    return { takeovers: count, acknowledged, lost, differing, takenMs: spread(takenMs), playersBackMs: spread(backMs) };
  } finally {
    for (const player of players) player.close();
    await end(playing, 'SIGKILL');
    await end(spare, 'SIGKILL');
    await redis.close();
  }
}

const measuredSeconds = 20;
const rooms = 4;
const playersPerRoom = 10;

/** The cost in Redis of one room with this many players. */
export async function journalInRedis(folder: string, game: string) {
  const redis = await startRedis(folder);
  try {
    const found = await load('redis', 0, { folder, game, redis });
    if (found.inRedis === undefined) throw new Error('Nothing was written to Redis.');
    return { playersPerRoom, ...found.inRedis };
  } finally {
    await redis.close();
  }
}

/** Compares the same run with the journal in Redis, on disk, and without one, interleaved. */
export async function journals(folder: string, game: string, rounds: number): Promise<object> {
  const redis = await startRedis(folder);
  const results: Record<string, object[]> = { redis: [], disk: [], off: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      for (const kind of Object.keys(results)) results[kind]!.push(await load(kind, round, { folder, game, redis }));
    }
  } finally {
    await redis.close();
  }
  return results;
}

async function load(kind: string, round: number, fleet: Fleet) {
  const { folder, game, redis } = fleet;
  const places = ['--rooms', String(rooms), '--rooms-max', String(rooms)];
  const data = join(folder, `data-${round}`);
  const served =
    kind === 'redis'
      ? await shared(fleet, ...places)
      : await serve(game, data, '--workers', '1', '--journal', kind === 'off' ? 'off' : `file:${data}`, ...places);
  const { rooms: list } = (await (await fetch(`${served.http}/rooms`)).json()) as { rooms: { id: string }[] };
  const players: Player[] = [];
  for (const { id } of list) {
    for (let i = 0; i < playersPerRoom; i++) {
      const player = new Player();
      await player.connect(served.url, id);
      players.push(player);
    }
  }
  for (const player of players) player.play(15);
  await wait(2000);
  for (const player of players) player.latenciesMs.length = 0;
  const pid = served.child.pid!;
  const before = { info: await redis.info(), cpu: cpuSeconds(pid), redisCpu: cpuSeconds(redis.pid) };
  await wait(measuredSeconds * 1000);
  const cpu = cpuSeconds(pid) - before.cpu;
  const redisCpu = cpuSeconds(redis.pid) - before.redisCpu;
  const after = await redis.info();
  const perRoomSecond = (name: string) =>
    Math.round(((Number(after.get(name)) - Number(before.info.get(name))) / measuredSeconds / rooms) * 10) / 10;
  const acknowledgeMs = spread(players.flatMap(({ latenciesMs }) => latenciesMs));
  for (const player of players) player.close();
  await end(served, 'SIGKILL');
  const inRedis =
    kind === 'redis'
      ? {
          operations: scriptsRun(after, before.info),
          bytesIn: perRoomSecond('total_net_input_bytes'),
          bytesOut: perRoomSecond('total_net_output_bytes'),
          memoryMb: Math.round(Number(after.get('used_memory')) / 1e4 / rooms) / 100,
          redisCpuPercent: Math.round((redisCpu / measuredSeconds / rooms) * 10_000) / 100,
        }
      : undefined;
  return { cpuPercent: Math.round((cpu / measuredSeconds) * 1000) / 10, acknowledgeMs, inRedis };
}

/** The number of script calls, each of which is one operation for its caller. */
function scriptsRun(after: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): number {
  const calls = (info: ReadonlyMap<string, string>) =>
    Number(/calls=(\d+)/.exec(info.get('cmdstat_evalsha') ?? '')?.[1]);
  return Math.round(((calls(after) - calls(before)) / measuredSeconds / rooms) * 10) / 10;
}
