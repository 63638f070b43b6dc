import { isNotANumber, isRecord } from '../trace-player/difference.ts';
import { type Members, type PlayRecord, type Sample, secondOf, type TriggerRow } from './history.ts';

/**
 * Channels of a comparison. Of several differences in one second, that of the first channel in this list is reported.
 */
export const channels = [
  'triggers',
  'counts',
  'attributes',
  'positions',
  'units',
  'slots',
  'players',
  'variables',
] as const;
export type Channel = (typeof channels)[number];

/** A difference, with the second in which it occurs. */
export interface Difference {
  readonly second: number;
  readonly channel: Channel;
  /** `u3.attributes.health`, `variables.state`, `counts.unit:bear`, `global secondTick`. */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
  /** Reads the same value from any sample; undefined for counts of triggers, which samples do not contain. */
  readonly read: Reader | undefined;
}

type Reader = (sample: Sample) => unknown;

/** The first difference between the lists of triggers. */
export interface OrderDifference {
  /** The number of equal rows from the start. */
  readonly index: number;
  /** Undefined if the list has ended. */
  readonly expected: TriggerRow | undefined;
  readonly got: TriggerRow | undefined;
}

export interface Comparison {
  /** How many comparisons were made, and how many were equal. */
  readonly shares: Readonly<Record<Channel, { readonly held: number; readonly made: number }>>;
  /** In order of time. */
  readonly differences: readonly Difference[];
  readonly rows: { readonly equal: number; readonly expected: number; readonly got: number };
  readonly order: OrderDifference | undefined;
}

/** Compares what our engine did with a recording, second by second and row by row. */
export function compareRecords(expected: PlayRecord, got: PlayRecord, ticksPerSecond: number): Comparison {
  const tally = new Tally();
  compareTriggerCounts(expected, got, ticksPerSecond, tally);
  expected.samples.forEach((sample, index) => {
    const own = got.samples[index];
    if (own === undefined) throw new Error(`There is no sample of our own for second ${sample.second}.`);
    compareSample(sample, own, tally);
  });
  const equal = rowsEqual(expected.triggers, got.triggers);
  const [theirs, ours] = [expected.triggers[equal], got.triggers[equal]];
  return {
    shares: tally.shares,
    differences: tally.sorted(),
    rows: { equal, expected: expected.triggers.length, got: got.triggers.length },
    order: theirs === undefined && ours === undefined ? undefined : { index: equal, expected: theirs, got: ours },
  };
}

/** A percentage; 100 if there is nothing to compare. */
export function percent({ held, made }: { readonly held: number; readonly made: number }): number {
  return made === 0 ? 100 : (100 * held) / made;
}

class Tally {
  readonly shares = Object.fromEntries(channels.map((channel) => [channel, { held: 0, made: 0 }])) as Record<
    Channel,
    { held: number; made: number }
  >;
  private readonly differences: Difference[] = [];

  values(
    channel: Channel,
    path: string,
    [theirs, ours]: readonly [Sample, Sample],
    read: Reader,
    same: (expected: unknown, got: unknown) => boolean = sameValue,
  ): void {
    const [expected, got] = [read(theirs), read(ours)];
    this.count({ channel, second: theirs.second, path, expected, got, read }, same(expected, got));
  }

  count(difference: Difference, holds: boolean): void {
    const share = this.shares[difference.channel];
    share.made++;
    if (holds) share.held++;
    else this.differences.push(difference);
  }

  sorted(): Difference[] {
    return this.differences.sort(
      (a, b) => a.second - b.second || channels.indexOf(a.channel) - channels.indexOf(b.channel),
    );
  }
}

function compareTriggerCounts(expected: PlayRecord, got: PlayRecord, rate: number, tally: Tally): void {
  const theirs = countsOf(expected, rate);
  const ours = countsOf(got, rate);
  for (const [key, { second, kind }] of new Map([...theirs.seen, ...ours.seen])) {
    const [want, have] = [theirs.counts.get(key) ?? 0, ours.counts.get(key) ?? 0];
    const difference = { channel: 'triggers', second, path: kind, expected: want, got: have, read: undefined } as const;
    tally.count(difference, want === have);
  }
}

