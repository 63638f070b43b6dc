import { type Counts, emptyCounts, mergeCounts } from '../scenario/counts.ts';
import type { Sighting } from './detector.ts';
import type { EpisodeResult } from './episode.ts';
import { mergePlaces, type Places } from './footprints.ts';
import { mergeNearMisses, type NearMiss } from './near-misses.ts';
import type { Episode } from './plan.ts';

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
  /** Sightings that have not been replayed yet, by their keys. */
  readonly pending: Map<string, Candidate>;
}

/** A sighting, and the episode whose play showed it. Plain data. */
export interface Candidate {
  readonly episode: Episode;
  readonly sighting: Sighting;
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
    pending: new Map(),
  };
}

/** What several shards have shown together. The growth and the pending sightings are those of the first. */
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
  return { ...merged, growth: first.growth, pending: first.pending };
}

function hasSeen({ counts, seen }: Progress, key: string): boolean {
  return seen.has(key) || key in counts.locations;
}

/** The number of covered items: actions, triggers and targets. */
export function seenCount({ counts, seen }: Progress): number {
  return Object.keys(counts.locations).length + Object.keys(counts.triggers).length + seen.size;
}

/** Adds what a play has shown, except for its sightings. */
export function addPlay(
  progress: Progress,
  { ticks, counts, seen, nearMisses, places, hasSaves }: EpisodeResult,
): void {
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
