import { playCounts, type Simulation, scriptsIn } from '../../../engine/index.ts';

type Table = Record<string, number>;

/** Execution counts of one game. Plain data that can be summed over cases and threads. */
export interface Counts {
  /** By source location, such as `scripts/reset/2/then/0`. */
  readonly locations: Table;
  /** By script, such as `scripts/reset`. */
  readonly scripts: Table;
  /** By trigger type. */
  readonly triggers: Table;
}

export function emptyCounts(): Counts {
  return { locations: {}, scripts: {}, triggers: {} };
}

export function addCounts(counts: Counts, { sim }: { readonly sim: Simulation }): Counts {
  const { scripts, locations } = scriptsIn(sim);
  const played = playCounts(sim);
  for (const [i, { script, path }] of locations.entries())
    add(counts.locations, `${script.place}/${path}`, played.locations[i]!);
  for (const [i, { place }] of scripts.entries()) add(counts.scripts, place, played.scripts[i]!);
  for (const [type, count] of played.triggers) add(counts.triggers, type, count);
  return counts;
}

export function mergeCounts(into: Counts, from: Counts) {
  for (const table of ['locations', 'scripts', 'triggers'] as const) {
    for (const [key, count] of Object.entries(from[table])) add(into[table], key, count);
  }
}

function add(table: Table, key: string, count: number) {
  if (count > 0) table[key] = (table[key] ?? 0) + count;
}
