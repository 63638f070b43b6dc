import type { Dictionary } from '../../engine/core/index.ts';
import type { CaseResult, FileProblem } from '../scenario/index.ts';
import { failedText, totalsOf, totalsText } from './result-text.ts';

/**
 * The results as workflow commands of GitHub Actions, which show an annotation at each failed step and at each problem
 * in a file.
 */
export function githubReport(results: readonly CaseResult[], flaws: readonly FileProblem[], wallMs: number): string {
  const lines = flaws.map(({ file, line, column, message }) =>
    annotation('error', { file, line, col: column, title: 'invalid scenario file' }, message),
  );
  for (const result of results) {
    const { case: given, failedLine, failure } = result;
    if (failure === undefined) continue;
    const { file, title } = given;
    lines.push(annotation('error', { file, line: failedLine ?? given.line, title }, failedText(result)));
  }
  lines.push(annotation('notice', { title: 'reenact test' }, totalsText(totalsOf(results), wallMs)));
  return lines.join('');
}

function annotation(level: 'error' | 'notice', properties: Dictionary<string | number | undefined>, message: string) {
  const said = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`);
  return `::${level} ${said.join(',')}::${escaped(message)}\n`;
}

/** Escapes line breaks, because a command must be a single line. */
function escaped(text: string) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
