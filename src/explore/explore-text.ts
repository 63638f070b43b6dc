import { amount } from '../text/index.ts';
import type { Exploration, Unexamined } from './explore.ts';
import type { Finding } from './finding/shrink.ts';
import type { ExploreState } from './searching/campaign.ts';

export interface ExploreReport {
  readonly title: string;
  readonly seed: string;
  readonly rate: number;
  readonly exploration: Exploration;
  /** The number of plays, and of ticks, in all runs that used this corpus. */
  readonly plays: number;
  readonly ticks: number;
  /** Findings of earlier runs that still occur, and those that no longer do. */
  readonly standing: readonly string[];
  readonly gone: readonly string[];
  /** The number of known findings that there was no time to replay. */
  readonly untried: number;
  /** Whether the run was stopped before its budget was used up. */
  readonly isInterrupted: boolean;
  /** Whether the next run will replay the sightings that this run did not. */
  readonly goesOn: boolean;
  /** The number of transitions between states of the game, and those that did not happen in this run, as text. */
  readonly transitions: number;
  readonly missing: readonly string[];
  /** The commands that show the play of a finding, or of a sighting that was not replayed. */
  readonly viewCommands: (finding: Finding | Unexamined) => readonly string[];
}

const unexaminedShown = 12;
const missingShown = 5;

export function exploreText(report: ExploreReport): string {
  const { title, seed, rate, exploration, plays, ticks, transitions, missing } = report;
  const { findings, unexamined, unconfirmed } = exploration;
  const lines = [title, `${amount(plays, 'play')}, ${amountOfTime(ticks / rate)} in the game, seed ${seed}`, ''];
  for (const text of report.standing) lines.push(`✗ known: ${text}`);
  for (const text of report.gone) lines.push(`✓ gone: ${text}`);
  if (report.untried > 0) lines.push(`? ${amount(report.untried, 'known finding')} not replayed for lack of time`);
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
    lines.push(`and ${unexamined.length - unexaminedShown} more; --json lists all of them`);
  if (missing.length > 0) {
    lines.push(`${missing.length} of ${amount(transitions, 'transition')} between states did not happen in this run`);
    lines.push(...missing.slice(0, missingShown).map((text) => `    ${text}`));
  }
  for (const text of unconfirmed)
    lines.push(`not reproducible from its inputs, which is a bug in Reenact; please report: ${text}`);
  return `${lines.join('\n')}\n`;
}

/** The headline of the report: how much was found. */
function headlineOf({ exploration, standing, untried, isInterrupted }: ExploreReport): string {
  const { findings, unexamined } = exploration;
  const found =
    findings.length > 0
      ? `${amount(findings.length, 'finding')}, ${findings.length > 1 ? 'each ' : ''}replayed from the start of the game`
      : unexamined.length > 0
        ? 'nothing confirmed'
        : standing.length + untried > 0
          ? 'nothing else found'
          : 'nothing wrong found';
  return isInterrupted ? `interrupted; until then ${found}` : found;
}

function unexaminedText({ exploration, goesOn }: ExploreReport): string {
  const what = exploration.findings.length > 0 ? 'further sighting' : 'sighting';
  const { length } = exploration.unexamined;
  const next = goesOn ? `; the next run with this corpus replays ${length === 1 ? 'it' : 'them'}` : '';
  return `${amount(length, what)} not confirmed by a replay${next}`;
}

/** When a sighting occurred, as text: `after 4.35 s`. */
export function sightingFacts({ tick }: Unexamined, rate: number): string {
  return `after ${amountOfTime(tick / rate)}`;
}

/** When a finding occurs, and with how many inputs, as text: `after 4.35 s with 12 inputs (of 340)`. */
function findingFacts({ recording, rate, inputsBefore }: Finding): string {
  return `after ${amountOfTime(recording.ticks / rate)} with ${amount(recording.inputs.length, 'input')} (shortened from ${inputsBefore})`;
}

const firstPlay = 'first play';

export function progressText({ phase, ticks, sightings, examined }: ExploreState, rate: number): string {
  const found = amount(sightings, 'sighting');
  if (phase === 'shrink') return `replaying and shrinking: ${examined} of ${found}`;
  if (ticks === 0) return firstPlay;
  return `${amountOfTime(ticks / rate)} in the game, ${found}`;
}

/** The progress text of a run that looks for a way to a goal. */
export function searchProgressText({ phase, ticks, sightings }: ExploreState, rate: number): string {
  if (phase === 'shrink') return 'reached; removing inputs that the play does not need';
  const next = sightings > 0 ? 'reached; looking for a better play' : 'not reached yet';
  return ticks === 0 ? firstPlay : `${amountOfTime(ticks / rate)} in the game: ${next}`;
}

/** A simulated time as text: `4.35 s`, `12 min`. */
export function amountOfTime(seconds: number): string {
  if (seconds < 100) return `${Number(seconds.toFixed(2))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
