/**
 * `npm run chaos -- kill 100 | flood | hostile 1000000 | idle 1000 | takeover 50 | journals 3 | neighbours | crowd 100
 * | frozen 100 | rolling 20 nginx | cluster 60 haproxy | runtime 20`: tests real server processes against failures of
 * network and machine. Prints one JSON object; docs/reliability.md describes the tests.
 */

import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encodeClientMessage, protocolVersion } from '../src/net/index.ts';
import { GameServer, protocols } from '../src/server/index.ts';
import { clusterChaos, rolling } from './chaos-cluster.ts';
import { crowd, frozen, neighbours } from './chaos-neighbours.ts';
import { Player, spread } from './chaos-players.ts';
import { journals, takeovers } from './chaos-redis.ts';
import { runtimeKills } from './durable-rooms.ts';
import { cpuSeconds, end, megabytes, type Served, serve } from './served.ts';

const game = 'scenarios/games/infection.json';
const folder = mkdtempSync(join(tmpdir(), 'reenact-chaos-'));
const data = join(folder, 'data');

/** Kills the process at random moments, and checks what was acknowledged. */
async function kills(count: number): Promise<object> {
  const players = Array.from({ length: 8 }, () => new Player());
  let lost = 0;
  let differing = 0;
  let acknowledged = 0;
  const startsMs: number[] = [];
  const backMs: number[] = [];
  let served = await serve(game, data, '--workers', '1', '--grace', '120');
  for (const player of players) await player.connect(served.url);
  for (let round = 0; round < count; round++) {
    for (const player of players) player.play(15);
    const before = players.reduce((sum, player) => sum + player.acknowledged.sequence, 0);
    await wait(300 + Math.random() * 1500);
    for (const player of players) player.close();
    await end(served, 'SIGKILL');
    acknowledged += players.reduce((sum, player) => sum + player.acknowledged.sequence, 0) - before;
    const start = performance.now();
    served = await serve(game, data, '--workers', '1', '--grace', '120');
    startsMs.push(served.startMs);
    const resumed = served.log.find(({ msg }) => msg === 'room-resumed');
    if (served.log.some(({ code }) => code === 'resume-differs')) differing++;
    const lastTick = Math.max(...players.map((player) => player.acknowledged.tick));
    if (resumed === undefined || (resumed['tick'] as number) < lastTick) lost++;
    const welcomes = await Promise.all(players.map((player) => player.connect(served.url)));
    backMs.push(performance.now() - start);
    for (const [i, { sequence }] of welcomes.entries()) {
      const player = players[i]!;
      lost += Math.max(0, player.acknowledged.sequence - sequence);
      player.sequence = sequence;
    }
  }
  for (const player of players) player.close();
  await end(served);
  return { kills: count, acknowledged, lost, differing, startMs: spread(startsMs), playersBackMs: spread(backMs) };
}

const flooders = 50;
const floodSeconds = 20;

/** Measures 20 normal players, first alone and then next to 50 sockets that send as much as they can. */
async function flood(): Promise<object> {
  const served = await serve(game, data, '--workers', '1');
  const players = Array.from({ length: 20 }, () => new Player());
  for (const player of players) await player.connect(served.url);
  for (const player of players) player.play(15);
  const pid = served.child.pid!;
  const measure = async () => {
    for (const player of players) player.latenciesMs.length = 0;
    const cpu = cpuSeconds(pid);
    const before = await tickLateness(served);
    await wait(floodSeconds * 1000);
    const after = await tickLateness(served);
    return {
      acknowledgeMs: spread(players.flatMap(({ latenciesMs }) => latenciesMs)),
      ticksLateOver50Ms: after.late - before.late,
      ticks: after.all - before.all,
      cpuPercent: Math.round(((cpuSeconds(pid) - cpu) / floodSeconds) * 100),
      memoryMb: megabytes(pid),
    };
  };
  await wait(3000);
  const alone = await measure();
  const flooder = fork(process.argv[1]!, ['flooder', served.url], { stdio: 'inherit' });
  await wait(1000);
  const flooded = await measure();
  const answered = new Promise<unknown>((resolve) => flooder.once('message', resolve));
  flooder.send('stop');
  const sent = await answered;
  const honestConnected = players.filter((player) => player.isOpen).length;
  for (const player of players) player.close();
  await end(served);
  const said: Record<string, number> = {};
  for (const { msg } of served.log) said[String(msg)] = (said[String(msg)] ?? 0) + 1;
  return { alone, flooded, flooders: sent, log: said, honestConnected };
}

async function tickLateness({ http }: Served): Promise<{ all: number; late: number }> {
  const text = await (await fetch(`${http}/metrics`)).text();
  const read = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  const all = read(/reenact_tick_late_seconds_count (\d+)/);
  return { all, late: all - read(/reenact_tick_late_seconds_bucket\{le="0.05"\} (\d+)/) };
}

/** The attacking process of `flood`. */
function floodFrom(url: string): void {
  const counts = { frames: 0, connections: 0, turnedAway: 0, ended: 0 };
  let isOver = false;
  const open = (): void => {
    if (isOver) return;
    // From another address, because there are limits per address.
    const socket = new WebSocket(url, { localAddress: '127.0.0.2' });
    let burst: NodeJS.Timeout | undefined;
    socket.on('error', () => {});
    socket.on('unexpected-response', () => {
      counts.turnedAway++;
      socket.terminate();
    });
    socket.on('open', () => {
      counts.connections++;
      socket.send(encodeClientMessage({ kind: 'join', protocol: protocolVersion, name: 'flood' }));
      const frame = new Uint8Array(1000).fill(32);
      burst = setInterval(() => {
        for (let i = 0; i < 20 && socket.bufferedAmount < 256 * 1024; i++) {
          socket.send(frame);
          counts.frames++;
        }
      }, 1);
    });
    socket.on('close', () => {
      counts.ended++;
      clearInterval(burst);
      setTimeout(open, 100);
    });
  };
  for (let i = 0; i < flooders; i++) open();
  process.once('message', () => {
    isOver = true;
    process.send!(counts, () => process.exit());
  });
}

