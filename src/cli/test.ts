import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { coverageText } from '../report/coverage-text.ts';
import type { WholeReport } from '../report/json.ts';
import { mutationText, resultText } from '../report/pretty.ts';
import { totalsOf, totalsText } from '../report/result-text.ts';
import { type Case, casesOf } from '../scenario/cases.ts';
import { emptyCounts, mergeCounts } from '../scenario/counts.ts';
import { type CoverageReport, coverageOf } from '../scenario/coverage.ts';
import { findScenarioFiles, isScenarioFile } from '../scenario/find.ts';
import { Games } from '../scenario/games.ts';
import { type MutationReport, mutate } from '../scenario/mutate.ts';
import type { CaseResult } from '../scenario/play-case.ts';
import { type Flaw, FlawedFile, flawText, readScenarioFile } from '../scenario/read.ts';
import { type CaseProgress, runCases } from '../scenario/run-cases.ts';
import { updateFiles } from '../scenario/update.ts';
import { painter } from '../text/paint.ts';
import { StatusLine } from '../text/status-line.ts';
import type { Terminal } from '../text/terminal.ts';
import { amount, shortened } from '../text/words.ts';
import { exitCodes, Failure } from './failure.ts';
import { wantsColor } from './format-issues.ts';
import { Pictures } from './pictures.ts';
import { publishReport, readReporters } from './reporters.ts';
import { type Watched, watchFiles } from './watch.ts';

export interface TestOptions {
  readonly filter?: string;
  readonly tag?: readonly string[];
  readonly seed?: string;
  readonly seeds?: number;
  readonly workers?: number;
  /** `pretty`, `junit=results.xml`. */
  readonly reporter: readonly string[];
  readonly output?: string;
  readonly pictures: string;
  readonly coverage?: boolean;
  readonly mutate?: boolean;
  readonly update?: boolean;
  readonly watch?: boolean;
  readonly list?: boolean;
}

const workersMax = 8;
const titleMax = 50;
const missingMax = 5;

export async function test(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<number> {
  if (!options.watch) return once(paths, options, terminal);
  return watchFiles(
    () => watched(paths),
    () => once(paths, options, terminal),
    terminal,
  );
}

async function once(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<number> {
  const start = performance.now();
  const { stdout, stderr } = terminal;
  const reporters = readReporters(options.reporter, options.output);
  const has = (wanted: string): boolean => reporters.some(({ name }) => name === wanted);
  const isPretty = has('pretty') || (has('html') && reporters.every(({ file }) => file !== undefined));
  const paint = painter(isPretty && wantsColor(stdout, terminal.env));
  const { cases: all, flaws } = readCases(paths, options);
  const cases = chosen(all, options);
  if (flaws.length > 0) stderr.write(flawedText(flaws));
  if (options.list) {
    stdout.write(cases.map(({ file, line, title }) => `${file}:${line ?? 1}  ${title}\n`).join(''));
    if (flaws.length > 0) return exitCodes.usage;
    return cases.length === 0 ? exitCodes.neverTrue : exitCodes.ok;
  }
  const enough = new AbortController();
  const { signal } = enough;
  const stopListening = terminal.onInterrupt(() => enough.abort());
  const status = new StatusLine(terminal.stderr);
  const pictures = new Pictures(options.pictures, (text) => {
    status.clear();
    stderr.write(`${text}\n`);
  });
  if (isPretty) pictures.removeOld(cases, cases.length === all.length);
  let file = '';
  const onResult = (result: CaseResult): void => {
    if (!isPretty) return;
    status.clear();
    if (result.case.file !== file) {
      file = result.case.file;
      stdout.write(`${paint('bold', file)}\n`);
    }
    stdout.write(resultText(result, paint, pictures.save(result)));
  };
  const wantsCounts = options.coverage === true || options.mutate === true || has('html');
  const workers = options.workers ?? Math.min(workersMax, availableParallelism());
  const results = await runCases(cases, {
    wishes: {
      coverage: wantsCounts,
      plots: has('html'),
      hash: has('json'),
      update: options.update === true,
    },
    workers,
    onResult,
    onProgress: (progress) => status.show(progressText(progress, cases.length)),
    signal,
  });
  status.clear();
  const wallMs = performance.now() - start;
  const coverage = wantsCounts ? coverageReports(results) : [];
  const mutation =
    options.mutate && !signal.aborted ? await mutationReports(cases, results, workers, status, signal) : [];
  stopListening();
  const whole: WholeReport = { results, wallMs, coverage, mutation };
  if (isPretty) {
    if (options.coverage) for (const each of coverage) stdout.write(coverageText(each));
    for (const each of mutation) stdout.write(mutationText(each, paint));
    stdout.write(`${totalsText(totalsOf(results), wallMs)}\n`);
  }
  for (const reporter of reporters) await publishReport(reporter, whole, flaws, terminal);
  for (const { name, file: path } of reporters) {
    if (isPretty && name !== 'pretty' && path !== undefined) stdout.write(`report: ${path}\n`);
  }
  if (options.update) {
    for (const { file: updated, changed } of updateFiles(results)) {
      if (changed > 0) stderr.write(`updated: ${changed} in ${updated}\n`);
    }
  }
  if (signal.aborted) {
    stderr.write(`interrupted: ${interruptedText(results, cases, mutation)}\n`);
    return exitCodes.interrupted;
  }
  if (flaws.length > 0) return exitCodes.usage;
  return exitCodeOf(results, stderr);
}

function progressText({ done, playing }: CaseProgress, count: number): string {
  const now = playing && `: ${shortened(playing.title, titleMax)} at ${playing.simulatedSeconds.toFixed(0)} s`;
  return `${done} of ${count} scenarios${now ?? ''}`;
}

/** What was done before an interrupt, and what was not. */
function interruptedText(
  results: readonly CaseResult[],
  cases: readonly Case[],
  mutation: readonly MutationReport[],
): string {
  const played = new Set(results.map((result) => result.case.title));
  const missing = cases.filter(({ title }) => !played.has(title)).map(({ title }) => `"${shortened(title, titleMax)}"`);
  const names = missing.slice(0, missingMax).join(', ');
  const more = missing.length > missingMax ? ` and ${missing.length - missingMax} more` : '';
  const parts = [`${results.length} of ${amount(cases.length, 'scenario')} played`];
  if (missing.length > 0) parts.push(`not ${names}${more}`);
  for (const { game, total, planned } of mutation)
    parts.push(`${total} of ${amount(planned, 'change')} of ${game} judged`);
  return parts.join(', ');
}

function exitCodeOf(results: readonly CaseResult[], stderr: Terminal['stderr']): number {
  const { passed, failed } = totalsOf(results);
  if (failed > 0) return exitCodes.errors;
  if (passed > 0) return exitCodes.ok;
  stderr.write('nothing-ran: no scenario was played, which is not the same as all passing.\n');
  return exitCodes.neverTrue;
}

interface FoundCases {
  readonly cases: readonly Case[];
  /** Of files that are not understood; the others are played all the same. */
  readonly flaws: readonly Flaw[];
}

function readCases(paths: readonly string[], { seed, seeds }: TestOptions): FoundCases {
  const { files, missing } = findScenarioFiles(paths);
  if (missing.length > 0) throw new Failure('unreadable-file', `There is no ${missing.join(', ')}.`);
  const flaws: Flaw[] = [];
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
      if (!(error instanceof FlawedFile)) throw error;
      flaws.push(...error.flaws);
      return [];
    }
  });
  return { cases, flaws };
}

