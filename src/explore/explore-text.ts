import type { CoverageReport, Share } from '../scenario/coverage.ts';
import { amount, wrapped } from '../text/words.ts';
import type { Exploration, Unexamined } from './explore.ts';
import type { Progress } from './progress.ts';
import type { ExploreState } from './series.ts';
import type { Finding } from './shrink.ts';
import type { Obstacle } from './unreached.ts';

export interface ExploreReport {
  readonly title: string;
  readonly seed: string;
  readonly rate: number;
  readonly exploration: Exploration;
  /** Totals over all runs of the corpus. */
  readonly progress: Progress;
  readonly coverage: CoverageReport;
  readonly obstacles: readonly Obstacle[];
  /** Findings of earlier runs that still occur, and those that no longer do. */
  readonly standing: readonly string[];
  readonly gone: readonly string[];
  /** The run was ended before its time. */
  readonly isInterrupted: boolean;
  /** The next run goes on with what this one has not replayed. */
  readonly goesOn: boolean;
  /** The files of each finding, and of each sighting that was not replayed. */
  readonly viewCommands: (finding: Finding | Unexamined) => readonly string[];
}

const obstaclesShown = 15;
const unexaminedShown = 12;

export function exploreText(report: ExploreReport, width: number): string {
  const { title, seed, rate, exploration, progress, coverage } = report;
  const { findings, unexamined, unconfirmed } = exploration;
  const lines = [
    title,
    `${amount(progress.next, 'play')}, ${amountOfTime(progress.ticks / rate)} in the game, seed ${seed}; last new coverage after ${newsText(progress, rate)}`,
    '',
    ...sharesOf(coverage).map(([name, share]) => `${name.padEnd(12)}  ${shareText(share)}`),
  ];
  lines.push('');
  for (const text of report.standing) lines.push(`✗ known: ${text}`);
  for (const text of report.gone) lines.push(`✓ gone: ${text}`);
  lines.push(headlineOf(report));
  for (const finding of findings) {
    lines.push(`✗ ${finding.message}`, `    ${findingFacts(finding)}`);
    lines.push(...report.viewCommands(finding).map((line) => `    ${line}`));
  }
  if (unexamined.length > 0) lines.push(unexaminedText(report));
  for (const sighting of unexamined.slice(0, unexaminedShown)) {
    lines.push(`? ${sighting.message}`, `    ${sightingFacts(sighting, rate)}`);
    lines.push(...report.viewCommands(sighting).map((line) => `    ${line}`));
  }
  if (unexamined.length > unexaminedShown)
    lines.push(`and ${unexamined.length - unexaminedShown} more; all with --json`);
  for (const text of unconfirmed) lines.push(`not reproduced by its inputs, please report: ${text}`);
  lines.push('', ...obstacleLines(report.obstacles, width));
  return `${lines.join('\n').trimEnd()}\n`;
}

/** What was found in total. */
export function headlineOf({ exploration, standing, isInterrupted }: ExploreReport): string {
  const { findings, unexamined } = exploration;
  const found =
    findings.length > 0
      ? `${amount(findings.length, 'finding')}, ${findings.length > 1 ? 'each ' : ''}replayed from the start of the game`
      : unexamined.length > 0
        ? 'nothing confirmed'
        : standing.length > 0
          ? 'nothing else found'
          : 'nothing wrong found';
  return isInterrupted ? `interrupted; until then ${found}` : found;
}

export function unexaminedText({ exploration, goesOn }: ExploreReport): string {
  const what = exploration.findings.length > 0 ? 'further sighting' : 'sighting';
  const { length } = exploration.unexamined;
  const next = goesOn ? `; the next run with this corpus replays ${length === 1 ? 'it' : 'them'}` : '';
  return `${amount(length, what)} not confirmed by a replay${next}`;
}

/** `after 4.35 s`. */
export function sightingFacts({ tick }: Unexamined, rate: number): string {
  return `after ${amountOfTime(tick / rate)}`;
}

/** `after 4.35 s with 12 inputs (of 340)`. */
export function findingFacts({ recording, rate, inputsBefore }: Finding): string {
  return `after ${amountOfTime(recording.ticks / rate)} with ${amount(recording.inputs.length, 'input')} (of ${inputsBefore})`;
}

/** The kinds of obstacles in the order of reports. */
export const headingsOf = [
  ['blocked', 'not reached'],
  ['impossible', 'cannot be reached'],
  ['dead', 'started by nothing'],
] as const;

/** Coverage by kind; kinds that the game does not have are left out. */
export function sharesOf({ actions, branches, triggers }: CoverageReport): [name: string, share: Share][] {
  return Object.entries({ actions, branches, triggers }).filter(([, { total }]) => total > 0);
}

const firstPlay = 'first play';

/** `quietMs`: the time since something was covered for the first time. */
export function progressText(
  { phase, ticks, seen, sightings, examined }: ExploreState,
  rate: number,
  quietMs: number,
): string {
  const found = amount(sightings, 'sighting');
  if (phase === 'shrink') return `replaying and shrinking: ${examined} of ${found}`;
  if (ticks === 0) return firstPlay;
  return `${amountOfTime(ticks / rate)} in the game: ${seen} covered, the last ${Math.round(quietMs / 1000)} s ago, ${found}`;
}

/** The same while looking for a way to a goal. */
export function searchProgressText({ phase, ticks, sightings }: ExploreState, rate: number): string {
  if (phase === 'shrink') return 'reached; removing what the play does not need';
  const next = sightings > 0 ? 'reached; looking for a better play' : 'not reached yet';
  return ticks === 0 ? firstPlay : `${amountOfTime(ticks / rate)} in the game: ${next}`;
}

function shareText({ ran, total }: Share): string {
  return `${String(ran).padStart(5)} of ${String(total).padEnd(5)}  ${Math.floor((ran * 100) / total)} %`;
}

function newsText({ newsTicks, ticks }: Progress, rate: number): string {
  return `${amountOfTime(newsTicks / rate)} (${ticks === 0 ? 0 : Math.round((newsTicks * 100) / ticks)} %)`;
}

/** Simulated time: `4.35 s`, `12 min`. */
export function amountOfTime(seconds: number): string {
  if (seconds < 100) return `${Number(seconds.toFixed(2))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function obstacleLines(obstacles: readonly Obstacle[], width: number): string[] {
  const lines: string[] = [];
  for (const [kind, heading] of headingsOf) {
    const ofKind = obstacles.filter((each) => each.kind === kind);
    if (ofKind.length === 0) continue;
    lines.push(
      `${heading}: ${amount(
        ofKind.reduce((sum, { actions }) => sum + actions, 0),
        'action',
      )}`,
    );
    for (const { script, at, actions, needs, notes } of ofKind.slice(0, obstaclesShown)) {
      lines.push(`  ${String(actions).padStart(4)}  "${script}"  ${at}`);
      const needed = kind === 'dead' ? needs : `needs ${needs}`;
      for (const line of wrapped(needed, width - 8)) lines.push(`        ${line}`);
      for (const note of notes) for (const line of wrapped(note, width - 10)) lines.push(`          ${line}`);
    }
    if (ofKind.length > obstaclesShown)
      lines.push(`        and ${ofKind.length - obstaclesShown} more places; all with --json`);
  }
  return lines;
}
