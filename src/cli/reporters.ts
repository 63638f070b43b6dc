import { githubReport, jsonReport, junitReport, lcovFiles, loadTestPage, type WholeReport } from '../report/index.ts';
import type { FileProblem } from '../scenario/index.ts';
import { closestHint, type Terminal } from '../text/index.ts';
import { Failure } from './failure.ts';
import { viewerScriptIfBuilt } from './viewer-script.ts';
import { requireFileName, writeText } from './write-text.ts';

export const reporterNames = ['pretty', 'github', 'json', 'junit', 'html', 'lcov'] as const;
type ReporterName = (typeof reporterNames)[number];

/** A report and its file; without a file, it goes to standard output. */
export interface Reporter {
  readonly name: ReporterName;
  readonly file: string | undefined;
}

const filesByDefault: Partial<Record<ReporterName, string>> = {
  html: 'reenact-report.html',
  lcov: 'coverage/lcov.info',
};

/**
 * Parses reporters such as `pretty` and `junit=results.xml`. `output` is the file for the one report that needs a file
 * and names none. Throws `Failure` for an unknown reporter or an unsuitable file.
 */
export function readReporters(texts: readonly string[], output: string | undefined): readonly Reporter[] {
  const wanted = texts.length === 0 ? ['pretty'] : texts;
  const reporters = wanted.map((text): Reporter => {
    const split = text.indexOf('=');
    const word = split < 0 ? text : text.slice(0, split);
    const name = reporterNames.find((each) => each === word);
    if (name === undefined) {
      const hint = /^(?:verbose|default|tree|dot|list|line|spec)$/.test(word)
        ? ' Did you mean "pretty"? It lists every scenario.'
        : closestHint(word, reporterNames, ` Available: ${reporterNames.join(', ')}.`);
      throw new Failure('bad-reporter', `No reporter is called "${word}".${hint}`);
    }
    const file = split < 0 ? undefined : text.slice(split + 1);
    if (file !== undefined) requireFileName(file);
    if (file === '') throw new Failure('bad-reporter', `"${text}" has no file name after "=".`);
    if (name === 'pretty' && file !== undefined) {
      throw new Failure('bad-reporter', 'The reporter "pretty" writes to the terminal and does not take a file.');
    }
    return { name, file };
  });
  return withOutput(reporters, output);
}

/**
 * Gives the reports without a file their files: `output`, or a default. Throws `Failure` if two reports would share a
 * file, or if a report for programs would share standard output with another one, which would make it unreadable.
 */
function withOutput(reporters: readonly Reporter[], output: string | undefined) {
  const open = reporters.filter(({ name, file }) => name !== 'pretty' && file === undefined);
  if (output !== undefined && open.length !== 1) {
    const message = `--output needs exactly one report without a file, but there ${open.length === 0 ? 'is none' : 'are several'}.`;
    throw new Failure('bad-reporter', `${message} Name the file of each report, such as --reporter junit=results.xml`);
  }
  const filled = reporters.map(({ name, file }): Reporter => {
    if (file !== undefined || name === 'pretty') return { name, file };
    return { name, file: output ?? filesByDefault[name] };
  });
  const files = filled.flatMap(({ file }) => file ?? []);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined)
    throw new Failure('bad-reporter', `Two reports cannot be written to the same file, ${twice}.`);
  const onOutput = filled.filter(({ file }) => file === undefined);
  const forPrograms = onOutput.find(({ name }) => name === 'json' || name === 'junit');
  if (forPrograms !== undefined && onOutput.length > 1) {
    const { name } = forPrograms;
    throw new Failure('bad-reporter', `Two reports cannot share standard output. Name a file: --reporter ${name}=FILE`);
  }
  return filled;
}

/** Writes a report. Does nothing for `pretty`, which is printed while the tests run. */
export async function publishReport(
  { name, file }: Reporter,
  whole: WholeReport,
  flaws: readonly FileProblem[],
  { stdout }: Terminal,
) {
  if (name === 'pretty') return;
  if (name === 'lcov') {
    for (const [path, text] of lcovFiles(whole.coverage, file!)) writeText(path, text);
    return;
  }
  const text = await reportText(name, whole, flaws);
  if (file === undefined) stdout.write(text);
  else writeText(file, text);
}

async function reportText(
  name: Exclude<ReporterName, 'pretty' | 'lcov'>,
  whole: WholeReport,
  flaws: readonly FileProblem[],
) {
  const { results, wallMs } = whole;
  if (name === 'github') return githubReport(results, flaws, wallMs);
  if (name === 'json') return jsonReport(whole);
  if (name === 'junit') return junitReport(results);
  const { htmlReport } = await loadTestPage();
  return htmlReport(whole, viewerScriptIfBuilt());
}
