import { setImmediate as otherWork } from 'node:timers/promises';
import type { LoadedGame } from '../../engine/index.ts';
import { canRunInThread, runInThreads } from '../run/threads.ts';
import { type Counts, emptyCounts, mergeCounts } from '../scenario/counts.ts';
import { goalKey, type Sighting } from './detector.ts';
import type { EpisodeResult } from './episode.ts';
import { mergePlaces, type Places } from './footprints.ts';
import { mergeRange, type PartRange } from './goal-ranges.ts';
import type { InputRecording } from './input-recording.ts';
import { mergeNearMisses, type NearMiss } from './near-misses.ts';
import { type Episode, type ExplorePlan, episodeOf, episodesFor, goalWith, isSearch, type Objective } from './plan.ts';
import { type Finding, valueAtEnd } from './shrink.ts';
import { type ExploreResult, type ExploreTask, performTask } from './tasks.ts';

/** What plays have shown so far; the next run with the same corpus continues from it. */
export interface Progress {
  /** The number of the next episode. */
  next: number;
  ticks: number;
  readonly counts: Counts;
  readonly seen: Set<string>;
  /** Targets and source locations that only plays with generated saved data have reached. */
  readonly seenWithSaves: Set<string>;
  readonly nearMisses: Map<string, NearMiss>;
  /** Where the units of players were. */
  readonly places: Places;
  /** The number of covered items over played ticks: one entry per play that covered something new. */
  readonly growth: { readonly ticks: number; readonly seen: number }[];
}

export function newProgress(): Progress {
  return {
    next: 0,
    ticks: 0,
    counts: emptyCounts(),
    seen: new Set(),
    seenWithSaves: new Set(),
    nearMisses: new Map(),
    places: {},
    growth: [],
  };
}

interface ExploreOptions {
  readonly plan: ExplorePlan;
  readonly game: LoadedGame;
  /** Ticks per simulated second. */
  readonly rate: number;
  /** The number of ticks to play, which makes the result independent of the machine, or the time to play for. */
  readonly budget: { readonly ticks: number } | { readonly ms: number };
  readonly jobs: number;
  /** Keys of known findings, which were already replayed and are not examined again. */
  readonly known?: ReadonlySet<string>;
  /** Changed while exploring. */
  readonly progress: Progress;
  /** Called after each play, in the order of the episodes, and after each examined finding. */
  readonly onProgress: (state: ExploreState) => void;
  readonly signal: AbortSignal;
}

export interface ExploreState {
  readonly phase: 'play' | 'shrink';
  readonly ticks: number;
  readonly seen: number;
  readonly sightings: number;
  /** Sightings that have been replayed. */
  readonly examined: number;
}

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

const findingsMax = 100;
/** Limits of shrinking, in ticks per finding. Between them, it takes about as long in total as exploring. */
const shrinkTicksMin = 10_000;
const shrinkTicksMax = 60_000;
/** After it has reached a goal, it tries at least this often to reach it in less time. */
const shorterTries = 6;
/** A play to a goal, which is all that a search reports, is shrunk for at least this many ticks. */
const searchShrinkTicks = 100_000;

interface Candidate {
  readonly episode: Episode;
  readonly sighting: Sighting;
}

