import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { RoomClient } from '../src/net/index.ts';
import { spread } from './chaos-players.ts';
import { Platform } from './platform.ts';
import { type Report, rounded } from './report.ts';
import { cpuSeconds, megabytes } from './served.ts';

const playersEach = 8;
/** By then, all rooms have left their first ticks behind. */
const warmUpMs = 5000;
/** By then, the grace period of everybody is over and the rooms sleep. */
const asleepMs = 10_000;

/** A player that presses and releases a key, and records what has been acknowledged. */
class KeyPresser {
  readonly latenciesMs: number[] = [];
  /** The newest acknowledged input, by its number on the connection. */
  acknowledged = 0;
  /** Acknowledged inputs that a later welcome does not know. */
  lost = 0;
  private readonly client: RoomClient;
  private readonly sentMs = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(url: string) {
    this.client = new RoomClient({ url, name: 'bench', WebSocket, reconnectSeconds: 120 });
    this.client.on('result', (result) => {
      if ('refused' in result) return;
      this.acknowledged = Math.max(this.acknowledged, result.sequence);
      const sentMs = this.sentMs.get(result.sequence);
      if (sentMs !== undefined) this.latenciesMs.push(performance.now() - sentMs);
      this.sentMs.delete(result.sequence);
    });
    this.client.on('welcome', ({ sequence }) => {
      this.lost += Math.max(0, this.acknowledged - sequence);
    });
  }

  async join(): Promise<void> {
    await this.client.connect();
  }

  play(perSecond: number): void {
    let isDown = false;
    this.timer = setInterval(() => {
      isDown = !isDown;
      this.sentMs.set(this.client.send({ kind: isDown ? 'keyDown' : 'keyUp', key: 'd' }), performance.now());
    }, 1000 / perSecond);
  }

  close(): void {
    clearInterval(this.timer);
    this.client.close();
  }
}

/**
 * Rooms of a game in one isolate of the runtime of Durable Objects, eight players in each: the CPU time and memory of
 * the runtime's process while they play, and after everybody has left. Its storage is on the disk of this machine.
 */
export async function durableRooms(
  game: string,
  { rooms, seconds }: { rooms: readonly number[]; seconds: number },
): Promise<Report> {
  const rows: (string | number)[][] = [];
  for (const count of rooms) {
    const folder = mkdtempSync(join(tmpdir(), 'reenact-rooms-'));
    const platform = new Platform(folder, game);
    await platform.start();
    const { pid } = platform;
    const shareOf = async (ms: number): Promise<number> => {
      const before = cpuSeconds(pid);
      await wait(ms);
      return ((cpuSeconds(pid) - before) * 100_000) / ms;
    };
    try {
      const emptyMb = megabytes(pid);
      const players = Array.from({ length: count * playersEach }, () => new KeyPresser(platform.url));
      // One after the other, so that a room is full before the next one opens.
      for (const player of players) await player.join();
      for (const player of players) player.play(6);
      await wait(warmUpMs);
      for (const { latenciesMs } of players) latenciesMs.length = 0;
      const playing = await shareOf(seconds * 1000);
      const memoryMb = megabytes(pid);
      const { p50, p99 } = spread(players.flatMap(({ latenciesMs }) => latenciesMs));
      for (const player of players) player.close();
      await wait(asleepMs);
      const asleep = await shareOf(seconds * 1000);
      rows.push([
        count,
        players.length,
        rounded(playing, 1),
        rounded(playing / count, 2),
        rounded((memoryMb - emptyMb) / count, 1),
        p50,
        p99,
        rounded(asleep, 2),
      ]);
    } finally {
      await platform.end();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const head = [
    'rooms',
    'players',
    'CPU %',
    'CPU % a room',
    'MB a room',
    'acknowledged p50 ms',
    'p99 ms',
    'CPU % asleep',
  ];
  return { head, rows };
}

/**
 * Kills the runtime at random moments while eight players play in each of two rooms, and checks what was acknowledged.
 */
export async function runtimeKills(folder: string, game: string, kills: number): Promise<object> {
  const platform = new Platform(folder, game);
  await platform.start();
  const players = Array.from({ length: 2 * playersEach }, () => new KeyPresser(platform.url));
  for (const player of players) await player.join();
  for (const player of players) player.play(15);
  const acknowledged = () => players.reduce((sum, player) => sum + player.acknowledged, 0);
  const backMs: number[] = [];
  for (let round = 0; round < kills; round++) {
    await wait(300 + Math.random() * 1500);
    await platform.kill();
    await platform.start();
    const start = performance.now();
    const before = players.map((player) => player.acknowledged);
    while (players.some((player, i) => player.acknowledged === before[i])) await wait(20);
    backMs.push(performance.now() - start);
  }
  for (const player of players) player.close();
  await platform.end();
  const lost = players.reduce((sum, player) => sum + player.lost, 0);
  return { kills, acknowledged: acknowledged(), lost, acknowledgedAgainMs: spread(backMs) };
}
