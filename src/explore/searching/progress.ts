import type { Sighting } from '../finding/detector.ts';
import type { Episode } from './plan.ts';

/** The state of an exploration between runs; the next run with the same corpus continues from it. */
export interface Progress {
  /** The index of the next episode. */
  next: number;
  ticks: number;
  /** Sightings that have not been replayed yet, by their keys. */
  readonly pending: Map<string, Candidate>;
}

/** A sighting, and the episode whose play showed it. Plain data. */
export interface Candidate {
  readonly episode: Episode;
  readonly sighting: Sighting;
}

export function newProgress(): Progress {
  return { next: 0, ticks: 0, pending: new Map() };
}