/** Plays a series of episodes, then replays and shrinks what went wrong in them. */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const { plan, rate, progress, budget, known: isKnown = new Set(), onProgress } = options;
  const candidates = new Map<string, Candidate>();
  const first = progress.next;
  const ticksBefore = progress.ticks;
  const report = (phase: ExploreState['phase'], examined: number): void =>
    onProgress({
      phase,
      ticks: progress.ticks - ticksBefore,
      seen: seenCount(progress),
      sightings: candidates.size,
      examined,
    });

  const planned = 'ticks' in budget ? episodesFor(plan, rate, first, budget.ticks) : undefined;
  const deadlineMs = 'ms' in budget ? performance.timeOrigin + performance.now() + budget.ms : Number.POSITIVE_INFINITY;
  const reached = new AbortController();
  if (options.signal.aborted) reached.abort();
  options.signal.addEventListener('abort', () => reached.abort());
  const ranges = new Map<string, PartRange>();
  const { objective } = plan;
  const searches = isSearch(plan);
  const episodes: Episode[] = [];
  const episodeAt = (i: number): Episode => {
    episodes[i] ??= planned?.[i] ?? episodeOf(plan, rate, first + i);
    return episodes[i];
  };
  const take = (result: EpisodeResult, episode: Episode): void => {
    add(progress, result);
    for (const range of result.ranges) mergeRange(ranges, range);
    for (const sighting of result.sightings) {
      if (isKnown.has(sighting.key)) continue;
      const known = candidates.get(sighting.key);
      const candidate = { episode, sighting };
      if (known === undefined) candidates.set(sighting.key, candidate);
      else if (objective === undefined ? isSimpler(candidate, known) : isGreater(candidate, known, objective))
        candidates.set(sighting.key, candidate);
    }
  };
  const isInTime = (): boolean => performance.timeOrigin + performance.now() < deadlineMs;
  await inOrder<EpisodeResult>(
    { ...options, signal: reached.signal },
    planned?.length ?? Number.POSITIVE_INFINITY,
    (i) => ({ kind: 'play', plan, episode: episodeAt(i), deadlineMs }),
    isInTime,
    (result, i) => {
      // Called in the order of the episodes, so that the play that reaches the goal first does not depend on thread
      // timing.
      if (reached.signal.aborted) return;
      take(result, episodeAt(i));
      if (searches && objective === undefined && candidates.size > 0) reached.abort();
      report('play', 0);
    },
  );
  const [firstReached] = searches && objective === undefined ? candidates.values() : [];
  if (firstReached !== undefined) {
    // Looks for a shorter play for as long again.
    const { tick } = firstReached.sighting;
    const shorter = { ...plan, secondsMax: (tick - 1) / rate };
    const used = progress.ticks - ticksBefore;
    const left = 'ticks' in budget ? budget.ticks - used : Number.POSITIVE_INFINITY;
    const more = episodesFor(plan, rate, progress.next, Math.min(left, Math.max(used, tick * shorterTries)), tick);
    await inOrder<EpisodeResult>(
      options,
      more.length,
      (i) => ({ kind: 'play', plan: shorter, episode: more[i]!, deadlineMs }),
      isInTime,
      (result, i) => {
        take(result, more[i]!);
        report('play', 0);
      },
    );
  }

  const told = [...candidates.values()];
  const wanted = told.slice(0, findingsMax);
  const share = (progress.ticks - ticksBefore) / Math.max(1, wanted.length);
  const least = searches ? searchShrinkTicks : shrinkTicksMin;
  const ticksMax = Math.round(Math.max(least, Math.min(shrinkTicksMax, share)));
  // A shrunk play must be as good as the best one.
  const [{ sighting: reachedBest } = { sighting: undefined }] = objective === undefined ? [] : wanted;
  const shrinkPlan =
    reachedBest === undefined ? plan : { ...plan, objective: undefined, goal: goalWith(plan, reachedBest.value!) };
  const groups = new Map<Episode, Sighting[]>();
  for (const { episode, sighting } of wanted) groups.set(episode, [...(groups.get(episode) ?? []), sighting]);
  const works = [...groups];
  const findings: Finding[] = [];
  const unconfirmed: string[] = [];
  await inOrder<(Finding | undefined)[]>(
    options,
    works.length,
    (i) => ({
      ...{ kind: 'shrink', plan: shrinkPlan, episode: works[i]![0], ticksMax },
      sightings: works[i]![1].map((sighting) =>
        sighting === reachedBest ? { ...sighting, key: goalKey(shrinkPlan.goal!) } : sighting,
      ),
    }),
    () => true,
    (shrunk, i) => {
      for (const [at, finding] of shrunk.entries()) {
        if (finding === undefined) unconfirmed.push(works[i]![1][at]!.message);
        else findings.push(finding);
      }
      report('shrink', findings.length + unconfirmed.length);
    },
  );
  return {
    findings,
    unexamined: told.length - findings.length - unconfirmed.length,
    unconfirmed,
    plays: progress.next - first,
    ranges: [...ranges.values()],
    best: objective && findings[0] && valueAtEnd(options.game, plan, findings[0].recording),
  };
}

