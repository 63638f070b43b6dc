import {
  coverageText,
  mutationText,
  reportAsData,
  resultText,
  totalsOf,
  totalsText,
  type WholeReport,
} from '../../report/index.ts';
import { type CaseResult, type FileProblem, problemText } from '../../scenario/index.ts';
import { type Paint, painter, type Terminal, widthOf } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { wantsColor } from '../issues/pretty.ts';
import type { Pictures } from '../pictures.ts';
import { publishReport, type Reporter } from '../reporters.ts';

interface TestOutputOptions {
  readonly reporters: readonly Reporter[];
  readonly terminal: Terminal;
  readonly pictures: Pictures;
  /** Whether times are printed. If not, all times are 0, so that two runs print the same. */
  readonly times: boolean;
  /** Whether everything that is known about a failure is printed. */
  readonly isLong: boolean;
}

/** The text and report files of a test run. */
export class TestOutput {
  readonly isPretty: boolean;
  private readonly paint: Paint;
  private file = '';

  constructor(private readonly options: TestOutputOptions) {
    const { reporters, terminal } = options;
    const has = (wanted: Reporter['name']) => reporters.some(({ name }) => name === wanted);
    const isForPeople = (has('html') || has('lcov')) && reporters.every(({ file }) => file !== undefined);
    this.isPretty = has('pretty') || isForPeople;
    this.paint = painter(this.isPretty && wantsColor(terminal));
  }

  /** Prints a result. Must be called in the order of the scenarios. */
  result(result: CaseResult) {
    if (!this.isPretty) return;
    const { terminal, pictures, isLong } = this.options;
    const { stdout } = terminal;
    if (result.case.file !== this.file) {
      this.file = result.case.file;
      stdout.write(`${this.paint('bold', this.file)}\n`);
    }
    const width = stdout.isTTY === true ? widthOf(stdout) : undefined;
    stdout.write(resultText(this.timed(result), this.paint, { ...pictures.save(result), width, isLong }));
  }

  /**
   * Writes the reports. They contain the coverage if it was measured. With `printsCoverage`, the coverage is also
   * printed. If a report cannot be written, the others still are, and then an error is thrown.
   */
  async finish(whole: WholeReport, flaws: readonly FileProblem[], printsCoverage: boolean) {
    const { reporters, terminal, times } = this.options;
    const { stdout } = terminal;
    const shown = times ? whole : { ...whole, wallMs: 0, results: whole.results.map((result) => this.timed(result)) };
    terminal.onAnswer?.(reportAsData(shown));
    if (this.isPretty) {
      if (printsCoverage) for (const each of shown.coverage) stdout.write(coverageText(each));
      for (const each of shown.mutation) stdout.write(mutationText(each, this.paint));
      stdout.write(`${totalsText(totalsOf(shown.results), shown.wallMs)}\n`);
    }
    // A report that cannot be written must not prevent the others.
    const refused = new Map<Reporter, Failure>();
    for (const reporter of reporters) {
      try {
        await publishReport(reporter, shown, flaws, terminal);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        refused.set(reporter, error);
      }
    }
    if (this.isPretty) {
      for (const reporter of reporters) {
        const { name, file } = reporter;
        if (name !== 'pretty' && file !== undefined && !refused.has(reporter)) stdout.write(`report: ${file}\n`);
      }
    }
    for (const failure of refused.values()) throw failure;
  }

  private timed(result: CaseResult) {
    return this.options.times ? result : { ...result, wallMs: 0 };
  }
}

export function exitCodeOf(
  results: readonly CaseResult[],
  unmet: readonly string[],
  filter: string | undefined,
  stderr: Terminal['stderr'],
): number {
  const { passed, failed } = totalsOf(results);
  if (failed > 0) return exitCodes.errors;
  if (passed > 0) return unmet.length > 0 ? exitCodes.errors : exitCodes.ok;
  const isPattern = filter !== undefined && /[|^$]|\.\*/.test(filter) && !/^\/.*\/i?$/.test(filter);
  const hint = isPattern ? ` For a regular expression, use slashes: -t '/${filter}/'` : '';
  stderr.write(`nothing-ran: no scenario matched, so none was run.${hint}\n`);
  return exitCodes.neverTrue;
}

export function flawedText(flaws: readonly FileProblem[]): string {
  const count = new Set(flaws.map(({ file }) => file)).size;
  const head = `bad-scenario: ${count === 1 ? 'A scenario file is' : `${count} scenario files are`} invalid.`;
  return `${[head, ...flaws.map(problemText)].join('\n')}\n`;
}
