/**
 * `node dist/bench/capacity.js [--game infection] [--players 1000000]`: what so many players need, from what was measured last
 * (`npm run bench -- server-load shared-journal --save`). docs/scaling.md holds its tables, and a test compares them.
 */
import { pathToFileURL } from 'node:url';
import { badCommandLine, commandLine, positive } from './command-line.ts';
import { type Entry, readHistory } from './history.ts';

/** One line of what was measured on a real server: a game, a rate, a number of players. */
export interface Measured {
  readonly game: string;
  /** Ticks a second. */
  readonly rate: number;
  readonly players: number;
  readonly rooms: number;
  /** Of one core, for all of these players. */
  readonly cpuPercent: number;
  /** Payload of one client. */
  readonly bytesPerSecond: number;
  /** Of one room. */
  readonly journalBytesPerSecond: number;
  readonly snapshotBytes: number;
  /** Of the whole process. */
  readonly memoryMb: number;
}

/** The cost of one room in a Redis that holds its journal. */
export interface MeasuredRedis {
  readonly playersPerRoom: number;
  readonly operationsPerSecond: number;
  readonly bytesInPerSecond: number;
  readonly memoryMb: number;
  /** Of one core of the machine of Redis. */
  readonly cpuPercent: number;
}

/** The resources of a machine, and the used share. */
export interface Machine {
  readonly cores: number;
  readonly gigabitsPerSecond: number;
  readonly memoryGb: number;
  /** The rate at which a disk stores for good. */
  readonly diskMbPerSecond: number;
  /** Share of each that is filled at most. */
  readonly filled: number;
}

export const machine: Machine = { cores: 16, gigabitsPerSecond: 10, memoryGb: 64, diskMbPerSecond: 200, filled: 0.7 };

/** Headers of IP and TCP with time stamps, and of the frame of a WebSocket, for each message; every second one is acknowledged. */
const overheadBytes = 20 + 32 + 4 + 52 / 2;
/** Resident memory of a server without players: the program, and what is compiled once for all rooms. */
const emptyMb = 150;
const snapshotSeconds = 10;

/** The capacity of one Redis, which works on one core. */
const redisMemoryGb = 32;

/** How many such rooms one Redis holds, and what ends it. */
export function redisFor({ cpuPercent, memoryMb }: MeasuredRedis, filled: number) {
  const byProcessor = (100 * filled) / cpuPercent;
  const byMemory = (redisMemoryGb * 1000 * filled) / memoryMb;
  return { rooms: Math.floor(Math.min(byProcessor, byMemory)), first: byMemory < byProcessor ? 'memory' : 'processor' };
}

/** The needs of the journals of so many players, in a table in Markdown. */
export function redisText(redis: MeasuredRedis, players: readonly number[], { filled }: Machine = machine): string {
  const { rooms: held, first } = redisFor(redis, filled);
  const head = ['players', 'rooms', 'operations/s', 'MB/s to Redis', 'memory GB', 'Redis', 'first to run out'];
  const rows = players.map((count) => {
    const rooms = Math.ceil(count / redis.playersPerRoom);
    const need = [
      rooms * redis.operationsPerSecond,
      (rooms * redis.bytesInPerSecond) / 1e6,
      (rooms * redis.memoryMb) / 1000,
    ];
    return [...[count, rooms, ...need, Math.max(1, Math.ceil(rooms / held))].map(figure), first];
  });
  return tableOf(head, rows);
}

export function measuredRedisOf({ rows }: Entry): MeasuredRedis {
  const row = rows.at(-1);
  if (row === undefined) throw new Error('Nothing was measured of Redis.');
  return {
    playersPerRoom: Number(row['players a room']),
    operationsPerSecond: Number(row['operations/s a room']),
    bytesInPerSecond: Number(row['B/s in a room']),
    memoryMb: Number(row['Redis MB a room']),
    cpuPercent: Number(row['CPU % of Redis a room']),
  };
}

/** Players of the table in docs/scaling.md. */
export const redisPlayers = [1000, 10_000, 100_000, 1_000_000];

export interface Need {
  readonly rooms: number;
  readonly cores: number;
  readonly gigabitsPerSecond: number;
  readonly memoryGb: number;
  readonly journalMbPerSecond: number;
}

