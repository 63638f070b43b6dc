import { locateIssues } from '../../load/index.ts';
import { printable } from '../../text/index.ts';
import type { FileIssues } from './file-issues.ts';

/**
 * One line per issue, in the format of compilers, which editors turn into links: `game.json:1:230: warning: Unknown
 * action "setVariabel". [unknown-action]`.
 */
export function unixIssues(files: readonly FileIssues[]): string {
  const lines = files.flatMap(({ file, text, issues }) => {
    const places = locateIssues(text, issues);
    return issues.map(({ code, severity, message, suggestion }, i) => {
      const { line = 1, column = 1 } = places[i] ?? {};
      const hint = suggestion === undefined || message.includes(suggestion) ? '' : ` Did you mean "${suggestion}"?`;
      return `${printable(`${file}:${line}:${column}: ${severity}: ${message}${hint} [${code}]`)}\n`;
    });
  });
  return lines.join('');
}
