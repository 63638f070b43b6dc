import type { LoadedGame } from '../../../engine/index.ts';
import type { Finding } from '../finding/shrink.ts';
import type { EpisodeResult } from '../playing/episode.ts';
import { type Episode, type ExplorePlan, episodeOf, episodesFor, isSearch } from './plan.ts';
import type { Progress } from './progress.ts';
import { inOrder, type Work, work } from './works.ts';

export interface ExploreOptions {
  readonly plan: ExplorePlan;
  readonly game: LoadedGame;
  /** Ticks per simulated second. */
  readonly rate: number;
  /**
   * Either a number of ticks, so that the result does not depend on the machine, or a time for the whole exploration.
   */
  readonly budget: { readonly ticks: number } | { readonly ms: number };
  readonly jobs: number;
  /** Keys of known findings, which were already replayed and are not examined again. */
  readonly known?: ReadonlySet<string>;
  /** The progress of the exploration, which is updated while exploring. */
  readonly progress: Progress;
  /** Called after each play, in the order of the episodes, after each examined sighting, and once a second. */
  readonly onProgress: (state: ExploreState) => void;
  /** Called as soon as a sighting is confirmed and shrunk. */
  readonly onFinding?: (finding: Finding) => void;
  readonly signal: AbortSignal;
}

export interface ExploreState {
  /** The current phase: `shrink` once the last play has ended. */
  readonly phase: 'play' | 'shrink';
  readonly ticks: number;
  /** How much of the budget is used up, from 0 to 1. */
  readonly share: number;
  readonly sightings: number;
  /** Sightings that have been replayed. */
  readonly examined: number;
}

const reportMs = 1000;
/** Plays end after this share of the time; the rest is for replaying the last sightings. */
const playShare = 0.9;
/**
 * One play that looks for mistakes takes at most this share of the time, so that there is time for others and for
 * replays.
 */
const onePlayShare = 1 / 3;

type TakePlay = (result: EpisodeResult, episode: Episode) => void;

/** The plays of an exploration, and how much of its budget they use. */
export class Campaign {
  /** How long the ended tasks took, in ms. */
  readonly ms = { play: 0, shrink: 0 };
  private readonly first: number;
  private readonly ticksBefore: number;
  private readonly startMs = performance.now();
  private readonly reports: NodeJS.Timeout;
  private state: Pick<ExploreState, 'phase' | 'sightings' | 'examined'> = { phase: 'play', sightings: 0, examined: 0 };

  constructor(private readonly options: ExploreOptions) {
    this.first = options.progress.next;
    this.ticksBefore = options.progress.ticks;
    this.reports = setInterval(() => this.report(this.state), reportMs);
  }

  /** Stops the progress report that is sent once a second. */
  close() {
    clearInterval(this.reports);
  }

  /** The number of plays in this run. */
  get count(): number {
    return this.options.progress.next - this.first;
  }

  /** Measures a task from now to its end. */
  timed({ task, take }: Work, purpose: keyof Campaign['ms']): Work {
    const startMs = performance.now();
    return {
      task,
      take: (result) => {
        this.ms[purpose] += performance.now() - startMs;
        take(result);
      },
    };
  }

  get ticks(): number {
    return this.options.progress.ticks - this.ticksBefore;
  }

  /**
   * When everything must end, in ms since 1970; with `share`, when that part of the time is over. Infinity for a budget
   * in ticks.
   */
  deadlineMs(share = 1): number {
    const { budget } = this.options;
    return 'ms' in budget ? performance.timeOrigin + this.startMs + budget.ms * share : Infinity;
  }

  report(state: Pick<ExploreState, 'phase' | 'sightings' | 'examined'>) {
    const { onProgress, budget } = this.options;
    this.state = state;
    const share = 'ticks' in budget ? this.ticks / budget.ticks : (performance.now() - this.startMs) / budget.ms;
    onProgress({ ...state, ticks: this.ticks, share: Math.min(1, share) });
  }

  /**
   * Returns a function that gives the next play to start; undefined once the budget is used up. `take` receives the
   * results in the order of the episodes. Results that arrive after `reached` is aborted are ignored.
   */
  plays(take: TakePlay, reached?: AbortSignal): () => Work | undefined {
    const { plan, rate, budget } = this.options;
    const planned = 'ticks' in budget ? episodesFor(plan, rate, this.first, budget.ticks) : undefined;
    const episodeAt = (i: number): Episode | undefined =>
      planned === undefined ? episodeOf(plan, rate, this.first + i) : planned[i];
    const pass = inOrder<EpisodeResult>((result, index) => {
      // Ignores later plays: which of them have been started depends on the threads.
      if (reached?.aborted) return;
      this.options.progress.next++;
      this.options.progress.ticks += result.ticks;
      take(result, episodeAt(index)!);
    });
    let next = 0;
    const endMs = this.deadlineMs(playShare);
    const onePlayMs = isSearch(plan) ? Infinity : this.deadlineMs(onePlayShare) - this.deadlineMs(0);
    return () => {
      const index = next;
      const episode = episodeAt(index);
      const nowMs = performance.timeOrigin + performance.now();
      if (episode === undefined || nowMs >= endMs) return undefined;
      next++;
      const deadlineMs = Math.min(endMs, nowMs + onePlayMs);
      const play = work<EpisodeResult>({ kind: 'play', plan, episode, deadlineMs }, (result) => pass(index, result));
      return this.timed(play, 'play');
    };
  }
}