/** Replays findings of earlier runs. Returns the sighting of each, or undefined if it no longer occurs. */
export async function replayAll(
  options: Pick<ExploreOptions, 'plan' | 'game' | 'jobs' | 'signal'>,
  known: readonly { readonly recording: InputRecording; readonly key: string }[],
): Promise<(Sighting | undefined)[]> {
  const results: (Sighting | undefined)[] = [];
  await inOrder<Sighting | undefined>(
    options,
    known.length,
    (i) => ({ kind: 'replay', plan: options.plan, ...known[i]! }),
    () => true,
    (sighting) => results.push(sighting),
  );
  return results;
}

/** What several shards have shown together. The growth is that of the first. */
export function mergeProgress([first, ...others]: readonly [Progress, ...Progress[]]): Progress {
  if (others.length === 0) return first;
  const merged = newProgress();
  for (const { next, ticks, counts, seen, nearMisses, places } of [first, ...others]) {
    merged.next += next;
    merged.ticks += ticks;
    mergeCounts(merged.counts, counts);
    for (const key of seen) merged.seen.add(key);
    mergeNearMisses(merged.nearMisses, [...nearMisses.values()]);
    mergePlaces(merged.places, places);
  }
  for (const { seenWithSaves } of [first, ...others])
    for (const key of seenWithSaves)
      if ([first, ...others].every((each) => each.seenWithSaves.has(key) || !hasSeen(each, key)))
        merged.seenWithSaves.add(key);
  return { ...merged, growth: first.growth };
}

function hasSeen({ counts, seen }: Progress, key: string): boolean {
  return seen.has(key) || key in counts.locations;
}

/** The number of covered items: actions, triggers and targets. */
function seenCount({ counts, seen }: Progress): number {
  return Object.keys(counts.locations).length + Object.keys(counts.triggers).length + seen.size;
}

function add(progress: Progress, { ticks, counts, seen, nearMisses, places, hasSaves }: EpisodeResult): void {
  const before = seenCount(progress);
  progress.next++;
  progress.ticks += ticks;
  const label = (key: string, isKnown: boolean): void => {
    if (!hasSaves) progress.seenWithSaves.delete(key);
    else if (!isKnown) progress.seenWithSaves.add(key);
  };
  for (const key of Object.keys(counts.locations)) label(key, key in progress.counts.locations);
  for (const key of seen) label(key, progress.seen.has(key));
  mergeCounts(progress.counts, counts);
  for (const key of seen) progress.seen.add(key);
  mergeNearMisses(progress.nearMisses, nearMisses);
  mergePlaces(progress.places, places);
  const after = seenCount(progress);
  if (after > before) progress.growth.push({ ticks: progress.ticks, seen: after });
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

/** Performs tasks in threads, and yields their results in the order of the tasks. */
async function inOrder<Result extends ExploreResult>(
  { game, jobs, signal }: Pick<ExploreOptions, 'game' | 'jobs' | 'signal'>,
  count: number,
  taskOf: (index: number) => ExploreTask,
  isWanted: () => boolean,
  take: (result: Result, index: number) => void,
): Promise<void> {
  const worker = await import('./worker.ts');
  if (!canRunInThread(worker)) {
    for (let i = 0; i < count && isWanted() && !signal.aborted; i++) {
      take(performTask(game, taskOf(i)) as Result, i);
      await otherWork();
    }
    return;
  }
  const waiting = new Map<number, Result>();
  let next = 0;
  await runInThreads<ExploreTask, Result>({
    module: worker,
    name: 'exploreInWorker',
    count,
    taskOf,
    workers: jobs,
    isWanted,
    onResult(index, result) {
      waiting.set(index, result);
      for (; waiting.has(next); next++) {
        take(waiting.get(next)!, next);
        waiting.delete(next);
      }
    },
    signal,
  });
}