function flawedText(flaws: readonly Flaw[]): string {
  const count = new Set(flaws.map(({ file }) => file)).size;
  const head = `bad-scenario: ${count === 1 ? 'A scenario file is' : 'Scenario files are'} not understood.`;
  return `${[head, ...flaws.map(flawText)].join('\n')}\n`;
}

/** `only` wins over everything that is not chosen by hand. */
function chosen(cases: readonly Case[], { filter, tag }: TestOptions): readonly Case[] {
  const tagged = tag === undefined ? cases : cases.filter(({ tags }) => tag.every((word) => tags.includes(word)));
  const found = filter === undefined ? tagged : filtered(tagged, filter);
  const only = found.filter((each) => each.only);
  return only.length > 0 ? only : found;
}

/** What is called exactly that, by title, by title without seed or by name, comes before all that has it in its title: a replay plays one case. */
function filtered(cases: readonly Case[], filter: string): readonly Case[] {
  const exactly = [({ title }: Case) => title, ({ name }: Case) => name, ({ plan }: Case) => plan.name];
  for (const nameOf of exactly) {
    const exact = cases.filter((each) => nameOf(each) === filter);
    if (exact.length > 0) return exact;
  }
  return cases.filter(filterOf(filter));
}

/** A text anywhere in the title, or `/a pattern/`. */
function filterOf(filter: string): (each: Case) => boolean {
  const pattern = /^\/(.+)\/([i]?)$/.exec(filter);
  if (pattern !== null) {
    try {
      const compiled = new RegExp(pattern[1]!, pattern[2]);
      return ({ title }) => compiled.test(title);
    } catch (error) {
      throw new Failure('bad-filter', error instanceof Error ? error.message : String(error));
    }
  }
  const text = filter.toLowerCase();
  return ({ title }) => title.toLowerCase().includes(text);
}

function coverageReports(results: readonly CaseResult[]): CoverageReport[] {
  const games = new Games();
  return [...new Set(results.filter(({ counts }) => counts !== undefined).map((each) => each.case.game))].map(
    (game) => {
      const counts = emptyCounts();
      for (const result of results) if (result.case.game === game && result.counts) mergeCounts(counts, result.counts);
      return coverageOf(game, games.game(game, undefined).definition, counts);
    },
  );
}

async function mutationReports(
  cases: readonly Case[],
  results: readonly CaseResult[],
  workers: number,
  status: StatusLine,
  signal: AbortSignal,
): Promise<MutationReport[]> {
  const reports: MutationReport[] = [];
  for (const game of new Set(cases.map((each) => each.game))) {
    const onProgress = (done: number, total: number): void => status.show(`${game}: ${done} of ${total} changes`);
    reports.push(await mutate(game, cases, results, { workers, onProgress, signal }));
  }
  status.clear();
  return reports;
}

function watched(paths: readonly string[]): Watched {
  const { files, missing } = findScenarioFiles(paths);
  if (missing.length > 0) throw new Failure('unreadable-file', `There is no ${missing.join(', ')}.`);
  const games = files.flatMap((file) => {
    try {
      return casesOf(readScenarioFile(file)).map(({ game }) => game);
    } catch (error) {
      // A file that is being written is understood later; it is watched all the same.
      if (error instanceof FlawedFile) return [];
      throw error;
    }
  });
  // What does not exist cannot be watched; the folder of its scenario file is, in case it comes.
  const known = [...new Set([...files, ...games])].filter((file) => existsSync(dirname(file)));
  const folders = [...new Set([...paths.filter(isFolder), ...files.map((file) => dirname(file))])];
  return { files: known, folders, concerns: isScenarioFile };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
