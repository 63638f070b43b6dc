import { goalKey, looksFor, type Sighting } from './detector.ts';
import { Examination } from './examination.ts';
import { mergeRange, type PartRange } from './goal-ranges.ts';
import type { InputRecording } from './input-recording.ts';
import { episodesFor, goalWith, isSearch, type Objective } from './plan.ts';
import type { Candidate } from './progress.ts';
import { type ExploreOptions, Series, type TakePlay } from './series.ts';
import { type Finding, type Shrunk, valueAtEnd } from './shrink.ts';
import { inOrder, runWorks, threadsFor, type Work, work } from './works.ts';

export interface Exploration {
  /** Replayed and shrunk. */
  readonly findings: readonly Finding[];
  /** The number of sightings that were not replayed: there were too many, or the run was interrupted. */
  readonly unexamined: number;
  /** Sightings that a replay of their inputs did not reproduce. Not reported as findings. */
  readonly unconfirmed: readonly string[];
  readonly plays: number;
  /** The range of values of each part of the goal, over all plays. */
  readonly ranges: readonly PartRange[];
  /** The value of the objective at the end of the play that was found. */
  readonly best: number | undefined;
}

/** Of a group of similar sightings, this many are examined. */
const groupMax = 4;
/** After it has reached a goal, it tries at least this often to reach it in less time. */
const shorterTries = 6;
/** A play to a goal, which is all that a search reports, is shrunk for this many ticks. */
const searchShrinkTicks = 100_000;

/** Plays a series of episodes to find mistakes, or to reach what the plan wants. */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const series = new Series(options, await threadsFor(options.jobs));
  try {
    return await (isSearch(options.plan) ? search(options, series) : findMistakes(options, series));
  } finally {
    series.close();
  }
}

/**
 * What goes wrong in a play is replayed and shrunk soon, so that a run that ends early keeps its findings. Until the
 * last play has ended, this takes at most half of the time.
 */
async function findMistakes(options: ExploreOptions, series: Series): Promise<Exploration> {
  const { plan, progress, known = new Set(), onFinding } = options;
  const { pending } = progress;
  /** The sightings of this run, in the order of the episodes. */
  const told = new Map<string, Candidate>();
  const groups = new Map<string, number>();
  /** Whether there are enough of its group. */
  const isSurplus = ({ group }: Sighting): boolean => {
    if (group === undefined) return false;
    const count = groups.get(group) ?? 0;
    groups.set(group, count + 1);
    return count >= groupMax;
  };
  /** Simpler plays of sightings that others showed before. */
  const simpler = new Map<string, Candidate>();
  let isPlaying = true;
  const report = (): void =>
    series.report({ phase: isPlaying ? 'play' : 'shrink', sightings: told.size, examined: examination.count });
  const examination = new Examination(plan, {
    totalTicks: () => series.totalTicks(),
    onExamined(key, finding) {
      pending.delete(key);
      if (finding !== undefined) onFinding?.(finding);
      report();
    },
  });
  for (const [key, candidate] of pending) {
    if (known.has(key)) pending.delete(key);
    else if (looksFor(plan, candidate.sighting) && !isSurplus(candidate.sighting)) told.set(key, candidate);
  }
  examination.add([...told.values()]);

  const play = series.plays((result, episode) => {
    const fresh: Candidate[] = [];
    for (const sighting of result.sightings) {
      const { key } = sighting;
      const candidate = { episode, sighting };
      const first = told.get(key);
      if (known.has(key)) continue;
      if (first === undefined) {
        if (isSurplus(sighting)) continue;
        told.set(key, candidate);
        pending.set(key, candidate);
        fresh.push(candidate);
      } else if (isSimpler(candidate, simpler.get(key) ?? first)) simpler.set(key, candidate);
    }
    examination.add(fresh);
    report();
  });
  const shrink = (): Work | undefined => {
    const next = examination.next();
    return next && series.clock.timed(next, 'shrink');
  };
  const isShrinkTurn = (): boolean => series.clock.ms('shrink') <= series.clock.ms('play');
  await runWorks(options, () => (isShrinkTurn() ? (shrink() ?? play()) : (play() ?? shrink())));
  isPlaying = false;
  const { findings, unconfirmed } = examination;
  for (const [key, candidate] of simpler) {
    const isFree = findings.get(key)?.hasSaves === true && !candidate.episode.hasSaves;
    if (isFree || unconfirmed.has(key)) examination.add([candidate]);
  }
  await runWorks(options, shrink);
  examination.goOn();
  await runWorks(options, shrink);
  const inTurn = <Value>(values: ReadonlyMap<string, Value>): Value[] =>
    [...told.keys()].flatMap((key) => values.get(key) ?? []);
  return {
    ...{ findings: inTurn(findings), unconfirmed: inTurn(unconfirmed), unexamined: told.size - examination.count },
    ...{ plays: series.count, ranges: [], best: undefined },
  };
}

