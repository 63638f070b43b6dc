import { dirname } from 'node:path';
import { EntityHandle, type JournalRecord, type Simulation, SnapshotError } from '../../../engine/index.ts';
import { globalValue } from '../../../engine/tools.ts';
import { journalBytes } from '../../journal/index.ts';
import type { FailureReport, Onset, ShownFailure } from '../../run/index.ts';
import { addCounts, type Counts, emptyCounts } from '../judging/counts.ts';
import type { Case } from '../reading/cases.ts';
import { type Games, GameUnreadable } from '../reading/games.ts';
import { type WrongName, wrongNames } from '../reading/wrong-names.ts';
import { errorLines, explanationFailed, ScenarioFailure } from '../telling/failure.ts';
import { OnsetSearch } from '../telling/onset-search.ts';
import { withStates } from '../telling/states.ts';
import { whyOf } from '../telling/why-of.ts';
import { snapshotOf } from './journal-replay.ts';
import { RunningCase } from './running-case.ts';
import { explained, isMistake, mistakeLines, namesIn, perform } from './steps.ts';

interface Plot {
  readonly label: string;
  /** Simulated seconds since the game started. */
  readonly seconds: readonly number[];
  readonly values: readonly (number | null)[];
}

/** The outcome of a case. Plain data. */
export interface CaseResult {
  readonly case: Omit<Case, 'plan' | 'definition' | 'plot' | 'stepLines'>;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why the case was skipped, or the known failure that occurred. */
  readonly note: string | undefined;
  readonly failure: FailureReport | undefined;
  /** The index of the failed step, and its line in the file. */
  readonly failedStep: number | undefined;
  readonly failedLine: number | undefined;
  readonly checked: number;
  readonly ticks: number;
  readonly simulatedSeconds: number;
  readonly wallMs: number;
  /** Hash of the final state, if requested. */
  readonly hash: string | undefined;
  readonly counts: Counts | undefined;
  readonly plots: readonly Plot[];
  /** Recording of a failure, if requested. */
  readonly recording: CaseRecording | undefined;
  /** The values of `value` steps, for `--update`. */
  readonly values: readonly { readonly step: number; readonly value: unknown }[];
}

/** A recording that the viewer can replay. */
export interface CaseRecording {
  /** The definition with the overrides of the scenario. */
  readonly definition: string;
  /** The journal in the format of `reenact run --record`, as base64, because results are sent as JSON. */
  readonly journal: string;
  /** The tick at which the failure began. */
  readonly onset: Onset | undefined;
  /** The names that the scenario gives entities, with their ids. */
  readonly names: ShownFailure['names'];
  /** The locations of the actions that ran, such as `scripts/<key>/2/then/0`. */
  readonly ran: readonly string[];
  /** An SVG of the states of variables that the failure mentions, if there are any and they have been drawn. */
  readonly states?: string;
}

export interface PlayCaseOptions {
  /** Whether to run a failed case again to record it. */
  readonly recording?: boolean;
  /** Whether to run a failed case again to find out why it failed. */
  readonly explains?: boolean;
  readonly coverage?: boolean;
  readonly plots?: boolean;
  /** Whether to hash the final state, which costs as much as many ticks. */
  readonly hash?: boolean;
  /** Whether to collect the values of `value` steps instead of checking them. */
  readonly update?: boolean;
}

/** Observes a running case. */
interface CaseObserver {
  /** Called on each tick with the simulated time in ms; may throw `CaseStopped`. */
  readonly onTick: (sim: Simulation) => void;
}

/** Thrown by an observer to stop a case. `playCase` passes the error on to its caller. */
export class CaseStopped extends Error {}

const samplesPerSecond = 4;
const plotsMax = 6;

export function playCase(given: Case, games: Games, wishes: PlayCaseOptions, observer?: CaseObserver): CaseResult {
  try {
    const result = playOnce(given, games, wishes, observer);
    const { failure } = result;
    const isOfGame = failure !== undefined && failure.kind !== 'mistake' && failure.kind !== 'internal';
    if (!isOfGame || (wishes.recording !== true && wishes.explains !== true)) return result;
    const { recording, why } = recordingOf(given, games, failure, observer);
    return {
      ...result,
      failure: { ...failure, why: [...failure.why, ...why] },
      recording: wishes.recording === true ? recording : undefined,
    };
  } catch (error) {
    if (error instanceof CaseStopped) throw error;
    // A bug in Reenact fails only the case in which it occurs, not the whole run.
    return { ...skipped(given), ...verdict(given, failureOf(error, undefined)) };
  }
}

