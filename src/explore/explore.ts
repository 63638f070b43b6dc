import { goalKey, looksFor, type Sighting } from './finding/detector.ts';
import { Examination, type Shown } from './finding/examination.ts';
import { type Finding, journalOf, valueAtEnd } from './finding/shrink.ts';
import type { InputRecording } from './playing/input-recording.ts';
import { Campaign, type ExploreOptions } from './searching/campaign.ts';
import { mergeRange, type PartRange } from './searching/goal-ranges.ts';
import { goalWith, isSearch, type Objective } from './searching/plan.ts';
import type { Candidate } from './searching/progress.ts';
import { inOrder, runWorks, type Work, work } from './searching/works.ts';

export interface Exploration {
  /** Findings, which were replayed from the start of the game and shrunk. */
  readonly findings: readonly Finding[];
  /** Sightings that were not replayed: there were too many, the time was over, or the run was interrupted. */
  readonly unexamined: readonly Unexamined[];
  /** Sightings that a replay of their inputs did not reproduce. Not reported as findings. */
  readonly unconfirmed: readonly string[];
  readonly plays: number;
  /** The range of values of each part of the goal, over all plays. */
  readonly ranges: readonly PartRange[];
  /** The paths of the scripts and actions that ran in any play. */
  readonly ran: ReadonlySet<string>;
  /** The value of the objective at the end of the best play. */
  readonly best: number | undefined;
}

export interface Unexamined extends Sighting {
  /** The journal of the play that showed the sighting; undefined if an earlier run played it. */
  readonly journal: Uint8Array | undefined;
}

/** The maximum number of sightings of one group that are examined. */
const groupMax = 4;
/** The tick budget for shrinking the play to a goal. It is large because a search reports only this one play. */
const searchShrinkTicks = 100_000;

/** Plays a series of episodes to find mistakes, or to reach what the plan wants. */
export async function exploreGame(given: ExploreOptions): Promise<Exploration> {
  const { budget, plan } = given;
  const enough = endedBy(given.signal);
  const options = { ...given, signal: enough.signal };
  const campaign = new Campaign(options);
  const end = 'ms' in budget ? setTimeout(() => enough.abort(), budget.ms) : undefined;
  try {
    return await (isSearch(plan) ? search(options, campaign) : findMistakes(options, campaign));
  } finally {
    clearTimeout(end);
    campaign.close();
  }
}

/** A controller that is aborted together with a signal, and that can also be aborted earlier. */
function endedBy(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  signal.addEventListener('abort', () => controller.abort());
  return controller;
}

/**
 * Sightings are replayed and shrunk soon after they occur, so that a run that ends early keeps its findings. Until the
 * last play has ended, shrinking takes at most half of the time.
 */
