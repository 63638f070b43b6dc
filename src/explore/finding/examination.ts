import type { InputRecording } from '../playing/input-recording.ts';
import { isOverAt } from '../playing/time-limit.ts';
import type { Episode, ExplorePlan } from '../searching/plan.ts';
import type { Candidate } from '../searching/progress.ts';
import { type Work, work } from '../searching/works.ts';
import type { Sighting } from './detector.ts';
import type { Finding, Shrunk } from './shrink.ts';

const findingsMax = 100;
/** Limits of shrinking, in ticks per finding. Within them, shrinking takes about as long in total as playing. */
const ticksMin = 10_000;
const ticksMax = 200_000;
/** The least tick budget for shrinking in total, so that short explorations also give readable findings. */
const totalTicksMin = 200_000;
/** The sightings of one play share this fraction of the remaining ticks. */
const share = 0.5;

/** The sightings of one play, which is recorded once. */
interface Group {
  readonly episode: Episode;
  readonly sightings: readonly Sighting[];
  readonly ticksMax: number;
  /** How many of the sightings have been examined. */
  done: number;
  recorded?: InputRecording;
  readonly short: InputRecording[];
}

interface ExaminationOptions {
  /** How many ticks the exploration plays in total, as far as known. */
  readonly totalTicks: () => number;
  /** When examining must end, in ms since 1970. */
  readonly deadlineMs: number;
  /** Called after each examination. `finding` is undefined if the sighting was not confirmed. */
  readonly onExamined: (key: string, finding: Finding | undefined) => void;
}

/**
 * Replays and shrinks sightings. Mistakes often occur together, so each sighting of a play is first tried with the
 * inputs to which the earlier sightings of that play were shrunk. Sightings of one play are therefore examined one
 * after the other, and the result does not depend on the number of threads.
 */
export class Examination {
  readonly findings = new Map<string, Finding>();
  /** Messages of sightings that a replay of their inputs did not reproduce, by key. */
  readonly unconfirmed = new Map<string, string>();
  private readonly waiting: Group[] = [];
  private added = 0;
  private usedTicks = 0;

  constructor(
    private readonly plan: ExplorePlan,
    private readonly options: ExaminationOptions,
  ) {}

  /** The number of examined sightings. */
  get count(): number {
    return this.findings.size + this.unconfirmed.size;
  }

  private get leftTicks(): number {
    return Math.max(totalTicksMin, this.options.totalTicks()) - this.usedTicks;
  }

  /** Queues sightings for examination. If there are too many, the last ones are left out. */
  add(candidates: readonly Candidate[]) {
    const wanted = candidates.slice(0, findingsMax - this.added);
    if (wanted.length === 0) return;
    this.added += wanted.length;
    const left = this.leftTicks * share;
    const ticks = Math.round(Math.min(ticksMax, Math.max(ticksMin, left / wanted.length)));
    this.usedTicks += ticks * wanted.length;
    const groups = new Map<number, { episode: Episode; sightings: Sighting[] }>();
    for (const { episode, sighting } of wanted) {
      const group = groups.get(episode.index) ?? { episode, sightings: [] };
      groups.set(episode.index, group);
      group.sightings.push(sighting);
    }
    for (const group of groups.values()) this.waiting.push({ ...group, ticksMax: ticks, done: 0, short: [] });
  }

  /** Whether a sighting has been replayed. */
  has(key: string): boolean {
    return this.findings.has(key) || this.unconfirmed.has(key);
  }

  /** The next sighting to examine; undefined if none is waiting, or the time is over. */
  next(): Work | undefined {
    const { deadlineMs } = this.options;
    const group = isOverAt(deadlineMs)() ? undefined : this.waiting.shift();
    if (group === undefined) return undefined;
    const { episode, sightings, done, recorded, short } = group;
    const task = { kind: 'shrink', plan: this.plan, episode, sightings: sightings.slice(done), deadlineMs } as const;
    return work<Shrunk | 'cut'>({ ...task, recorded, short, ticksMax: group.ticksMax }, (shrunk) => {
      if (shrunk === 'cut') return;
      group.recorded = shrunk.recorded;
      group.done++;
      // The group goes to the front of the queue. It must be waiting again before an idle thread finds no work and
      // ends.
      if (group.done < sightings.length) this.waiting.unshift(group);
      const { key, message } = sightings[done]!;
      const { finding } = shrunk;
      if (finding === undefined) this.unconfirmed.set(key, message);
      else {
        this.findings.set(key, finding);
        short.push(finding.recording);
      }
      this.options.onExamined(key, finding);
    });
  }
}
