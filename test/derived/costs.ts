/**
 * What players cost a month: on Durable Objects, by their published prices, and on machines, by measurements of the
 * benchmark `colyseus`. The results are in docs/durable-objects.md and docs/colyseus.md.
 */
import type { Entry } from '../../bench/history.ts';

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const hoursPerMonth = 730;
/** The hours a day of a game that is not played around the clock. */
const eveningHours = 3;

/** USD, as found in November 2026 at https://developers.cloudflare.com/durable-objects/platform/pricing. */
const platform = {
  plan: 5,
  gigabyteSecond: { price: 12.5e-6, included: 400_000 },
  rowWritten: { price: 1e-6, included: 50e6 },
  request: { price: 0.15e-6, included: 1e6 },
  /** The memory for which an object is billed while it is in memory, whatever it uses. */
  gigabytes: 0.128,
  messagesPerRequest: 20,
};

/** What a player sends in a second: the inputs of the benchmarks' players, acknowledgements of frames, and pings. */
const messagesPerSecond = 15 + 1 + 0.5;

interface ObjectRoom {
  /** Ticks per second. */
  readonly rate?: number;
  readonly journalMs?: number;
  readonly snapshotSeconds?: number;
}

/**
 * The rows that a played room writes in an hour. Each row of ticks and each snapshot is written once and deleted once;
 * a group of ticks begins with the first tick after the former group was written. An alarm is set each minute.
 */
export function rowsPerHour({ rate = 20, journalMs = 250, snapshotSeconds = 10 }: ObjectRoom = {}): number {
  const groups = 3_600_000 / (journalMs + 1000 / rate);
  return 2 * (groups + 3600 / snapshotSeconds) + 60;
}

/** What a number of rooms with players uses in a number of hours. */
function usage(rooms: number, players: number, hours: number, room: ObjectRoom) {
  return {
    gigabyteSeconds: rooms * hours * 3600 * platform.gigabytes,
    rows: rooms * hours * rowsPerHour(room),
    requests: (players * hours * 3600 * messagesPerSecond) / platform.messagesPerRequest,
  };
}

/** The bill of a month, USD. */
function monthOfObjects(players: number, playersEach: number, hoursPerDay: number, room: ObjectRoom): number {
  const hours = (hoursPerMonth * hoursPerDay) / 24;
  const { gigabyteSeconds, rows, requests } = usage(Math.ceil(players / playersEach), players, hours, room);
  const beyond = (used: number, { price, included }: { price: number; included: number }): number =>
    Math.max(0, used - included) * price;
  return (
    platform.plan +
    beyond(gigabyteSeconds, platform.gigabyteSecond) +
    beyond(rows, platform.rowWritten) +
    beyond(requests, platform.request)
  );
}

/** Three digits, because the assumptions are no more precise. */
const figure = (value: number): string => {
  const rounded = Number(value.toPrecision(value < 1 ? 2 : 3));
  return rounded >= 1000 ? rounded.toLocaleString('en') : String(rounded);
};

/** An hour of a room with twenty players. */
export function roomHour(): Table {
  const { gigabyteSecond, rowWritten, request } = platform;
  const [often, seldom] = [{ journalMs: 250 }, { journalMs: 1000 }].map((room) => usage(1, 20, 1, room));
  const line = (name: string, amount: number, unit: string, price: number): string[] => [
    name,
    `${figure(amount)} ${unit}`,
    figure(amount * price),
  ];
  return {
    head: ['one hour of a room with 20 players at 20 Hz', 'amount', 'USD'],
    rows: [
      line('duration', often!.gigabyteSeconds, 'GB-s', gigabyteSecond.price),
      line('rows, `journalMs: 250`', often!.rows, 'rows', rowWritten.price),
      line('rows, `journalMs: 1000`', seldom!.rows, 'rows', rowWritten.price),
      line('messages, 16.5 a second from each player', often!.requests, 'requests', request.price),
    ],
  };
}

