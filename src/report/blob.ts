import { type Shard, shardText } from '../run/index.ts';
import { type CaseResult, type FileProblem, type JudgedMutants, mutationReport } from '../scenario/index.ts';
import type { WholeReport } from './json.ts';

export const blobFormat = 1;

/** The settings that must be equal for results of several processes to be merged. */
export interface RunIdentity {
  readonly version: string;
  /** Hash of the selected scenarios, in order, with their content. */
  readonly scenarios: string;
  /** Hash of each game's definition, by path. */
  readonly games: Readonly<Record<string, string>>;
  readonly shards: number;
  readonly coverage: boolean;
  readonly mutate: boolean;
}

/** The results of one process for its part of a run, for `reenact merge`. Plain data. */
export interface Blob {
  readonly reenactTest: typeof blobFormat;
  readonly run: RunIdentity;
  readonly shard: Shard;
  /** The number of scenarios in all parts. */
  readonly total: number;
  readonly wallMs: number;
  /** The results, with their positions in the run. */
  readonly results: readonly (readonly [position: number, result: CaseResult])[];
  /** Problems in scenario files; every part reads all files. */
  readonly flaws: readonly FileProblem[];
  readonly mutation: readonly JudgedMutants[];
}

/** The parts cannot be merged. */
export class MergeError extends Error {
  override readonly name = 'MergeError';
  readonly code: 'damaged-results' | 'other-run' | 'twice-the-same' | 'missing-results';

  constructor(code: MergeError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

interface ReadBlob {
  readonly path: string;
  readonly blob: Blob;
}

/** Reads a file written by the reporter `blob`. Throws `MergeError`. */
export function readBlob(path: string, text: string): ReadBlob {
  try {
    const blob = JSON.parse(text) as Blob;
    if (blob.reenactTest === blobFormat && Array.isArray(blob.results) && Array.isArray(blob.mutation))
      return { path, blob };
  } catch {
    // Invalid JSON is reported below, like a file of another version.
  }
  throw new MergeError('damaged-results', `${path} does not contain test results of this version.`);
}

/** Merges the parts, in the order of the scenarios; the caller adds coverage. Throws `MergeError`. */
export function mergeBlobs(parts: readonly ReadBlob[]): Omit<WholeReport, 'coverage'> & Pick<Blob, 'flaws' | 'run'> {
  const { path, blob: first } = parts[0]!;
  const identity = JSON.stringify(first.run);
  const byShard = new Map<number, ReadBlob>();
  for (const part of parts) {
    const { index } = part.blob.shard;
    if (JSON.stringify(part.blob.run) !== identity)
      throw new MergeError(
        'other-run',
        `${part.path} and ${path} belong to different runs${difference(part.blob, first)}.`,
      );
    const before = byShard.get(index);
    if (before) {
      const which = shardText(part.blob.shard);
      throw new MergeError('twice-the-same', `${before.path} and ${part.path} are both part ${which}.`);
    }
    byShard.set(index, part);
  }
  const { shards } = first.run;
  const missing = Array.from({ length: shards }, (_, i) => i + 1).filter((index) => !byShard.has(index));
  if (missing.length > 0) throw new MergeError('missing-results', `Missing parts: ${missing.join(', ')} of ${shards}.`);
  const results: CaseResult[] = [];
  for (const { blob } of parts) for (const [position, result] of blob.results) results[position] = result;
  const unplayed = first.total - results.filter((result) => result !== undefined).length;
  if (unplayed > 0)
    throw new MergeError(
      'missing-results',
      `${unplayed} of ${first.total} scenarios were not run: a part was interrupted. Run that part again.`,
    );
  return {
    run: first.run,
    results,
    flaws: first.flaws,
    // Parts run in parallel.
    wallMs: Math.max(...parts.map(({ blob }) => blob.wallMs)),
    mutation: first.mutation.map(({ game }, i) =>
      mutationReport(parts.map(({ blob }) => blob.mutation[i] ?? { game, planned: 0, leftOut: 0, judged: [] })),
    ),
  };
}

function difference({ run: a }: Blob, { run: b }: Blob): string {
  if (a.version !== b.version) return `: versions ${a.version} and ${b.version}`;
  if (a.shards !== b.shards) return `: ${a.shards} and ${b.shards} parts`;
  if (a.scenarios !== b.scenarios) return ': different scenarios';
  const game = Object.keys({ ...a.games, ...b.games }).find((path) => a.games[path] !== b.games[path]);
  return game === undefined ? ': different options --coverage or --mutate' : `: ${game} differs`;
}
