import { cached } from '../../../engine/core/index.ts';
import type { InputRecording } from '../playing/input-recording.ts';
import { isOverAt } from '../playing/time-limit.ts';
import type { ExplorePlan } from '../searching/plan.ts';
import type { Candidate } from '../searching/progress.ts';
import { type Work, work } from '../searching/works.ts';
import type { FindingKind } from './detector.ts';
import type { Finding } from './shrink.ts';

const findingsMax = 100;
/** The tick budget for shrinking the first finding of a kind, and each further one. */
const firstTicks = 200_000;
const furtherTicks = 20_000;

/** A sighting with its play, if this run has played it. */
export interface Shown extends Candidate {
  readonly journal?: Uint8Array | undefined;
}

/** A sighting that has not been examined yet. */
interface Waiting {
  /** Of the plays that have shown the sighting, the one that is easiest to shrink. */
  candidate: Shown;
  /** How many sightings of its kind were added before. */
  readonly rank: number;
}

/** What is known of a play from which a sighting is or was examined. */
interface Known {
  /** The plays to which its sightings were shrunk. */
  readonly short: InputRecording[];
  /** Whether one of its sightings is being examined. */
  isBusy: boolean;
}

interface ExaminationOptions {
  /** When examining must end, in ms since 1970. */
  readonly deadlineMs: number;
  /** Called after each examination. `finding` is undefined if the sighting was not confirmed. */
  readonly onExamined: (key: string, finding: Finding | undefined) => void;
}

/**
 * Replays and shrinks sightings: first one of each kind, then another one of each, and so on, so that many faults do
 * not use up the time for a leak. Mistakes often occur together, so each sighting of a play is first tried with the
 * inputs to which earlier sightings of that play were shrunk. Sightings of one play are therefore examined one after
 * the other, and the result does not depend on the number of threads.
 */
export class Examination {
  readonly findings = new Map<string, Finding>();
  /** Messages of sightings that a replay of their inputs did not reproduce, by key. */
  readonly unconfirmed = new Map<string, string>();
  private waiting: Waiting[] = [];
  /** By the index of the episode. */
  private readonly plays = new Map<number, Known>();
  private readonly counts = new Map<FindingKind, number>();
  private added = 0;

  constructor(
    private readonly plan: ExplorePlan,
    private readonly options: ExaminationOptions,
  ) {}

  /** The number of examined sightings. */
  get count(): number {
    return this.findings.size + this.unconfirmed.size;
  }

  /** Queues sightings for examination. If there are too many, the last ones are left out. */
  add(candidates: readonly Shown[]) {
    for (const candidate of candidates.slice(0, findingsMax - this.added)) {
      const { kind } = candidate.sighting;
      const rank = this.counts.get(kind) ?? 0;
      this.counts.set(kind, rank + 1);
      this.added++;
      this.waiting.push({ candidate, rank });
    }
  }

  /** Examines a waiting sighting in another play that has shown it, too, if that play is easier to shrink. */
  prefer(candidate: Shown) {
    const same = this.waiting.find((each) => each.candidate.sighting.key === candidate.sighting.key);
    if (same !== undefined && effortOf(candidate) < effortOf(same.candidate)) same.candidate = candidate;
  }

  /** Whether a sighting has been replayed. */
  has(key: string): boolean {
    return this.findings.has(key) || this.unconfirmed.has(key);
  }

  /** The next sighting to examine; undefined if none is waiting, or the time is over. */
  next(): Work | undefined {
    const { deadlineMs, onExamined } = this.options;
    if (isOverAt(deadlineMs)()) return undefined;
    const [next] = this.waiting
      .filter(({ candidate }) => this.plays.get(candidate.episode.index)?.isBusy !== true)
      .sort((a, b) => a.rank - b.rank || effortOf(a.candidate) - effortOf(b.candidate));
    if (next === undefined) return undefined;
    this.waiting = this.waiting.filter((each) => each !== next);
    const { episode, sighting } = next.candidate;
    const known = cached(this.plays, episode.index, () => ({ short: [], isBusy: true }));
    known.isBusy = true;
    const { short } = known;
    const ticksMax = next.rank === 0 ? firstTicks : furtherTicks;
    // At most half of the time that is left, so that there is time for other plays and sightings.
    const endMs = (deadlineMs + performance.timeOrigin + performance.now()) / 2;
    const task = { kind: 'shrink', plan: this.plan, ...next.candidate, short, ticksMax, deadlineMs: endMs } as const;
    return work<Finding | 'cut' | undefined>(task, (finding) => {
      known.isBusy = false;
      if (finding === 'cut') return;
      const { key, message } = sighting;
      if (finding === undefined) this.unconfirmed.set(key, message);
      else {
        this.findings.set(key, finding);
        short.push(finding.recording);
      }
      onExamined(key, finding);
    });
  }
}

/** How much a play takes to shrink: its number of inputs grows with its time and its players. */
function effortOf({ episode, sighting }: Candidate): number {
  return sighting.tick * episode.players;
}