async function findMistakes(options: ExploreOptions, campaign: Campaign): Promise<Exploration> {
  const { plan, progress, known = new Set(), onFinding } = options;
  const { pending } = progress;
  /** The sightings of this run, in the order of the episodes. */
  const told = new Map<string, Shown>();
  const groups = new Map<string, number>();
  /** Whether enough sightings of this sighting's group have already been taken. */
  const isSurplus = ({ group }: Sighting) => {
    if (group === undefined) return false;
    const count = groups.get(group) ?? 0;
    groups.set(group, count + 1);
    return count >= groupMax;
  };
  let isPlaying = true;
  const report = () =>
    campaign.report({ phase: isPlaying ? 'play' : 'shrink', sightings: told.size, examined: examination.count });
  const examination = new Examination(plan, {
    deadlineMs: campaign.deadlineMs(),
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

  const ran = new Set<string>();
  const play = campaign.plays((result, episode) => {
    for (const path of result.ran) ran.add(path);
    const fresh: Shown[] = [];
    for (const sighting of result.sightings) {
      const { key } = sighting;
      const candidate = { episode, sighting };
      const shown = { ...candidate, journal: result.journal };
      if (told.has(key)) examination.prefer(shown);
      if (known.has(key) || told.has(key) || isSurplus(sighting)) continue;
      told.set(key, shown);
      pending.set(key, candidate);
      fresh.push(shown);
    }
    examination.add(fresh);
    report();
  });
  const shrink = (): Work | undefined => {
    const next = examination.next();
    return next && campaign.timed(next, 'shrink');
  };
  const isShrinkTurn = () => campaign.ms.shrink <= campaign.ms.play;
  const inTurns = () => (isShrinkTurn() ? (shrink() ?? play()) : (play() ?? shrink()));
  // With a budget of ticks, what is shrunk must not depend on how long anything takes.
  await runWorks(options, 'ms' in options.budget ? inTurns : play);
  isPlaying = false;
  await runWorks(options, shrink);
  const { findings, unconfirmed } = examination;
  const inTurn = <Value>(values: ReadonlyMap<string, Value>): Value[] =>
    [...told.keys()].flatMap((key) => values.get(key) ?? []);
  return {
    findings: inTurn(findings),
    unconfirmed: inTurn(unconfirmed),
    unexamined: [...told].flatMap(([key, { sighting, journal }]) =>
      examination.has(key) ? [] : [{ ...sighting, journal }],
    ),
    plays: campaign.count,
    ranges: [],
    ran,
    best: undefined,
  };
}

/**
 * If there is a goal, plays until it is reached. If there is an objective, looks for its best value.
 */
async function search(options: ExploreOptions, campaign: Campaign): Promise<Exploration> {
  const { plan, game, signal } = options;
  const { objective } = plan;
  const ranges = new Map<string, PartRange>();
  const ran = new Set<string>();
  let best: Candidate | undefined;
  const report = (phase: 'play' | 'shrink') =>
    campaign.report({ phase, sightings: best === undefined ? 0 : 1, examined: 0 });
  const reached = endedBy(signal);
  const play = campaign.plays((result, episode) => {
    for (const range of result.ranges ?? []) mergeRange(ranges, range);
    for (const path of result.ran) ran.add(path);
    for (const sighting of result.sightings) {
      const candidate = { episode, sighting };
      if (best === undefined || (objective && isGreater(candidate, best, objective))) best = candidate;
    }
    report('play');
    if (objective === undefined && best !== undefined) reached.abort();
  }, reached.signal);
  await runWorks({ ...options, signal: reached.signal }, play);
  let shrunk = 'cut' as Finding | 'cut' | undefined;
  if (best !== undefined) {
    // A shrunk play must be as good as the best one.
    const { episode, sighting } = best;
    const goal = objective === undefined ? plan.goal! : goalWith(plan, sighting.value!);
    const wanted = { ...plan, goal, objective: undefined };
    const task = { kind: 'shrink', plan: wanted, episode, short: [], deadlineMs: campaign.deadlineMs() } as const;
    const works = [
      work<Finding | 'cut' | undefined>(
        { ...task, sighting: { ...sighting, key: goalKey(goal) }, ticksMax: searchShrinkTicks },
        (result) => {
          shrunk = result;
        },
      ),
    ];
    report('shrink');
    await runWorks(options, () => works.pop());
  }
  const isCut = shrunk === 'cut';
  const finding = shrunk === 'cut' ? undefined : shrunk;
  return {
    findings: finding === undefined ? [] : [finding],
    unconfirmed: best !== undefined && !isCut && finding === undefined ? [best.sighting.message] : [],
    unexamined:
      best !== undefined && isCut
        ? [{ ...best.sighting, journal: journalOf(game, plan, best.sighting.recording!) }]
        : [],
    plays: campaign.count,
    ranges: [...ranges.values()],
    ran,
    best: objective && finding && valueAtEnd(game, plan, finding.recording),
  };
}

/** Whether the first candidate has a better value of the objective. */
function isGreater(a: Candidate, b: Candidate, { direction }: Objective): boolean {
  const difference = a.sighting.value! - b.sighting.value!;
  return direction === 'minimize' ? difference < 0 : difference > 0;
}

type Replayed = Sighting | 'cut';

/**
 * Replays findings of earlier runs for at most `ms` milliseconds. Returns a sighting for each that still occurs,
 * undefined for each that no longer does, and `cut` for each that there was no time to replay.
 */
export async function replayAll(
  options: Pick<ExploreOptions, 'plan' | 'game' | 'jobs' | 'signal'>,
  known: readonly { readonly recording: InputRecording; readonly key: string }[],
  ms: number,
  onReplayed: (count: number) => void,
): Promise<(Replayed | undefined)[]> {
  const results: (Replayed | undefined)[] = [];
  const take = inOrder<Replayed | undefined>((replayed) => {
    results.push(replayed);
    onReplayed(results.length);
  });
  const deadlineMs = performance.timeOrigin + performance.now() + ms;
  let next = 0;
  await runWorks(options, () => {
    const index = next++;
    if (index >= known.length) return undefined;
    return work<Replayed | undefined>(
      { kind: 'replay', plan: options.plan, deadlineMs, ...known[index]! },
      (replayed) => take(index, replayed),
    );
  });
  return results;
}
