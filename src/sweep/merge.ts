import { shardText } from '../run/index.ts';
import { playsOf, type Setting, type SweepPlan, type SweepPlay } from './plan.ts';
import { type ReadResults, type Result, ResultsFile } from './results.ts';
import { resultsOf } from './run-sweep.ts';
import { SweepError } from './sweep-error.ts';

interface MergedSweep {
  readonly plan: SweepPlan;
  readonly settings: readonly Setting[];
  /** The results of all runs, in the order in which a single process would have them. */
  readonly results: readonly Result[];
}

interface SweepPart extends ReadResults {
  readonly path: string;
}

/** Merges the parts of a sweep. Throws `SweepError` if they are incomplete or do not belong together. */
export function mergeSweep(parts: readonly SweepPart[]): MergedSweep {
  const first = parts[0]!;
  const asked = wantedOf(first);
  const results = new Map<string, Result>();
  const shards = new Set<number>();
  for (const part of parts) {
    if (JSON.stringify(part.identity) !== JSON.stringify(first.identity))
      throw new SweepError('other-sweep', `${part.path} and ${first.path} contain results of different sweeps.`);
    const { settings, seeds, shard } = wantedOf(part);
    if (
      JSON.stringify([settings, seeds, shard.count]) !==
      JSON.stringify([asked.settings, asked.seeds, asked.shard.count])
    )
      throw new SweepError(
        'other-sweep',
        `${part.path} and ${first.path} have different values, seeds or numbers of parts.`,
      );
    shards.add(shard.index);
    for (const result of part.results) results.set(ResultsFile.key(result), result);
  }
  const plays = playsOf(asked.settings, asked.seeds);
  const found = resultsOf(plays, results);
  if (found.length < plays.length)
    throw new SweepError('missing-results', missingText(plays, found, asked.shard.count, shards));
  return { plan: first.identity.plan, settings: asked.settings, results: found };
}

function wantedOf({ wanted, path }: SweepPart): NonNullable<ReadResults['wanted']> {
  if (wanted !== undefined) return wanted;
  throw new SweepError('damaged-results', `${path} is incomplete: it does not contain the settings of the sweep.`);
}

function missingText(
  plays: readonly SweepPlay[],
  found: readonly Result[],
  count: number,
  shards: ReadonlySet<number>,
): string {
  const absent = Array.from({ length: count }, (_, i) => i + 1).filter((index) => !shards.has(index));
  const parts = absent.map((index) => shardText({ index, count })).join(', ');
  const missing = `${plays.length - found.length} of ${plays.length} runs are missing`;
  return parts === ''
    ? `${missing}: a part was interrupted. Run it again.`
    : `${missing}; add the results of part ${parts}.`;
}
