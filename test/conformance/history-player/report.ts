import {
  type Channel,
  type Comparison,
  channels,
  type Difference,
  firstDivergence,
  type OrderDifference,
  percent,
  tickOfOrder,
} from './compare.ts';
import { labelOf, type Step, type Track } from './explain.ts';
import type { HistoryFile, Members, PlayRecord, Sample, TriggerRow } from './history.ts';
import type { Cause, OwnRecord } from './play.ts';

/** The recorded and our own result of a history. */
export interface Played {
  readonly file: HistoryFile;
  readonly expected: PlayRecord;
  readonly got: OwnRecord;
  readonly comparison: Comparison;
  /** How our own state came to the first difference in a sample. */
  readonly track: Track | undefined;
}

/** The result of one history; `error` if it could not be played. */
export type HistoryResult =
  | { readonly game: string; readonly played: Played; readonly error?: undefined }
  | { readonly game: string; readonly error: string; readonly played?: undefined };

/** The percentage of recorded triggers and attributes that must be equal for a history to pass. */
export const passPercent = 99;

export function hasPassed({ played }: HistoryResult): boolean {
  if (played === undefined) return false;
  const { triggers, attributes } = played.comparison.shares;
  return percent(triggers) >= passPercent && percent(attributes) >= passPercent;
}

/** One line with the figures and the first difference. */
export function line(result: HistoryResult): string {
  const { game, played, error } = result;
  if (played === undefined) return `${game}: failed, not played: ${error}`;
  const { shares, rows } = played.comparison;
  const share = (channel: Channel) => `${percent(shares[channel]).toFixed(1)} %`;
  return [
    `${game}: ${hasPassed(result) ? 'passed' : 'failed'}`,
    `triggers ${share('triggers')}`,
    `attributes ${share('attributes')}`,
    `positions ${share('positions')}`,
    `all units ${share('units')}`,
    `order ${rows.equal}/${Math.max(rows.expected, rows.got)}`,
    firstText(played),
  ].join('  ');
}

function firstText({ file: { rates }, comparison, got, track }: Played): string {
  const first = firstDivergence(comparison, rates.ticksPerSecond);
  if (first === undefined) return 'no difference';
  if ('order' in first) {
    const { index, expected, got: own } = first.order;
    const tick = tickOfOrder(first.order);
    const at = Number((tick / rates.ticksPerSecond).toFixed(2));
    const cause = after(got.causes[index] ?? got.causes.at(-1));
    return `first difference at ${at} s (tick ${tick}) trigger ${index + 1}: expected ${rowText(expected)}, got ${rowText(own)}${cause}`;
  }
  const { second, channel } = first.state;
  const within = track === undefined ? '' : ` (ticks ${track.firstTick} to ${track.lastTick})`;
  return `first difference at ${second} s${within} ${channel} ${differenceText(first.state)}${trackText(track)}`;
}

function trackText(track: Track | undefined): string {
  if (track === undefined) return '';
  const changed =
    track.changedIn === undefined ? 'ours did not change' : `ours changed last in tick ${track.changedIn}`;
  return `; ${changed}${after(track.cause)}`;
}

function after(cause: Cause | undefined): string {
  return cause?.action === undefined ? ', before any action' : `, after ${cause.action} of tick ${cause.tick}`;
}

function differenceText({ path, expected, got }: Difference): string {
  return `${path}: expected ${shown(expected)}, got ${shown(got)}`;
}

function rowText(row: TriggerRow | undefined): string {
  if (row === undefined) return 'nothing';
  const about = Object.entries(row.about).map(([name, label]) => `${name} ${label}`);
  const told = about.length === 0 ? '' : ` (${about.join(', ')})`;
  return `${row.kind}${row.self === '' ? '' : ` of ${row.self}`}${told} in tick ${row.tick}`;
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toFixed(4)));
  const json = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'number' ? Number(member.toFixed(4)) : member,
  );
  if (json === undefined) return 'nothing';
  return json.length > 200 ? `${json.slice(0, 200)}…` : json;
}

// The detailed report.

/** Number of rows shown before and after the first difference in the lists of triggers. */
const rowsAround = 6;
/** Maximum number of differences shown per channel. */
const differencesShown = 3;
const countsShown = 12;
/** Maximum number of actions shown per tick. */
const actionsShown = 8;

/** Everything that helps to find the cause of a difference. No lines for a history without differences. */
export function explanation({ played }: HistoryResult): string[] {
  if (played === undefined) return [];
  const { file, expected, got, comparison, track } = played;
  const first = comparison.differences.find(({ read }) => read !== undefined);
  const lines = [
    ...channelLines(comparison),
    ...(comparison.order === undefined ? [] : orderLines(comparison.order, expected, got)),
    ...(first === undefined ? [] : stateLines(first, expected, got)),
    ...(track === undefined ? [] : trackLines(track)),
    ...countLines(file, expected, got),
    ...listed('errors of scripts that the recorded engine reported', file.scriptErrors?.map(errorText)),
    ...listed('exceptions of the recorded engine', file.engineErrors?.map(shown)),
    ...listed('parts that the recording leaves out', file.leftOut === undefined ? [] : [shown(file.leftOut)]),
    ...listed('faults of ours', got.faults),
  ];
  return lines.map((text) => `    ${text}`);
}

