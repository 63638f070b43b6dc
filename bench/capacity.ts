/**
 * `node dist/bench/capacity.js [--game infection] [--players 1000000]`: computes the resources that a number of players
 * needs, from the last measurements (`npm run bench -- server-load shared-journal --save`). A test compares the result
 * with the tables in docs/scaling.md.
 */
import { pathToFileURL } from 'node:url';
import { badCommandLine, commandLine, positive } from './command-line.ts';
import { type Entry, readHistory } from './history.ts';

/** A measurement on a real server: a game, a rate and a number of players. */
export interface Measured {
  readonly game: string;
  /** Ticks per second. */
  readonly rate: number;
  readonly players: number;
  readonly rooms: number;
  /** Percent of one core, for all of these players. */
  readonly cpuPercent: number;
  /** The payload for one client. */
  readonly bytesPerSecond: number;
  /** For one room. */
  readonly journalBytesPerSecond: number;
  readonly snapshotBytes: number;
  /** For the whole process. */
  readonly memoryMb: number;
}

/** The cost of one room in a Redis that holds its journal. */
export interface MeasuredRedis {
  readonly playersPerRoom: number;
  readonly operationsPerSecond: number;
  readonly bytesInPerSecond: number;
  readonly memoryMb: number;
  /** Percent of one core of the Redis machine. */
  readonly cpuPercent: number;
}

/** The resources of a machine, and the fraction of them to use. */
export interface Machine {
  readonly cores: number;
  readonly gigabitsPerSecond: number;
  readonly memoryGb: number;
  /** The rate at which a disk writes durably. */
  readonly diskMbPerSecond: number;
  /** The maximum fraction of each resource to use. */
  readonly filled: number;
}

export const machine: Machine = { cores: 16, gigabitsPerSecond: 10, memoryGb: 64, diskMbPerSecond: 200, filled: 0.7 };

/**
 * The overhead per message: IP and TCP headers with timestamps, the WebSocket frame, and an ACK for every second
 * message.
 */
const overheadBytes = 20 + 32 + 4 + 52 / 2;
/** Resident memory, in MB, of a server without players: the program, and what is compiled once for all rooms. */
const emptyMb = 150;
const snapshotSeconds = 10;

/** The memory of one Redis, which uses one core. */
const redisMemoryGb = 32;

/** How many such rooms one Redis can hold, and which resource runs out first. */
export function redisFor({ cpuPercent, memoryMb }: MeasuredRedis, filled: number) {
  const byProcessor = (100 * filled) / cpuPercent;
  const byMemory = (redisMemoryGb * 1000 * filled) / memoryMb;
  return { rooms: Math.floor(Math.min(byProcessor, byMemory)), first: byMemory < byProcessor ? 'memory' : 'processor' };
}

/** The resources for the journals of these numbers of players, as a Markdown table. */
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

/** The numbers of players in the table of docs/scaling.md. */
export const redisPlayers = [1000, 10_000, 100_000, 1_000_000];

export interface Need {
  readonly rooms: number;
  readonly cores: number;
  readonly gigabitsPerSecond: number;
  readonly memoryGb: number;
  readonly journalMbPerSecond: number;
}

/** The resources that this many players need, if they play like those that were measured. */
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

/** The resources needed, as multiples of one machine. */
function sharesOf(need: Need, { cores, gigabitsPerSecond, memoryGb, diskMbPerSecond }: Machine) {
  return {
    processor: need.cores / cores,
    network: need.gigabitsPerSecond / gigabitsPerSecond,
    memory: need.memoryGb / memoryGb,
    disk: need.journalMbPerSecond / diskMbPerSecond,
  };
}

/** The number of machines, and the resource that runs out first. */
export function machinesFor(need: Need, given: Machine): { readonly machines: number; readonly first: string } {
  const [first, share] = Object.entries(sharesOf(need, given)).reduce((a, b) => (b[1] > a[1] ? b : a));
  return { machines: Math.max(1, Math.ceil(share / given.filled - 1e-9)), first };
}

/** The number of players that one machine can hold. */
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

/** A Markdown table: what one machine holds, and what 1, 10, 100 and 1000 times as many players need. */
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

/** The measurement for a game with the most players. */
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
