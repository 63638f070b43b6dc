import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../../engine/core/index.ts';
import type { HostWords } from '../../../engine/index.ts';
import {
  type CaseIdentity,
  casesThatFailed,
  failedAfter,
  lastCoverageFile,
  lastCoverageText,
  lastFailedFile,
  lastFailedText,
  readLastFailed,
  totalsOf,
} from '../../report/index.ts';
import {
  type Case,
  type CaseResult,
  casesOf,
  coverageReports,
  type FileProblem,
  findScenarioFiles,
  InvalidFile,
  isScenarioFile,
  type MutationOptions,
  type MutationReport,
  mutate,
  readScenarioFile,
  runCases,
  updateFiles,
} from '../../scenario/index.ts';
import { amount, StatusLine, shortened, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { hostWordsOf } from '../host-words.ts';
import { Pictures } from '../pictures.ts';
import { type Reporter, readReporters } from '../reporters.ts';
import { unmetThresholds } from '../thresholds.ts';
import { watchFiles } from '../watch.ts';
import type { TestOptions } from './command.ts';
import { exitCodeOf, flawedText, TestOutput } from './test-output.ts';

const workersMax = 8;
const titleMax = 50;
const missingMax = 5;

export async function test(paths: readonly string[], options: TestOptions, terminal: Terminal) {
  if (!options.watch) return once(paths, options, terminal);
  return watchFiles(
    () => watched(paths),
    (key) => {
      const more = { ...(key === 'f' && { lastFailed: true }), ...(key === 'u' && { update: true }) };
      return once(paths, { ...options, ...more }, terminal);
    },
    terminal,
    { a: 'run again', f: 'run failed scenarios', u: 'update values' },
  );
}

/** The same cases, each with the operations and triggers that the host of its game adds. */
async function withHosts(cases: readonly Case[], terminal: Terminal) {
  const hosts = new Map<string, HostWords | undefined>();
  for (const { game } of cases) if (!hosts.has(game)) hosts.set(game, await hostWordsOf(game, terminal));
  return cases.map((each) => ({ ...each, host: hosts.get(each.game) }));
}

async function once(paths: readonly string[], options: TestOptions, terminal: Terminal) {
  const start = performance.now();
  const { stdout, stderr } = terminal;
  const named = options.json ? ['json'] : options.reporter;
  const { html } = options;
  const reporters = readReporters(html === undefined ? named : [...named, `html=${html}`], options.output);
  const has = (wanted: Reporter['name']) => reporters.some(({ name }) => name === wanted);
  const isCI = !['', 'false'].includes(terminal.env['CI'] ?? '');
  const { cases: read, flaws } = readCases(paths, options, isCI && !options.allowOnly);
  const found = await withHosts(read, terminal);
  const failedBefore = options.pictures === '' ? [] : readLastFailed(join(options.pictures, lastFailedFile));
  const cases = options.lastFailed
    ? failedOrAll(chosen(found, options, terminal), failedBefore, terminal)
    : chosen(found, options, terminal);
  if (flaws.length > 0) stderr.write(flawedText(flaws));
  if (options.list) {
    stdout.write(cases.map(({ file, line, title }) => `${file}:${line ?? 1}  ${title}\n`).join(''));
    if (flaws.length > 0) return exitCodes.usage;
    return cases.length === 0 ? exitCodes.neverTrue : exitCodes.ok;
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
  const output = new TestOutput({ reporters, terminal, pictures, times: options.times, isLong: options.long === true });
  if (output.isPretty) pictures.removeOld(cases, cases.length === found.length);
  const wantsCoverage = options.coverage === true || options.mutate === true || has('html') || has('lcov');
  const workers = options.jobs ?? Math.min(workersMax, availableParallelism());
  const played = await runCases(cases, {
    wishes: {
      coverage: wantsCoverage,
      plots: has('html'),
      explains: true,
      recording: has('html') || (output.isPretty && options.pictures !== ''),
      hash: has('json'),
      update: options.update === true,
    },
    workers,
    onResult(result) {
      status.clear();
      output.result(result);
      if (options.bail && totalsOf([result]).failed > 0) {
        hasBailed = true;
        enough.abort();
      }
    },
    onProgress: (done) => status.showProgress(`${done} of ${cases.length} scenarios`, done / cases.length),
    signal,
  });
  status.clear();
  const results = played.filter((result) => result !== undefined);
  const wallMs = performance.now() - start;
  const mutation =
    options.mutate && !signal.aborted ? await judgeMutants(cases, results, { workers, signal }, status) : [];
  stopListening();
  const coverage = wantsCoverage ? coverageReports(results) : [];
  await output.finish({ results, wallMs, coverage, mutation }, flaws, options.coverage === true);
  const failed = failedAfter(failedBefore, results, found);
  if (failed.length > 0 || failedBefore.length > 0) pictures.writeFile(lastFailedFile, () => lastFailedText(failed));
  // Editors read the file with the last coverage to show how often each script ran.
  if (options.coverage) pictures.writeFile(lastCoverageFile, () => lastCoverageText(coverage));
  if (options.update) {
    for (const { file: updated, changed } of updateFiles(results)) {
      if (changed > 0) stderr.write(`updated: ${changed} in ${updated}\n`);
    }
  }
  if (signal.aborted) {
    const why = hasBailed ? 'stopped at the first failure' : 'interrupted';
    stderr.write(`${why}: ${interruptedText(results, cases, mutation)}\n`);
    return hasBailed ? exitCodes.errors : exitCodes.interrupted;
  }
  const unmet = unmetThresholds({ coverage, mutation }, options);
  for (const line of unmet) stderr.write(`requirement: ${line}\n`);
  if (flaws.length > 0) return exitCodes.usage;
  return exitCodeOf(results, unmet, options.filter, stderr);
}

/** A text about how many cases ran before the interrupt, and which did not. */
function interruptedText(results: readonly CaseResult[], cases: readonly Case[], mutation: readonly MutationReport[]) {
  const played = new Set(results.map((result) => result.case.title));
  const missing = cases.filter(({ title }) => !played.has(title)).map(({ title }) => `"${shortened(title, titleMax)}"`);
  const names = missing.slice(0, missingMax).join(', ');
  const more = missing.length > missingMax ? ` and ${missing.length - missingMax} more` : '';
  const parts = [`${results.length} of ${amount(cases.length, 'scenario')} run`];
  if (missing.length > 0) parts.push(`not run: ${names}${more}`);
  for (const { game, total, planned } of mutation)
    parts.push(`${total} of ${amount(planned, 'change')} of ${game} tested`);
  return parts.join(', ');
}

/** Hints for users who are used to `vitest run` and `--bail 1`, by the word that is taken for a path. */
const habits = new Map([
  ['run', 'Without --watch, scenarios run once: reenact test'],
  ['1', '--bail stops at the first failure and takes no number.'],
]);

function scenarioFiles(paths: readonly string[]) {
  const { files, missing } = findScenarioFiles(paths);
  const all = missing.length === 0 ? [] : findScenarioFiles(['.']).files;
  // A word that is not a path selects the scenario files whose path contains it, as in vitest.
  const named = missing.flatMap((word) => {
    const found = all.filter((file) => file.includes(word));
    if (found.length > 0) return found;
    const hint = habits.get(word) ?? `To select scenarios by their title: --filter ${word}`;
    throw new Failure('unreadable-file', `Not found: ${word}. ${hint}`);
  });
  return [...new Set([...files, ...named])];
}

/** The cases of the valid scenario files, which run nevertheless if other files have errors, the flaws. */
function readCases(paths: readonly string[], { seed, seeds, dialect }: TestOptions, forbidsOnly: boolean) {
  const files = scenarioFiles(paths);
  const flaws: FileProblem[] = [];
  const numbered = seeds === undefined ? undefined : Array.from({ length: seeds }, (_, i) => String(i + 1));
  const wanted = seed === undefined ? numbered : [seed];
  const cases = files.flatMap((file) => {
    try {
      return casesOf(readScenarioFile(file), { seeds: wanted, dialect, forbidsOnly });
    } catch (error) {
      if (!(error instanceof InvalidFile)) throw error;
      flaws.push(...error.flaws);
      return [];
    }
  });
  return { cases, flaws };
}

/** If any selected case is marked `only`, only those are run. */
function chosen(all: readonly Case[], { filter, tag, changed }: TestOptions, { stderr }: Terminal) {
  const cases = changed === undefined ? all : changedSince(typeof changed === 'string' ? changed : 'HEAD', all);
  const tagged = tag === undefined ? cases : cases.filter(({ tags }) => tag.every((word) => tags.includes(word)));
  const found = filter === undefined ? tagged : filtered(tagged, filter);
  const only = found.filter((each) => each.only);
  const left = found.length - only.length;
  if (only.length === 0 || left === 0) return found;
  stderr.write(`notice: ${left} of ${found.length} scenarios are not run, because others are marked "only"\n`);
  return only;
}

/** The cases whose scenario file or game differs from a commit, or is not in git. */
function changedSince(commit: string, cases: readonly Case[]) {
  const git = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('git', [...args, '-z'], { encoding: 'utf8' });
    if (status !== 0) throw new Failure('bad-option', `--changed: git ${args[0]} failed: ${stderr.split('\n', 1)[0]}`);
    return stdout.split('\0').map((path) => resolve(path));
  };
  const files = new Set([
    ...git('diff', '--name-only', '--relative', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]);
  return cases.filter(({ file, game }) => files.has(resolve(file)) || files.has(resolve(game)));
}

function failedOrAll(
  cases: readonly Case[],
  failedBefore: readonly CaseIdentity[],
  { stderr }: Terminal,
): readonly Case[] {
  const failed = casesThatFailed(cases, failedBefore);
  if (failed.length > 0) return failed;
  stderr.write('notice: running all scenarios, because the last run had no failures, or there was no last run\n');
  return cases;
}

/**
 * Prefers cases whose title, title without seed, or name equals the filter over those that contain it, so that a replay
 * command runs a single case.
 */
function filtered(cases: readonly Case[], filter: string) {
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
): Promise<MutationReport[]> {
  const reports: MutationReport[] = [];
  for (const game of new Set(cases.map((each) => each.game))) {
    const onProgress = (done: number, total: number) =>
      status.showProgress(`${game}: ${done} of ${total} changes`, done / total);
    reports.push(await mutate(game, cases, results, { ...options, onProgress }));
  }
  status.clear();
  return reports;
}

function watched(paths: readonly string[]) {
  const files = scenarioFiles(paths);
  const games = files.flatMap((file) => {
    try {
      return casesOf(readScenarioFile(file)).map(({ game }) => game);
    } catch (error) {
      // A file that is being written may be invalid for a moment; keep watching it.
      if (error instanceof InvalidFile) return [];
      throw error;
    }
  });
  // A missing file cannot be watched, so its folder is watched in case the file appears.
  const known = [...new Set([...files, ...games])].filter((file) => existsSync(dirname(file)));
  const folders = [...new Set([...paths.filter(isFolder), ...files.map((file) => dirname(file))])];
  return { files: known, folders, concerns: isScenarioFile };
}

function isFolder(path: string) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