function listed(what: string, texts: readonly string[] = []): string[] {
  return texts.length === 0 ? [] : [`${what}:`, ...texts.map((text) => `  ${text}`)];
}

function errorText({ at, count, firstSecond }: NonNullable<HistoryFile['scriptErrors']>[number]): string {
  return `from ${firstSecond} s ${at.length > 200 ? `${at.slice(0, 200)}…` : at} (${count}x)`;
}

function channelLines({ shares, differences }: Comparison): string[] {
  return channels.flatMap((channel) => {
    const { held, made } = shares[channel];
    const own = differences.filter((difference) => difference.channel === channel);
    return [
      `${channel}: ${held} of ${made} hold`,
      ...own.slice(0, differencesShown).map((each) => `  at ${each.second} s ${differenceText(each)}`),
    ];
  });
}

function orderLines({ index }: OrderDifference, expected: PlayRecord, got: OwnRecord): string[] {
  const from = Math.max(0, index - rowsAround);
  const to = index + rowsAround;
  const side = (rows: readonly TriggerRow[], cause: (at: number) => string) =>
    rows.slice(from, to).map((row, offset) => {
      const at = from + offset;
      return `  ${at === index ? '>' : ' '} ${at + 1} ${rowText(row)}${cause(at)}`;
    });
  return [
    `triggers around row ${index + 1}, expected:`,
    ...side(expected.triggers, () => ''),
    'got:',
    ...side(got.triggers, (at) => after(got.causes[at])),
  ];
}

/** The unit or player of a difference, on both sides, at its second and at the one before. */
function stateLines(difference: Difference, expected: PlayRecord, got: OwnRecord): string[] {
  const { second } = difference;
  const label = labelOf(difference);
  if (label === undefined) return [];
  const of = (samples: readonly Sample[], at: number): Members | undefined => {
    const sample = samples.find((each) => each.second === at);
    return sample?.units.get(label) ?? sample?.players.get(label);
  };
  return [second - 1, second]
    .filter((at) => at >= 0)
    .flatMap((at) => [
      `${label} at ${at} s expected: ${shown(of(expected.samples, at))}`,
      `${label} at ${at} s got:      ${shown(of(got.samples, at))}`,
    ]);
}

function trackLines({ steps, changedIn, cause }: Track): string[] {
  return [
    `ours, tick by tick (last change: ${changedIn === undefined ? 'none' : `tick ${changedIn}`}${after(cause)}):`,
    ...steps.flatMap(({ tick, value, motion, actions }) => [
      `  ${tick}: ${shown(value)}${motion === undefined ? '' : `  ${shown(motion)}`}`,
      ...grouped(actions).map((text) => `      ${text}`),
    ]),
  ];
}

/** Each action with its count, in order of its first occurrence. */
function grouped(actions: Step['actions']): string[] {
  const counts = new Map<string, number>();
  for (const action of actions) counts.set(action, (counts.get(action) ?? 0) + 1);
  const texts = Array.from(counts, ([action, count]) => (count === 1 ? action : `${action} (${count}x)`));
  if (texts.length <= actionsShown) return texts;
  return [...texts.slice(0, actionsShown), `and ${texts.length - actionsShown} other actions`];
}

/**
 * Scripts and actions whose counts differ. Recordings count whole games, so there is nothing to compare for a part of
 * one.
 */
function countLines(file: HistoryFile, expected: PlayRecord, got: OwnRecord): string[] {
  if (got.samples.at(-1)?.second !== file.seconds) return [];
  const lines = (what: string, theirs: ReadonlyMap<string, number>, ours: ReadonlyMap<string, number>) => {
    const differing = [...new Set([...theirs.keys(), ...ours.keys()])]
      .map((key) => [key, theirs.get(key) ?? 0, ours.get(key) ?? 0] as const)
      .filter(([, want, have]) => want !== have)
      .sort((a, b) => Math.abs(b[1] - b[2]) - Math.abs(a[1] - a[2]));
    if (differing.length === 0) return [];
    return [
      `${what} that ran another number of times: ${differing.length}`,
      ...differing.slice(0, countsShown).map(([key, want, have]) => `  ${key}: expected ${want}, got ${have}`),
    ];
  };
  return [...lines('scripts', expected.scripts, got.scripts), ...lines('actions', expected.actions, got.actions)];
}