/** Sends random and damaged frames through real sockets, with limits disabled, so that each is decoded. */
async function hostile(count: number): Promise<object> {
  const endless = { size: 1e12, perSecond: 1e12 };
  const problems: unknown[] = [];
  const server = await GameServer.start({
    paths: [game],
    host: '127.0.0.1',
    port: 0,
    rooms: 1,
    roomsMax: 1,
    watchersMax: 0,
    workers: 0,
    protocols: [protocols.reenact],
    sync: 'never',
    onJournalFailure: 'go-on',
    origins: 'any',
    trustProxy: false,
    compress: false,
    graceMs: 1000,
    endMs: 5000,
    watch: false,
    log: 'error',
    logTo: { write: (line: string) => problems.push(JSON.parse(line)) },
    traffic: {
      messages: endless,
      bytes: endless,
      large: endless,
      addressMessages: endless,
      addressBytes: endless,
      strikesMax: 1e12,
    },
  });
  const player = new Player();
  await player.connect(`ws://127.0.0.1:${server.port}/play`);
  player.play(10);
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/play`);
  await new Promise((resolve) => socket.once('open', resolve));
  socket.on('error', () => {});
  let ended: number | undefined;
  socket.on('close', (code) => {
    ended = code;
  });
  socket.send(encodeClientMessage({ kind: 'join', protocol: protocolVersion, name: 'hostile' }));
  const seeds = [
    encodeClientMessage({ kind: 'input', sequence: 1, input: { kind: 'data', data: { a: [1, { b: 'c' }] } } }),
    encodeClientMessage({ kind: 'input', sequence: 1, tick: 3, input: { kind: 'mouse', x: 1, y: 2 } }),
    encodeClientMessage({ kind: 'input', sequence: 1, input: { kind: 'chat', text: 'hello' } }),
    encodeClientMessage({ kind: 'ack', frame: 1 }),
    encodeClientMessage({ kind: 'ping', time: 1 }),
  ];
  const start = performance.now();
  const memory = megabytes(process.pid);
  for (let i = 0; i < count; i++) {
    const bytes =
      i % 2 === 0
        ? new Uint8Array(1 + Math.floor(Math.random() * 64)).map(() => Math.random() * 256)
        : new Uint8Array(seeds[i % seeds.length]!);
    if (i % 2 === 1) bytes[Math.floor(Math.random() * bytes.length)] = Math.random() * 256;
    // Skips valid leave messages, which would end the connection.
    if (bytes[0] !== 4) socket.send(bytes);
    // Wait for the socket to drain, so that answers arrive, too.
    while (ended === undefined && socket.bufferedAmount > 256 * 1024) await wait(1);
    if (ended !== undefined) throw new Error(`The connection ended with ${ended} after ${i} frames.`);
  }
  while (ended === undefined && socket.bufferedAmount > 0) await wait(1);
  await wait(500);
  const before = player.acknowledged.sequence;
  await wait(500);
  const stillPlays = player.acknowledged.sequence > before && socket.readyState === socket.OPEN;
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  player.close();
  socket.terminate();
  await server.stop();
  const growthMb = megabytes(process.pid) - memory;
  return { frames: count, seconds, stillPlays, problems: problems.length, growthMb };
}

/** Measures rooms without players. */
async function idle(count: number): Promise<object> {
  const served = await serve(
    game,
    data,
    '--rooms',
    String(count),
    '--rooms-max',
    String(count),
    '--log',
    'warn',
    '--log',
    'info',
  );
  const pid = served.child.pid!;
  // Rooms keep running for a while before they sleep.
  await wait(30_000);
  const cpu = cpuSeconds(pid);
  await wait(10_000);
  const result = {
    rooms: count,
    startMs: Math.round(served.startMs),
    cpuPercent: Math.round(((cpuSeconds(pid) - cpu) / 10) * 1000) / 10,
    memoryMb: megabytes(pid),
  };
  await end(served);
  return result;
}

const [what = '', number, proxy] = process.argv.slice(2);
const proxyName = proxy === 'haproxy' ? proxy : 'nginx';
const suites: Record<string, () => Promise<object>> = {
  kill: () => kills(Number(number ?? 100)),
  flood,
  hostile: () => hostile(Number(number ?? 1_000_000)),
  idle: () => idle(Number(number ?? 1000)),
  takeover: () => takeovers(folder, game, Number(number ?? 50)),
  journals: () => journals(folder, game, Number(number ?? 3)),
  neighbours: () => neighbours(folder, game),
  crowd: () => crowd(folder, 'scenarios/games', Number(number ?? 100)),
  frozen: () => frozen(folder, 'scenarios/games', Number(number ?? 100)),
  rolling: () => rolling(folder, game, Number(number ?? 20), proxyName),
  cluster: () => clusterChaos(folder, game, Number(number ?? 60), proxyName),
  runtime: () => runtimeKills(folder, game, Number(number ?? 20)),
};
if (what === 'flooder') floodFrom(number!);
else {
  const suite = suites[what];
  if (suite === undefined) throw new Error(`Usage: npm run chaos -- ${Object.keys(suites).join(' | ')} [NUMBER]`);
  try {
    process.stdout.write(`${JSON.stringify(await suite(), null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
