import { faultCodes, issueCodes, skipCodes } from '../../engine/index.ts';
import { expressionCodes } from '../expression/expression-error.ts';
import type { Terminal } from '../text/terminal.ts';
import { exitCodes } from './failure.ts';
import { issuesMarkdown } from './issues/markdown.ts';

export interface CodesOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** Every code that a check or a run can report, with what it means. */
export function codes({ json = false, markdown = false }: CodesOptions, { stdout }: Terminal): number {
  if (json)
    stdout.write(
      `${JSON.stringify({ issues: issueCodes, faults: faultCodes, skips: skipCodes, expressions: expressionCodes }, null, 2)}\n`,
    );
  else stdout.write(markdown ? issuesMarkdown() : codesText());
  return exitCodes.ok;
}

function codesText(): string {
  const issues = Object.entries(issueCodes).map(
    ([code, { severity, about }]) => [code, `${severity}: ${about}`] as const,
  );
  const groups = [
    ['issues, when a definition is checked', issues],
    ['faults, while a game runs', Object.entries(faultCodes)],
    ['skips, while a game runs', Object.entries(skipCodes)],
    ['expressions, of --until, break when and scenarios', Object.entries(expressionCodes)],
  ] as const;
  const width = Math.max(...groups.flatMap(([, rows]) => rows.map(([code]) => code.length)));
  return groups
    .map(([title, rows]) => [title, ...rows.map(([code, about]) => `  ${code.padEnd(width)}  ${about}`), ''].join('\n'))
    .join('\n');
}