function countsOf({ triggers, frameTicks }: PlayRecord, rate: number) {
  const counts = new Map<string, number>();
  const seen = new Map<string, { readonly second: number; readonly kind: string }>();
  const add = (second: number, kind: string, count: number) => {
    if (count === 0) return;
    const key = `${second} ${kind}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
    seen.set(key, { second, kind });
  };
  for (const { tick, kind } of triggers) add(secondOf(tick, rate), kind, 1);
  for (const [kind, list] of frameTicks) for (const [second, count] of list.entries()) add(second, kind, count);
  return { counts, seen };
}

function compareSample(expected: Sample, got: Sample, tally: Tally): void {
  const pair = [expected, got] as const;
  /** Every key that one of two records has. */
  const each = (channel: Channel, path: string, read: (sample: Sample) => Readonly<Record<string, unknown>>) => {
    for (const key of union(Object.keys(read(expected)), Object.keys(read(got)))) {
      tally.values(channel, `${path}${key}`, pair, (sample) => read(sample)[key]);
    }
  };
  each('counts', 'counts.', ({ counts }) => counts);
  each('variables', 'variables.', ({ variables }) => variables);

  for (const label of union(expected.players.keys(), got.players.keys())) {
    each('attributes', `${label}.attributes.`, ({ players }) => players.get(label)?.attributes ?? {});
    tally.values('players', label, pair, ({ players }) => withoutAttributes(players.get(label)));
  }

  for (const label of union(expected.units.keys(), got.units.keys())) {
    const unit = ({ units }: Sample) => units.get(label);
    const [theirs, ours] = [unit(expected), unit(got)];
    if (isOwned(theirs)) each('attributes', `${label}.attributes.`, (sample) => unit(sample)?.attributes ?? {});
    if (isOwned(theirs) || isOwned(ours)) {
      tally.values('positions', `${label}.at`, pair, (sample) => unit(sample)?.at, isNear);
      if (theirs !== undefined && ours !== undefined) {
        tally.values('slots', `${label}.slots`, pair, (sample) => unit(sample)?.slots);
      }
    }
    const member = differingMember(theirs, ours);
    const read = (sample: Sample) => (member === undefined ? placeOf(unit(sample)) : unit(sample)?.[member]);
    const path = member === undefined ? label : `${label}.${member}`;
    tally.values('units', path, pair, read, () => member === undefined && theirs !== undefined && ours !== undefined);
  }
}

function union(a: Iterable<string>, b: Iterable<string>): Set<string> {
  return new Set([...a, ...b]);
}

function withoutAttributes(members: Members | undefined): unknown {
  if (members === undefined) return undefined;
  const { attributes: _, ...others } = members;
  return others;
}

/** Matches the label of a human player. Computer players have `c1` and so on. */
function isOwned(unit: Members | undefined): boolean {
  return typeof unit?.owner === 'string' && unit.owner.startsWith('p');
}

function placeOf(unit: Members | undefined): unknown {
  return unit && { type: unit.type, owner: unit.owner, at: unit.at };
}

/** The first difference in a unit that both sides have. */
function differingMember(expected: Members | undefined, got: Members | undefined): 'type' | 'owner' | 'at' | undefined {
  if (expected === undefined || got === undefined) return undefined;
  if (expected.type !== got.type) return 'type';
  if (expected.owner !== got.owner) return 'owner';
  return isNear(expected.at, got.at) ? undefined : 'at';
}

const nearPx = 1;

function isNear(expected: unknown, got: unknown): boolean {
  if (!Array.isArray(expected) || !Array.isArray(got)) return false;
  return Math.hypot(Number(expected[0]) - Number(got[0]), Number(expected[1]) - Number(got[1])) <= nearPx;
}

const tolerance = 1e-3;

/** Whether two values are the same. A numeric string equals its number, and an empty string counts as undefined. */
export function sameValue(expected: unknown, got: unknown): boolean {
  if (isNotANumber(expected)) return isNotANumber(got);
  const [a, b] = [plain(expected), plain(got)];
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= tolerance || a === b;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((member, index) => sameValue(member, b[index]));
  }
  if (isRecord(a) && isRecord(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameValue(a[key], b[key]));
  }
  return a === b;
}

function plain(value: unknown): unknown {
  if (value === null || value === undefined || value === '' || value === '$undefined') return undefined;
  // JSON has null for it.
  if (isNotANumber(value)) return undefined;
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  return value;
}

/** The number of equal rows from the start: same kind, same listener, and ticks that differ by at most one. */
function rowsEqual(expected: readonly TriggerRow[], got: readonly TriggerRow[]): number {
  let index = 0;
  while (index < expected.length && index < got.length && sameRow(expected[index]!, got[index]!)) index++;
  return index;
}

function sameRow(expected: TriggerRow, got: TriggerRow): boolean {
  return expected.kind === got.kind && expected.self === got.self && Math.abs(expected.tick - got.tick) <= 1;
}

/** The first difference: a row in the list of triggers, which has a tick, or a value at the end of a second. */
export function firstDivergence(
  { differences, order }: Comparison,
  ticksPerSecond: number,
): { readonly order: OrderDifference } | { readonly state: Difference } | undefined {
  const state = differences[0];
  if (order === undefined) return state && { state };
  return state !== undefined && state.second < secondOf(tickOfOrder(order), ticksPerSecond) ? { state } : { order };
}

/** The tick of the earlier of the two rows. */
export function tickOfOrder({ expected, got }: OrderDifference): number {
  return Math.min(expected?.tick ?? Number.POSITIVE_INFINITY, got?.tick ?? Number.POSITIVE_INFINITY);
}
