import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf } from '../../../engine/core/index.ts';
import {
  type Blob,
  blobFormat,
  type CaseIdentity,
  casesThatFailed,
  failedAfter,
  lastCoverageFile,
  lastCoverageText,
  lastFailedFile,
  lastFailedText,
  type RunIdentity,
  readLastFailed,
  totalsOf,
} from '../../report/index.ts';
import { isInShard, positionsIn, shardText } from '../../run/index.ts';
import {
  type Case,
  type CaseProgress,
  type CaseResult,
  casesOf,
  coverageReports,
  definitionHashes,
  type FileProblem,
  findScenarioFiles,
  InvalidFile,
  isScenarioFile,
  type JudgedMutants,
  type MutationOptions,
  type MutationReport,
  mutate,
  mutationReport,
  readScenarioFile,
  runCases,
  updateFiles,
} from '../../scenario/index.ts';
import { amount, StatusLine, shortened, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { Pictures } from '../pictures.ts';
import { type Reporter, readReporters } from '../reporters.ts';
import { unmetThresholds } from '../thresholds.ts';
import { packageVersion } from '../version.ts';
import { type Watched, watchFiles } from '../watch.ts';
import type { TestOptions } from './command.ts';
import { exitCodeOf, flawedText, TestOutput } from './test-output.ts';

const workersMax = 8;
const titleMax = 50;
const missingMax = 5;

export async function test(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<number> {
  if (options.explore !== undefined) return withExploring(paths, options, options.explore, terminal);
  if (!options.watch) return once(paths, options, terminal);
  return watchFiles(
    () => watched(paths),
    () => once(paths, options, terminal),
    terminal,
  );
}

/** Plays the scenarios, then explores their games, in equal parts of the time. A failure of either is a failure. */
async function withExploring(
  paths: readonly string[],
  options: TestOptions,
  seconds: number,
  terminal: Terminal,
): Promise<number> {
  const code = await once(paths, options, terminal);
  if (code !== exitCodes.ok && code !== exitCodes.errors) return code;
  const games = [...new Set(chosen(readCases(paths, options).cases, options).map(({ game }) => game))];
  const folder = options.pictures === '' ? '.reenact' : options.pictures;
  const { exploreGames } = await import('../explore/explore.ts');
  const explored = await exploreGames(games, { seconds, jobs: options.workers, folder }, terminal);
  return explored === exitCodes.ok ? code : explored;
}

async function once(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<number> {
  const start = performance.now();
  const { stdout, stderr } = terminal;
  const { shard } = options;
  const reporters = readReporters(options.json ? ['json'] : options.reporter, options.output, shard);
  const has = (wanted: Reporter['name']): boolean => reporters.some(({ name }) => name === wanted);
  const { cases: found, flaws } = readCases(paths, options);
  const failedBefore = options.pictures === '' ? [] : readLastFailed(join(options.pictures, lastFailedFile));
  const all = options.lastFailed ? failedOrAll(chosen(found, options), failedBefore, terminal) : chosen(found, options);
  const positions = positionsIn(all.length, shard);
  const own = positions.map((position) => all[position]!);
  if (flaws.length > 0) stderr.write(flawedText(flaws));
  if (options.list) {
    stdout.write(own.map(({ file, line, title }) => `${file}:${line ?? 1}  ${title}\n`).join(''));
    if (flaws.length > 0) return exitCodes.usage;
    return all.length === 0 ? exitCodes.neverTrue : exitCodes.ok;
  }
  const enough = new AbortController();
  const { signal } = enough;
  let hasBailed = false;
  const stopListening = terminal.onInterrupt(() => enough.abort());
  const status = new StatusLine(terminal.stderr);
  const pictures = new Pictures(options.pictures, (text) => {
    status.clear();
    stderr.write(`${text}\n`);
  });
  const output = new TestOutput({ reporters, terminal, pictures, times: options.times });
  if (output.isPretty) pictures.removeOld(own, own.length === found.length);
  // Judging a mutation requires the results of every scenario that runs the changed code, even those of other parts.
  const played = options.mutate ? all : own;
  const isOwn = (index: number): boolean => shard === undefined || !options.mutate || isInShard(index, shard);
  const wantsCounts = options.coverage === true || options.mutate === true || has('html') || has('blob');
  const workers = options.workers ?? Math.min(workersMax, availableParallelism());
  const playedResults = await runCases(played, {
    wishes: {
      coverage: wantsCounts,
      plots: has('html') || has('blob'),
      explains: true,
      recording: has('html') || has('blob') || (output.isPretty && options.pictures !== ''),
      hash: has('json') || has('blob'),
      update: options.update === true,
    },
    workers,
    onResult(result, index) {
      if (!isOwn(index)) return;
      status.clear();
      output.result(result);
      if (options.bail && totalsOf([result]).failed > 0) {
        hasBailed = true;
        enough.abort();
      }
    },
    onProgress: (progress) => status.showProgress(progressText(progress, played.length), progress.done / played.length),
    signal,
  });
  status.clear();
  const placed = playedResults
    .filter((_, index) => isOwn(index))
    .flatMap((result, index) => (result === undefined ? [] : [[positions[index]!, result] as const]));
  const results = placed.map(([, result]) => result);
  const wallMs = performance.now() - start;
  const judged =
    options.mutate && !signal.aborted
      ? await judgeMutants(played, playedResults as CaseResult[], { shard, workers, signal }, status)
      : [];
  stopListening();
  const mutation = judged.map((each) => mutationReport([each]));
  const coverage = options.coverage || options.mutate || has('html') ? coverageReports(results) : [];
  const blob = (): Blob => ({
    reenactTest: blobFormat,
    run: identityOf(all, options),
    shard: shard ?? { index: 1, count: 1 },
    total: all.length,
    wallMs: options.times ? wallMs : 0,
    results: options.times ? placed : placed.map(([position, result]) => [position, { ...result, wallMs: 0 }]),
    flaws,
    mutation: judged,
  });
  await output.finish({ results, wallMs, coverage, mutation }, flaws, options.coverage === true, blob);
  const failed = failedAfter(failedBefore, results, found);
  if (failed.length > 0 || failedBefore.length > 0) pictures.writeFile(lastFailedFile, () => lastFailedText(failed));
  // Editors show the counts.
  if (options.coverage) pictures.writeFile(lastCoverageFile, () => lastCoverageText(coverage));
  if (options.update) {
    for (const { file: updated, changed } of updateFiles(results)) {
      if (changed > 0) stderr.write(`updated: ${changed} in ${updated}\n`);
    }
  }
  if (signal.aborted) {
    const why = hasBailed ? 'stopped at the first failure' : 'interrupted';
    stderr.write(`${why}: ${interruptedText(results, own, mutation)}\n`);
    return hasBailed ? exitCodes.errors : exitCodes.interrupted;
  }
  const unmet = unmetThresholds({ coverage, mutation }, options);
  for (const line of unmet) stderr.write(`requirement: ${line}\n`);
  if (flaws.length > 0) return exitCodes.usage;
  if (own.length === 0 && all.length > 0) {
    stderr.write(`notice: part ${shardText(shard!)} contains none of the ${amount(all.length, 'scenario')}\n`);
    return exitCodes.ok;
  }
  return exitCodeOf(results, unmet, stderr);
}

function progressText({ done, playing }: CaseProgress, count: number): string {
  const now = playing && `: ${shortened(playing.title, titleMax)} at ${playing.simulatedSeconds.toFixed(0)} s`;
  return `${done} of ${count} scenarios${now ?? ''}`;
}

/** Lists how many cases were run before the interrupt, and which were not. */
function interruptedText(
  results: readonly CaseResult[],
  cases: readonly Case[],
  mutation: readonly MutationReport[],
): string {
  const played = new Set(results.map((result) => result.case.title));
  const missing = cases.filter(({ title }) => !played.has(title)).map(({ title }) => `"${shortened(title, titleMax)}"`);
  const names = missing.slice(0, missingMax).join(', ');
  const more = missing.length > missingMax ? ` and ${missing.length - missingMax} more` : '';
  const parts = [`${results.length} of ${amount(cases.length, 'scenario')} run`];
  if (missing.length > 0) parts.push(`not run: ${names}${more}`);
  for (const { game, total, planned } of mutation)
    parts.push(`${total} of ${amount(planned, 'change')} of ${game} judged`);
  return parts.join(', ');
}

interface FoundCases {
  readonly cases: readonly Case[];
  /** Errors in scenario files; the valid files are run nevertheless. */
  readonly flaws: readonly FileProblem[];
}

function readCases(paths: readonly string[], { seed, seeds }: TestOptions): FoundCases {
  const { files, missing } = findScenarioFiles(paths);
  if (missing.length > 0) throw new Failure('unreadable-file', `Not found: ${missing.join(', ')}.`);
  const flaws: FileProblem[] = [];
  const wanted =
    seed !== undefined
      ? [seed]
      : seeds === undefined
        ? undefined
        : Array.from({ length: seeds }, (_, i) => String(i + 1));
  const cases = files.flatMap((file) => {
    try {
      return casesOf(readScenarioFile(file), { seeds: wanted });
    } catch (error) {
      if (!(error instanceof InvalidFile)) throw error;
      flaws.push(...error.flaws);
      return [];
    }
  });
  return { cases, flaws };
}

/** If any selected case is marked `only`, only those are run. */
function chosen(cases: readonly Case[], { filter, tag }: TestOptions): readonly Case[] {
  const tagged = tag === undefined ? cases : cases.filter(({ tags }) => tag.every((word) => tags.includes(word)));
  const found = filter === undefined ? tagged : filtered(tagged, filter);
  const only = found.filter((each) => each.only);
  return only.length > 0 ? only : found;
}

function failedOrAll(
  cases: readonly Case[],
  failedBefore: readonly CaseIdentity[],
  { stderr }: Terminal,
): readonly Case[] {
  const failed = casesThatFailed(cases, failedBefore);
  if (failed.length > 0) return failed;
  stderr.write('notice: none of the scenarios failed in the last run, or there was none; all are run\n');
  return cases;
}

/**
 * Prefers cases whose title, title without seed, or name equals the filter over those that contain it, so that a replay
 * command runs a single case.
 */
function filtered(cases: readonly Case[], filter: string): readonly Case[] {
  const exactly = [({ title }: Case) => title, ({ name }: Case) => name, ({ plan }: Case) => plan.name];
  for (const nameOf of exactly) {
    const exact = cases.filter((each) => nameOf(each) === filter);
    if (exact.length > 0) return exact;
  }
  return cases.filter(filterOf(filter));
}

/** Matches a text anywhere in the title, or a pattern `/…/`. */
function filterOf(filter: string): (each: Case) => boolean {
  const pattern = /^\/(.+)\/([i]?)$/.exec(filter);
  if (pattern !== null) {
    try {
      const compiled = new RegExp(pattern[1]!, pattern[2]);
      return ({ title }) => compiled.test(title);
    } catch (error) {
      throw new Failure('bad-filter', messageOf(error));
    }
  }
  const text = filter.toLowerCase();
  return ({ title }) => title.toLowerCase().includes(text);
}

async function judgeMutants(
  cases: readonly Case[],
  results: readonly CaseResult[],
  options: Omit<MutationOptions, 'onProgress'>,
  status: StatusLine,
): Promise<JudgedMutants[]> {
  const judged: JudgedMutants[] = [];
  for (const game of new Set(cases.map((each) => each.game))) {
    const onProgress = (done: number, total: number): void =>
      status.showProgress(`${game}: ${done} of ${total} changes`, done / total);
    judged.push(await mutate(game, cases, results, { ...options, onProgress }));
  }
  status.clear();
  return judged;
}

/** The settings that all parts of one run share. */
function identityOf(cases: readonly Case[], { shard, coverage = false, mutate = false }: TestOptions): RunIdentity {
  return {
    version: packageVersion(),
    scenarios: createHash('sha256').update(JSON.stringify(cases)).digest('hex'),
    games: definitionHashes(cases.map(({ game }) => game)),
    shards: shard?.count ?? 1,
    coverage,
    mutate,
  };
}

function watched(paths: readonly string[]): Watched {
  const { files, missing } = findScenarioFiles(paths);
  if (missing.length > 0) throw new Failure('unreadable-file', `Not found: ${missing.join(', ')}.`);
  const games = files.flatMap((file) => {
    try {
      return casesOf(readScenarioFile(file)).map(({ game }) => game);
    } catch (error) {
      // A file that is being written may be invalid for a moment; keep watching it.
      if (error instanceof InvalidFile) return [];
      throw error;
    }
  });
  // A missing file cannot be watched; the folder of its scenario file is, in case it appears.
  const known = [...new Set([...files, ...games])].filter((file) => existsSync(dirname(file)));
  const folders = [...new Set([...paths.filter(isFolder), ...files.map((file) => dirname(file))])];
  return { files: known, folders, concerns: isScenarioFile };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