/** Plays until a goal holds, and then looks for a shorter play; or looks for the best value of an objective. */
async function search(options: ExploreOptions, series: Series): Promise<Exploration> {
  const { plan, rate, progress, budget, game, signal } = options;
  const { objective } = plan;
  const ranges = new Map<string, PartRange>();
  let best: Candidate | undefined;
  const report = (phase: 'play' | 'shrink'): void =>
    series.report({ phase, sightings: best === undefined ? 0 : 1, examined: 0 });
  const take: TakePlay = (result, episode) => {
    for (const range of result.ranges) mergeRange(ranges, range);
    for (const sighting of result.sightings) {
      const candidate = { episode, sighting };
      if (best === undefined || (objective ? isGreater(candidate, best, objective) : isSimpler(candidate, best)))
        best = candidate;
    }
    report('play');
  };
  const reached = new AbortController();
  if (signal.aborted) reached.abort();
  signal.addEventListener('abort', () => reached.abort());
  const play = series.plays((result, episode) => {
    take(result, episode);
    if (objective === undefined && best !== undefined) reached.abort();
  }, reached.signal);
  await runWorks({ ...options, signal: reached.signal }, play);
  series.clock.stop();
  if (best !== undefined && objective === undefined) {
    // Looks for a shorter play for as long again.
    const { tick } = best.sighting;
    const shorter = { ...plan, secondsMax: (tick - 1) / rate };
    const left = 'ticks' in budget ? budget.ticks - series.ticks : Number.POSITIVE_INFINITY;
    const more = episodesFor(
      plan,
      rate,
      progress.next,
      Math.min(left, Math.max(series.ticks, tick * shorterTries)),
      tick,
    );
    await runWorks(
      options,
      series.playsOf(shorter, (i) => more[i], take, signal),
    );
  }
  let shrunk: Shrunk | undefined;
  if (best !== undefined) {
    // A shrunk play must be as good as the best one.
    const { episode, sighting } = best;
    const goal = objective === undefined ? plan.goal! : goalWith(plan, sighting.value!);
    const task = { kind: 'shrink', plan: { ...plan, goal, objective: undefined }, episode, short: [] } as const;
    const sightings = [{ ...sighting, key: goalKey(goal) }];
    const works = [
      work<Shrunk>({ ...task, sightings, ticksMax: searchShrinkTicks }, (result) => {
        shrunk = result;
      }),
    ];
    report('shrink');
    await runWorks(options, () => works.pop());
  }
  const finding = shrunk?.finding;
  const isUnconfirmed = shrunk !== undefined && finding === undefined;
  return {
    findings: finding === undefined ? [] : [finding],
    unconfirmed: isUnconfirmed ? [best!.sighting.message] : [],
    unexamined: best !== undefined && shrunk === undefined ? 1 : 0,
    plays: series.count,
    ranges: [...ranges.values()],
    best: objective && finding && valueAtEnd(game, plan, finding.recording),
  };
}

/** Prefers plays without generated saved data, then the slowest tick or the earliest sighting. */
function isSimpler(a: Candidate, b: Candidate): boolean {
  if (a.episode.hasSaves !== b.episode.hasSaves) return !a.episode.hasSaves;
  if (a.sighting.kind === 'budget') return a.sighting.value! > b.sighting.value!;
  return a.sighting.tick < b.sighting.tick;
}

/** Prefers the better value of an objective, then the earlier play. */
function isGreater(a: Candidate, b: Candidate, { direction }: Objective): boolean {
  const difference = a.sighting.value! - b.sighting.value!;
  return direction === 'minimize' ? difference < 0 : difference > 0;
}

/** Replays findings of earlier runs. Returns the sighting of each, or undefined if it no longer occurs. */
export async function replayAll(
  options: Pick<ExploreOptions, 'plan' | 'game' | 'jobs' | 'signal'>,
  known: readonly { readonly recording: InputRecording; readonly key: string }[],
): Promise<(Sighting | undefined)[]> {
  const results: (Sighting | undefined)[] = [];
  const take = inOrder<Sighting | undefined>((sighting) => results.push(sighting));
  let next = 0;
  await runWorks(options, () => {
    const index = next++;
    if (index >= known.length) return undefined;
    return work({ kind: 'replay', plan: options.plan, ...known[index]! }, (sighting) =>
      take(index, sighting as Sighting | undefined),
    );
  });
  return results;
}