/** Bills by players and rooms. */
export function objectBills(): Table {
  const rows = [40, 200, 1000].flatMap((players) =>
    [8, 20, 40].map((each) => [
      players.toLocaleString('en'),
      String(each),
      String(Math.ceil(players / each)),
      ...[eveningHours, 24].flatMap((hours) =>
        [250, 1000].map((journalMs) => figure(monthOfObjects(players, each, hours, { journalMs }))),
      ),
    ]),
  );
  const head = ['players at a time', 'in rooms of', 'rooms', `${eveningHours} hours a day`, '`journalMs: 1000`'];
  return { head: [...head, 'day and night', '`journalMs: 1000`'], rows };
}

/** USD of a month. */
interface Host {
  readonly name: string;
  readonly machines: (cores: number) => number;
  readonly traffic: (gigabytes: number, cores: number) => number;
}

/** AWS, us-east-1, June 2026: `m7g.large` by the hour, and its two prices for traffic. */
const aws: Host = {
  name: 'AWS',
  machines: (cores) => ((cores * 0.0816) / 2) * hoursPerMonth,
  traffic: (gigabytes) => Math.min(gigabytes, 10_000) * 0.09 + Math.max(0, gigabytes - 10_000) * 0.085,
};

const dollarsPerEuro = 1.1133;
/** Hetzner, Germany, October 2026: whole machines `CCX13` with two cores, which include 20 TB each. */
const hetzner: Host = {
  name: 'Hetzner',
  machines: (cores) => Math.ceil(cores / 2) * 42.99 * dollarsPerEuro,
  traffic: (gigabytes, cores) => Math.max(0, gigabytes / 1000 - Math.ceil(cores / 2) * 20) * 1 * dollarsPerEuro,
};

/** The fraction of a processor to use. */
const filled = 0.7;

/** What a thousand players need whose rooms were measured. */
function needOf({ rows }: Entry, room: string, hoursPerDay: number) {
  const playersEach = 40;
  const row = rows.find((each) => each['room'] === room && each['players'] === playersEach);
  if (row === undefined) throw new Error(`Nothing was measured of ${room}.`);
  return {
    gigabytes: (Number(row['B/client/s']) * 1000 * 3600 * hoursPerMonth * hoursPerDay) / 24 / 1e9,
    cores: ((Number(row['CPU %']) / 100) * 1000) / playersEach / filled,
  };
}

const measuredRooms = ['reenactRoom', 'state of Colyseus'];

/** A thousand players who play day and night, in rooms of both kinds. */
export function machineBills(entry: Entry): Table {
  const head = ['room', 'sent', 'cores'];
  for (const { name } of [aws, hetzner]) head.push(`${name}: traffic`, 'processor', 'together');
  const rows = measuredRooms.map((room) => {
    const { gigabytes, cores } = needOf(entry, room, 24);
    const bills = [aws, hetzner].flatMap(({ machines, traffic }) => {
      const parts = [traffic(gigabytes, cores), machines(cores)];
      return [...parts, parts[0]! + parts[1]!].map((dollars) => `${figure(dollars)} USD`);
    });
    return [room, `${figure(gigabytes)} GB`, cores.toFixed(1), ...bills];
  });
  return { head, rows };
}

/** A thousand players in rooms of forty: as objects, and on machines. Machines are paid while nobody plays, too. */
export function thousandPlayers(entry: Entry): Table {
  const objects = [250, 1000].map((journalMs) => [
    `Durable Objects, \`journalMs: ${journalMs}\``,
    ...[eveningHours, 24].map((hours) => figure(monthOfObjects(1000, 40, hours, { journalMs }))),
  ]);
  const machines = measuredRooms.flatMap((room) =>
    [aws, hetzner].map((host) => [
      `${room === 'reenactRoom' ? 'Reenact' : 'Colyseus with its state'} on machines of ${host.name}`,
      ...[eveningHours, 24].map((hours) => {
        const { gigabytes, cores } = needOf(entry, room, hours);
        return figure(host.machines(cores) + host.traffic(gigabytes, cores));
      }),
    ]),
  );
  return {
    head: ['a thousand players in rooms of 40, USD a month', `${eveningHours} hours a day`, 'day and night'],
    rows: [...objects, ...machines],
  };
}