/** Like `playCase`. The recording of a failure contains a drawing of the states that the failure mentions. */
export async function playDrawn(
  given: Case,
  games: Games,
  wishes: PlayCaseOptions,
  observer?: CaseObserver,
): Promise<CaseResult> {
  const result = playCase(given, games, wishes, observer);
  const { failure, recording } = result;
  if (failure === undefined || recording === undefined) return result;
  try {
    return { ...result, recording: await withStates(games.game(given), failure, recording) };
  } catch (error) {
    return { ...result, failure: { ...failure, why: [...failure.why, ...explanationFailed(errorLines(error))] } };
  }
}

/** Runs a failed case again and records it. Cases that pass are never recorded, which saves time. */
function recordingOf(
  given: Case,
  games: Games,
  { expressions, questions = expressions }: FailureReport,
  observer: CaseObserver | undefined,
): { readonly recording: CaseRecording | undefined; readonly why: readonly string[] } {
  const onset = new OnsetSearch(expressions);
  try {
    const { recording, failure } = playOnce(given, games, { isRecorded: true, onset, questions }, observer);
    if (failure?.kind === 'internal') return { recording, why: explanationFailed(failure.found) };
    return { recording: recording && { ...recording, onset: onset.found() }, why: failure?.why ?? [] };
  } catch (error) {
    if (error instanceof CaseStopped) throw error;
    return { recording: undefined, why: explanationFailed(errorLines(error)) };
  }
}

function playOnce(
  given: Case,
  games: Games,
  wishes: PlayCaseOptions & {
    readonly isRecorded?: boolean;
    readonly onset?: OnsetSearch;
    /** The questions whose answers explain a failure. */
    readonly questions?: readonly string[];
  },
  observer?: CaseObserver,
): CaseResult {
  const start = performance.now();
  let running: RunningCase | undefined;
  let failure: FailureReport | undefined;
  const values: { step: number; value: unknown }[] = [];
  const sampler = wishes.plots ? new Sampler(given) : undefined;
  try {
    const game = games.game(given);
    const folder = dirname(given.file);
    const { snapshot } = given.plan.given ?? {};
    running = new RunningCase(game, {
      folder,
      snapshot: snapshot === undefined ? undefined : snapshotOf(game, folder, snapshot),
      ...given,
      names: namesIn(given.plan),
      bots: given.plan.given?.bots,
      records: wishes.isRecorded,
      onTick:
        (sampler ?? observer ?? wishes.onset) &&
        ((playing) => {
          wishes.onset?.look(playing);
          sampler?.sample(playing);
          observer?.onTick(playing.sim);
        }),
    });
    const { plan } = given;
    perform(running, plan, wishes.update ? (step, value) => values.push({ step, value }) : undefined);
    running.end();
    if (running.checked === 0 && values.length === 0) {
      // A scenario without expectations fails, because it would always pass. The failure does not belong to any step.
      running.stepIndex = undefined;
      running.fail('expected an expectation', ['the scenario has no expectations'], undefined, [], 'mistake');
    }
  } catch (error) {
    if (error instanceof CaseStopped) throw error;
    if (running !== undefined) wishes.onset?.look(running);
    failure = failureOf(error, running);
  }
  const at = failure && running?.stepIndex;
  const records = running?.journal();
  if (failure !== undefined && running !== undefined && records !== undefined)
    failure = {
      ...failure,
      why: whyOf(records, wishes.questions ?? [], running),
    };
  return {
    case: withoutPlan(given),
    ...verdict(given, failure),
    failedStep: at,
    failedLine: at === undefined ? undefined : given.stepLines[at],
    checked: running?.checked ?? 0,
    ticks: running?.sim.tick ?? 0,
    simulatedSeconds: running === undefined ? 0 : running.sim.nowMs / 1000,
    wallMs: performance.now() - start,
    hash: wishes.hash ? running?.sim.hash() : undefined,
    counts: wishes.coverage && running !== undefined ? addCounts(emptyCounts(), running) : undefined,
    plots: sampler?.plots() ?? [],
    recording: records && running && writtenDown(games.packed(given), records, running),
    values,
  };
}

/** The failure of a case whose scenario uses unknown names, without running it. Undefined if all names are known. */
export function unknownNameFailure(given: Case, games: Games): CaseResult | undefined {
  let wrong: readonly WrongName[];
  try {
    wrong = wrongNames(given, games.game(given));
  } catch (error) {
    if (error instanceof GameUnreadable) return undefined;
    throw error;
  }
  const [first] = wrong;
  if (first === undefined) return undefined;
  const lineOf = ({ step }: WrongName) => (step === undefined ? given.line : given.stepLines[step]);
  const found = wrong.flatMap((each) => {
    const [head = '', ...rest] = each.lines;
    return wrong.length === 1 ? each.lines : [`line ${lineOf(each) ?? '?'}: ${head}`, ...rest];
  });
  const failure: FailureReport = { ...blank, kind: 'mistake', expected: 'the scenario cannot be run', found };
  return { ...skipped(given), ...verdict(given, failure), failedStep: first.step, failedLine: lineOf(first) };
}

