import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { coverageText } from '../report/coverage-text.ts';
import { jsonReport, type WholeReport } from '../report/json.ts';
import { junitReport } from '../report/junit.ts';
import { mutationText, painter, resultText } from '../report/pretty.ts';
import { totalsOf, totalsText } from '../report/result-text.ts';
import { tapReport } from '../report/tap.ts';
import { type Case, casesOf } from '../scenario/cases.ts';
import { emptyCounts, mergeCounts } from '../scenario/counts.ts';
import { type CoverageReport, coverageOf } from '../scenario/coverage.ts';
import { findScenarioFiles } from '../scenario/find.ts';
import { Games } from '../scenario/games.ts';
import { type MutationReport, mutate } from '../scenario/mutate.ts';
import type { CaseResult } from '../scenario/play-case.ts';
import { FlawedFile, flawText, readScenarioFile } from '../scenario/read.ts';
import { runCases } from '../scenario/run-cases.ts';
import { updateFiles } from '../scenario/update.ts';
import { exitCodes, Failure } from './failure.ts';
import { wantsColor } from './format-issues.ts';
import type { Terminal } from './terminal.ts';
import { watchFiles } from './watch.ts';

export const reporters = ['pretty', 'json', 'junit', 'tap', 'html'] as const;
export type Reporter = (typeof reporters)[number];

export interface TestOptions {
  readonly filter?: string;
  readonly tag?: readonly string[];
  readonly seed?: string;
  readonly seeds?: number;
  readonly workers?: number;
  readonly reporter: Reporter;
  readonly output?: string;
  readonly pictures: string;
  readonly coverage?: boolean;
  readonly mutate?: boolean;
  readonly update?: boolean;
  readonly watch?: boolean;
  readonly list?: boolean;
}

const workersMost = 8;

export async function test(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<number> {
  if (!options.watch) return once(paths, options, terminal);
  return watchFiles(
    () => watchedFiles(paths),
    () => once(paths, options, terminal),
    terminal,
  );
}

async function once(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<number> {
  const start = performance.now();
  const { stdout, stderr } = terminal;
  const isPretty = options.reporter === 'pretty' || options.reporter === 'html';
  const paint = painter(isPretty && wantsColor(stdout, terminal.env));
  const cases = chosen(readCases(paths, options), options);
  if (options.list) {
    stdout.write(cases.map(({ file, line, title }) => `${file}:${line ?? 1}  ${title}\n`).join(''));
    return cases.length === 0 ? exitCodes.neverTrue : exitCodes.ok;
  }
  let interrupted = false;
  const stopListening = terminal.onInterrupt(() => {
    interrupted = true;
  });
  const status = new StatusLine(terminal.stderr);
  let file = '';
  const onResult = (result: CaseResult): void => {
    if (!isPretty) return;
    status.clear();
    if (result.case.file !== file) {
      file = result.case.file;
      stdout.write(`${paint('bold', file)}\n`);
    }
    stdout.write(resultText(result, paint, savePicture(result, options.pictures)));
  };
  const wantsCounts = options.coverage === true || options.mutate === true || options.reporter === 'html';
  const workers = options.workers ?? Math.min(workersMost, availableParallelism());
  const results = await runCases(cases, {
    wishes: { coverage: wantsCounts, plots: options.reporter === 'html', update: options.update === true },
    workers,
    onResult,
    onProgress: (done) => status.show(`${done} of ${cases.length} scenarios`),
    interrupted: () => interrupted,
  });
  status.clear();
  const wallMs = performance.now() - start;
  const coverage = wantsCounts ? coverageReports(results) : [];
  const mutation =
    options.mutate && !interrupted ? await mutationReports(cases, results, workers, status, () => interrupted) : [];
  stopListening();
  const whole: WholeReport = { results, wallMs, coverage, mutation };
  if (isPretty) {
    if (options.coverage) for (const each of coverage) stdout.write(coverageText(each));
    for (const each of mutation) stdout.write(mutationText(each, paint));
    stdout.write(`${totalsText(totalsOf(results), wallMs)}\n`);
  }
  await publish(whole, options, terminal);
  if (options.update) {
    for (const { file: updated, changed } of updateFiles(results)) {
      if (changed > 0) stderr.write(`updated: ${changed} in ${updated}\n`);
    }
  }
  if (interrupted) return exitCodes.interrupted;
  return exitCodeOf(results, stderr);
}

function exitCodeOf(results: readonly CaseResult[], stderr: Terminal['stderr']): number {
  const { passed, failed } = totalsOf(results);
  if (failed > 0) return exitCodes.errors;
  if (passed > 0) return exitCodes.ok;
  stderr.write('nothing-ran: no scenario was played, which is not the same as all passing.\n');
  return exitCodes.neverTrue;
}

function readCases(paths: readonly string[], { seed, seeds }: TestOptions): Case[] {
  const { files, missing } = findScenarioFiles(paths);
  if (missing.length > 0) throw new Failure('unreadable-file', `There is no ${missing.join(', ')}.`);
  const flaws: string[] = [];
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
      flaws.push(...error.flaws.map(flawText));
      return [];
    }
  });
  if (flaws.length === 0) return cases;
  throw new Failure(
    'bad-scenario',
    `${flaws.length === 1 ? 'A scenario file is' : 'Scenario files are'} not understood.`,
    exitCodes.usage,
    flaws,
  );
}