/** The needs of players that are all like those that were measured. */
export function needOf(players: number, measured: Measured): Need {
  const {
    rate,
    rooms: measuredRooms,
    cpuPercent,
    bytesPerSecond,
    journalBytesPerSecond,
    snapshotBytes,
    memoryMb,
  } = measured;
  const rooms = Math.ceil((players * measuredRooms) / measured.players);
  const kept = journalBytesPerSecond + snapshotBytes / snapshotSeconds;
  return {
    rooms,
    cores: ((cpuPercent / 100) * players) / measured.players,
    gigabitsPerSecond: (players * (bytesPerSecond + rate * overheadBytes) * 8) / 1e9,
    memoryGb: (rooms * Math.max(1, memoryMb - emptyMb)) / measuredRooms / 1000,
    journalMbPerSecond: (rooms * kept) / 1e6,
  };
}

/** The needs, divided by the resources of one machine. */
function sharesOf(need: Need, { cores, gigabitsPerSecond, memoryGb, diskMbPerSecond }: Machine) {
  return {
    processor: need.cores / cores,
    network: need.gigabitsPerSecond / gigabitsPerSecond,
    memory: need.memoryGb / memoryGb,
    disk: need.journalMbPerSecond / diskMbPerSecond,
  };
}

/** Machines by what runs out first. */
export function machinesFor(need: Need, given: Machine): { readonly machines: number; readonly first: string } {
  const [first, share] = Object.entries(sharesOf(need, given)).reduce((a, b) => (b[1] > a[1] ? b : a));
  return { machines: Math.max(1, Math.ceil(share / given.filled - 1e-9)), first };
}

/** Players that one machine holds. */
export function playersOf(measured: Measured, given: Machine): number {
  return Math.floor((1e6 * given.filled) / Math.max(...Object.values(sharesOf(needOf(1e6, measured), given))));
}

export function measuredOf({ rows }: Entry): Measured[] {
  return rows.map((row) => ({
    game: String(row['game']),
    rate: Number(row['rate']),
    players: Number(row['players']),
    rooms: Number(row['rooms']),
    cpuPercent: Number(row['CPU %']),
    bytesPerSecond: Number(row['B/client/s']),
    journalBytesPerSecond: Number(row['journal B/s a room']),
    snapshotBytes: Number(row['snapshot B']),
    memoryMb: Number(row['MB']),
  }));
}

const figure = (value: number): string => {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(0) : Number(value.toPrecision(2)).toString();
};

/** A table in Markdown: what one machine holds, and what 1, 10, 100 and 1000 times as many players need. */
export function capacityText(measured: Measured, given: Machine = machine, players?: number): string {
  const one = playersOf(measured, given);
  const steps = players === undefined ? [one, one * 10, one * 100, one * 1000, 1_000_000] : [players];
  const head = ['players', 'rooms', 'cores', 'Gbit/s', 'memory GB', 'journal MB/s', 'machines', 'first to run out'];
  const rows = steps.map((count) => {
    const need = needOf(count, measured);
    const { machines, first } = machinesFor(need, given);
    const { rooms, cores, gigabitsPerSecond, memoryGb, journalMbPerSecond } = need;
    return [...[count, rooms, cores, gigabitsPerSecond, memoryGb, journalMbPerSecond, machines].map(figure), first];
  });
  return tableOf(head, rows);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}

/** The line for a game: most players of those that were measured. */
export function lineFor(entry: Entry, game: string, rate: number): Measured | undefined {
  const lines = measuredOf(entry).filter((each) => each.game === game && each.rate === rate);
  return lines.sort((a, b) => a.players - b.players).at(-1);
}

function main(): void {
  const { values } = commandLine({
    options: {
      game: { type: 'string' },
      rate: { type: 'string' },
      players: { type: 'string' },
      cores: { type: 'string' },
    },
  });
  const { game = 'infection' } = values;
  const rate = positive('rate', values.rate ?? '20');
  const given = { ...machine, cores: positive('cores', values.cores ?? String(machine.cores)) };
  const players = values.players === undefined ? undefined : positive('players', values.players);
  const entry = readHistory('bench/results', 'server-load').entries.at(-1);
  if (entry === undefined) badCommandLine('Nothing was measured: npm run bench -- server-load --save');
  const line = lineFor(entry, game, rate);
  if (line === undefined) badCommandLine(`Nothing was measured of ${game} at ${rate} ticks a second.`);
  process.stdout.write(
    `${line.game} at ${line.rate} ticks a second, as measured with ${line.players} players in ${line.rooms} rooms at ${entry.commit}\n\n${capacityText(line, given, players)}`,
  );
  const shared = readHistory('bench/results', 'shared-journal').entries.at(-1);
  if (shared === undefined) return;
  const redis = measuredRedisOf(shared);
  process.stdout.write(
    `\nwith rooms of ${redis.playersPerRoom} in Redis, as measured at ${shared.commit}\n\n${redisText(redis, players === undefined ? redisPlayers : [players], given)}`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '.').href) main();