export function writtenDown(
  definition: string,
  records: readonly JournalRecord[],
  running: RunningCase,
): CaseRecording {
  return {
    definition,
    journal: Buffer.from(journalBytes(records)).toString('base64'),
    onset: undefined,
    names: [...running.idsByName()],
    ran: Object.keys(addCounts(emptyCounts(), running).locations),
  };
}

const blank: FailureReport = {
  kind: 'internal',
  expected: '',
  found: [],
  because: undefined,
  expressions: [],
  why: [],
  tick: 0,
  seconds: 0,
  events: [],
  scripts: [],
  falseConditions: [],
  differences: [],
  picture: '',
};

function failureOf(error: unknown, running: RunningCase | undefined): FailureReport {
  if (error instanceof ScenarioFailure) return error.report;
  const isOfScenario = error instanceof GameUnreadable || error instanceof SnapshotError || isMistake(error);
  const found = isOfScenario ? mistakeLines(error) : errorLines(error);
  const expected = isOfScenario ? 'the scenario cannot be run' : 'a bug in Reenact';
  const kind = isOfScenario ? 'mistake' : 'internal';
  return (
    running?.report(kind, expected, found, undefined, []) ?? {
      ...blank,
      kind,
      expected,
      found,
    }
  );
}

function verdict(
  { knownFailure }: Case,
  failure: FailureReport | undefined,
): Pick<CaseResult, 'outcome' | 'note' | 'failure'> {
  if (knownFailure === undefined)
    return { outcome: failure === undefined ? 'passed' : 'failed', note: undefined, failure };
  // Errors that prevent running the scenario do not count as the known failure.
  if (failure !== undefined && failure.kind !== 'mistake' && failure.kind !== 'internal') {
    return { outcome: 'passed', note: `fails as known: ${knownFailure}`, failure: undefined };
  }
  if (failure !== undefined) return { outcome: 'failed', note: undefined, failure };
  const found = [`the scenario passes; remove \`knownFailure: ${knownFailure}\``];
  return {
    outcome: 'failed',
    note: undefined,
    failure: { ...blank, kind: 'expectation', expected: 'expected the known failure', found },
  };
}

export function skipped(given: Case): CaseResult {
  return {
    case: withoutPlan(given),
    outcome: 'skipped',
    note: given.skip,
    failure: undefined,
    failedStep: undefined,
    failedLine: undefined,
    checked: 0,
    ticks: 0,
    simulatedSeconds: 0,
    wallMs: 0,
    hash: undefined,
    counts: undefined,
    plots: [],
    recording: undefined,
    values: [],
  };
}

function withoutPlan({
  plan: _plan,
  definition: _definition,
  plot: _plot,
  stepLines: _lines,
  ...rest
}: Case): CaseResult['case'] {
  return rest;
}

/** Samples the values of expressions at regular intervals. */
class Sampler {
  private readonly wanted: readonly string[];
  private plotted: { label: string; value: () => unknown; values: (number | null)[] }[] | undefined;
  private readonly seconds: number[] = [];

  constructor({ plot }: Case) {
    this.wanted = plot;
  }

  sample(running: RunningCase) {
    const { sim } = running;
    const every = Math.max(1, Math.round(sim.rate / samplesPerSecond));
    if (sim.tick % every !== 0) return;
    this.plotted ??= this.bindPlots(running);
    this.seconds.push(sim.nowMs / 1000);
    for (const { value, values } of this.plotted) values.push(numberOf(value()));
  }

  private bindPlots(running: RunningCase) {
    const numbers = [...running.lexicon.definition.variables].filter(
      ([name, { dataType }]) => dataType === 'number' && !name.startsWith('@'),
    );
    const labels = this.wanted.length > 0 ? this.wanted : numbers.map(([name]) => name);
    return labels.map((label) => {
      const name = this.wanted.length > 0 ? undefined : label;
      const bound = name === undefined ? explained(running, () => running.bind(label)) : undefined;
      const value = (): unknown => (bound === undefined ? globalValue(running.sim, label) : bound.value());
      return { label, value, values: [] };
    });
  }

  /** The plots of the case. Constant values are left out unless they were requested. */
  plots(): Plot[] {
    const { seconds } = this;
    const lines = (this.plotted ?? []).map(({ label, values }) => ({ label, seconds, values }));
    if (this.wanted.length > 0) return lines;
    return lines.filter(({ values }) => values.some((value) => value !== values[0])).slice(0, plotsMax);
  }
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value) && value.every((each) => each instanceof EntityHandle)) return value.length;
  const number = typeof value === 'string' && value !== '' ? Number(value) : NaN;
  return Number.isFinite(number) ? number : null;
}