/** `only` wins over everything that is not chosen by hand. */
function chosen(cases: readonly Case[], { filter, tag }: TestOptions): readonly Case[] {
  const pattern = filter === undefined ? undefined : filterOf(filter);
  const found = cases.filter(
    (each) =>
      (pattern === undefined || pattern(each)) && (tag === undefined || tag.every((word) => each.tags.includes(word))),
  );
  const exact = filter === undefined ? [] : found.filter(({ name }) => name === filter);
  if (exact.length > 0) return exact;
  const only = found.filter((each) => each.only);
  return only.length > 0 ? only : found;
}

/** A text anywhere in the title, or `/a pattern/`. A name that is exactly that wins, so that a replay plays one scenario. */
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
  interrupted: () => boolean,
): Promise<MutationReport[]> {
  const reports: MutationReport[] = [];
  for (const game of new Set(cases.map((each) => each.game))) {
    const onProgress = (done: number, total: number): void => status.show(`${game}: ${done} of ${total} changes`);
    reports.push(await mutate(game, cases, results, { workers, onProgress, interrupted }));
  }
  status.clear();
  return reports;
}

async function publish(whole: WholeReport, { reporter, output }: TestOptions, { stdout }: Terminal): Promise<void> {
  const write = (text: string): void => {
    if (output === undefined) stdout.write(text);
    else writeFileSync(output, text);
  };
  if (reporter === 'json') write(jsonReport(whole));
  if (reporter === 'junit') write(junitReport(whole.results));
  if (reporter === 'tap') write(tapReport(whole.results));
  if (reporter !== 'html') return;
  const { htmlReport } = await import('../report/html.ts');
  const path = output ?? 'reenact-report.html';
  writeFileSync(path, htmlReport(whole));
  stdout.write(`report: ${path}\n`);
}

/** Puts the picture of a failure into a folder; gives where. */
function savePicture({ case: given, failure }: CaseResult, folder: string): string | undefined {
  if (failure === undefined || failure.picture === '' || folder === '') return undefined;
  const name = `${given.file} ${given.title}`.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    // What is made again at every run has no place in a repository.
    writeFileSync(join(folder, '.gitignore'), '*\n');
  }
  const path = join(folder, `${name}.svg`);
  writeFileSync(path, failure.picture);
  return path;
}

function watchedFiles(paths: readonly string[]): readonly string[] {
  const { files } = findScenarioFiles(paths);
  const games = files.flatMap((file) => {
    try {
      return casesOf(readScenarioFile(file)).map(({ game }) => game);
    } catch (error) {
      // A file that is being written is understood later; it is watched all the same.
      if (error instanceof FlawedFile) return [];
      throw error;
    }
  });
  return [...new Set([...files, ...games])];
}

/** One line that says how far it is; nothing where nobody looks at a terminal. */
class StatusLine {
  private readonly screen: Terminal['stderr'];
  private isShown = false;

  constructor(screen: Terminal['stderr']) {
    this.screen = screen;
  }

  show(text: string): void {
    if (this.screen.isTTY !== true) return;
    this.isShown = true;
    this.screen.write(`\r${text}\x1b[K`);
  }

  clear(): void {
    if (this.isShown) this.screen.write('\r\x1b[K');
    this.isShown = false;
  }
}
