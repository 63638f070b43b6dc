import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MergeError, mergeBlobs, readBlob } from '../../report/index.ts';
import { coverageReports, definitionHashes } from '../../scenario/index.ts';
import { isSweepResults, mergeSweep, readResults, SweepError } from '../../sweep/index.ts';
import type { Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { Pictures } from '../pictures.ts';
import { readReporters } from '../reporters.ts';
import { checkOutputs, publishSweep } from '../sweep/sweep-output.ts';
import { exitCodeOf, flawedText, TestOutput } from '../test/test-output.ts';
import { unmetThresholds } from '../thresholds.ts';
import type { MergeOptions } from './command.ts';

interface Part {
  readonly path: string;
  readonly text: string;
}

/** Merges the results of `test --shard` or `sweep --shard` into what a single process would have reported. */
export async function merge(paths: readonly string[], options: MergeOptions, terminal: Terminal): Promise<number> {
  const parts = partsOf(paths);
  const ofSweeps = parts.filter(({ text }) => isSweepResults(text)).length;
  if (ofSweeps !== 0 && ofSweeps !== parts.length)
    throw new Failure(
      'bad-parts',
      'The files contain results of both tests and sweeps, which cannot be merged. Merge them separately.',
    );
  try {
    return await (ofSweeps === 0 ? mergeTests(parts, options, terminal) : mergeSweeps(parts, options, terminal));
  } catch (error) {
    if (error instanceof MergeError || error instanceof SweepError) throw new Failure(error.code, error.message);
    throw error;
  }
}

async function mergeSweeps(parts: readonly Part[], options: MergeOptions, terminal: Terminal): Promise<number> {
  if (options.reporter.length > 0)
    throw new Failure('bad-reporter', 'Sweeps have no reporters; use --output for files.');
  if (options.coverageMin !== undefined || options.mutationMin !== undefined)
    throw new Failure('bad-option', '--coverage-min and --mutation-min are for results of reenact test.');
  checkOutputs(options.output);
  const merged = mergeSweep(parts.map(({ path, text }) => ({ path, ...readResults(path, text) })));
  await publishSweep(merged, options, terminal);
  return exitCodes.ok;
}

async function mergeTests(parts: readonly Part[], options: MergeOptions, terminal: Terminal): Promise<number> {
  const [output, ...more] = options.output;
  if (more.length > 0)
    throw new Failure('bad-output', 'Name the file of each report with its reporter: --reporter junit=results.xml');
  if (options.json) throw new Failure('bad-reporter', 'For results of tests as JSON, use --reporter json.');
  const reporters = readReporters(options.reporter, output);
  if (reporters.some(({ name }) => name === 'blob'))
    throw new Failure('bad-reporter', 'The reporter "blob" is only for reenact test.');
  const { run, flaws, ...whole } = mergeBlobs(parts.map(({ path, text }) => readBlob(path, text)));
  if (flaws.length > 0) terminal.stderr.write(flawedText(flaws));
  const wantsCoverage = run.coverage || run.mutate || reporters.some(({ name }) => name === 'html');
  if (wantsCoverage) checkGames(run.games);
  const coverage = wantsCoverage ? coverageReports(whole.results) : [];
  if (options.coverageMin !== undefined && !run.coverage) throw missing('coverage');
  if (options.mutationMin !== undefined && !run.mutate) throw missing('mutation');
  const pictures = new Pictures(options.pictures, (text) => terminal.stderr.write(`${text}\n`));
  const out = new TestOutput({ reporters, terminal, pictures, times: options.times });
  for (const result of whole.results) out.result(result);
  await out.finish({ ...whole, coverage }, flaws, run.coverage);
  const unmet = unmetThresholds({ ...whole, coverage }, options);
  for (const line of unmet) terminal.stderr.write(`requirement: ${line}\n`);
  return flaws.length > 0 ? exitCodes.usage : exitCodeOf(whole.results, unmet, terminal.stderr);
}

function missing(what: 'coverage' | 'mutation'): Failure {
  const option = what === 'coverage' ? 'coverage' : 'mutate';
  return new Failure('bad-option', `--${what}-min needs parts of a run with --${option}.`);
}

/** Coverage refers to the scripts of the games, so the files must be those that were run. */
function checkGames(games: Readonly<Record<string, string>>): void {
  const found = definitionHashes(Object.keys(games));
  const changed = Object.keys(games).filter((path) => found[path] !== games[path]);
  if (changed.length > 0)
    throw new Failure(
      'other-game',
      `${changed.join(', ')} changed since the run; coverage needs the files that were run.`,
    );
}

/** The given files, and the result files in the given folders. */
function partsOf(paths: readonly string[]): Part[] {
  return paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw new Failure('unreadable-file', `${path} does not exist.`);
    if (!stat.isDirectory()) return [{ path, text: readFileSync(path, 'utf8') }];
    const inside = partsIn(path);
    if (inside.length === 0)
      throw new Failure(
        'missing-results',
        `${path} contains no results of reenact test --reporter blob or reenact sweep.`,
      );
    return inside;
  });
}

function partsIn(folder: string): Part[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => isSweepResults(text) || text.startsWith('{"reenactTest":'));
}
