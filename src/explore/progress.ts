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
  readonly nearMisses: Map<string, NearMiss>;
  /** Where the units of players were. */
  readonly places: Places;
  /** How many ticks had been played when a play covered something for the last time. */
  newsTicks: number;
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
    nearMisses: new Map(),
    places: {},
    newsTicks: 0,
    pending: new Map(),
  };
}

/** What several shards have shown together. The last news and the pending sightings are those of the first. */
export function mergeProgress([first, ...others]: readonly [Progress, ...Progress[]]): Progress {
  if (others.length === 0) return first;
  const merged = newProgress();
  for (const { next, ticks, counts, nearMisses, places } of [first, ...others]) {
    merged.next += next;
    merged.ticks += ticks;
    mergeCounts(merged.counts, counts);
    mergeNearMisses(merged.nearMisses, [...nearMisses.values()]);
    mergePlaces(merged.places, places);
  }
  return { ...merged, newsTicks: first.newsTicks, pending: first.pending };
}

/** The number of covered items: actions and triggers. */
export function seenCount({ counts }: Progress): number {
  return Object.keys(counts.locations).length + Object.keys(counts.triggers).length;
}

/** Adds what a play has shown, except for its sightings. */
export function addPlay(progress: Progress, { ticks, counts, nearMisses, places }: EpisodeResult): void {
  const before = seenCount(progress);
  progress.next++;
  progress.ticks += ticks;
  mergeCounts(progress.counts, counts);
  mergeNearMisses(progress.nearMisses, nearMisses);
  mergePlaces(progress.places, places);
  if (seenCount(progress) > before) progress.newsTicks = progress.ticks;
}
