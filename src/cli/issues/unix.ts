import { locateIssues } from '../../load/index.ts';
import { printable, withSuggestion } from '../../text/index.ts';
import type { FileIssues } from './file-issues.ts';

/**
 * One line per issue, in the format of compilers, which editors turn into links: `game.json:1:230: warning: Unknown
 * action "setVariabel". [unknown-action]`.
 */
export function unixIssues(files: readonly FileIssues[]): string {
  const lines = files.flatMap(({ file, text, issues }) => {
    const places = locateIssues(text, issues);
    return issues.map((issue, i) => {
      const { line = 1, column = 1 } = places[i] ?? {};
      const { code, severity } = issue;
      return `${printable(`${file}:${line}:${column}: ${severity}: ${withSuggestion(issue)} [${code}]`)}\n`;
    });
  });
  return lines.join('');
}
