import { triggerTypes } from '../../engine/index.ts';
import { insideOf } from '../../engine/internal.ts';
import type { Scene } from './scene.ts';

type Table = Record<string, number>;

/** How often what ran, by game file. Plain data that adds up over cases and threads. */
export interface Counts {
  /** By place and path: `scripts/reset/2/then/0`. */
  readonly locations: Table;
  /** By place: `scripts/reset`. */
  readonly scripts: Table;
  /** By trigger type. */
  readonly triggers: Table;
}

export function emptyCounts(): Counts {
  return { locations: {}, scripts: {}, triggers: {} };
}

export function addCounts(counts: Counts, { sim }: Scene): Counts {
  const { program, counts: byLocation, runs } = insideOf(sim).runtime;
  for (const [i, { script, path }] of program.locations.entries())
    add(counts.locations, `${script.place}/${path}`, byLocation[i]!);
  for (const [i, { place }] of program.scripts.entries()) add(counts.scripts, place, runs[i]!);
  for (const [i, type] of triggerTypes.entries()) add(counts.triggers, type, insideOf(sim).world.triggers.counts[i]!);
  return counts;
}

export function mergeCounts(into: Counts, from: Counts): void {
  for (const table of ['locations', 'scripts', 'triggers'] as const) {
    for (const [key, count] of Object.entries(from[table])) add(into[table], key, count);
  }
}

function add(table: Table, key: string, count: number): void {
  if (count > 0) table[key] = (table[key] ?? 0) + count;
}
