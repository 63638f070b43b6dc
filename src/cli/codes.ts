import { suggest } from '../../engine/core/suggest.ts';
import { faultCodes, skipCodes } from '../../engine/index.ts';
import { refusalCodes } from '../../engine/internal.ts';
import { issueCodes } from '../check/index.ts';
import { expressionCodes } from '../expression/expression-error.ts';
import { bugCodes } from '../run/failure-report.ts';
import { printAnswer, type Terminal } from '../text/terminal.ts';
import { exitCodes, Failure } from './failure.ts';
import { issuesMarkdown } from './issues/markdown.ts';

export interface CodesOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
}

type Group = 'issues' | 'faults' | 'skips' | 'expressions' | 'refusals' | 'bugs';
type Lists = Readonly<Record<Group, Readonly<Record<string, unknown>>>>;

/** Lists every code that `check` and `run` can report, with its meaning, or only the code `word`. */
export function codes(
  word: string | undefined,
  { json = false, markdown = false }: CodesOptions,
  terminal: Terminal,
): number {
  const all: Lists = {
    issues: issueCodes,
    faults: faultCodes,
    skips: skipCodes,
    expressions: expressionCodes,
    refusals: refusalCodes,
    bugs: bugCodes,
  };
  if (word !== undefined) demandCode(all, word);
  const listed = Object.entries(all).map(([group, list]) => [group, only(list, word)] as const);
  printAnswer(terminal, json, Object.fromEntries(listed), () => (markdown ? issuesMarkdown() : codesText(word)));
  return exitCodes.ok;
}

function demandCode(lists: Lists, word: string): void {
  const known = Object.values(lists).flatMap((list) => Object.keys(list));
  if (known.includes(word)) return;
  const meant = suggest(word, known);
  throw new Failure(
    'unknown-code',
    `No code is called "${word}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
  );
}

function only<T>(list: Readonly<Record<string, T>>, word: string | undefined): Readonly<Record<string, T>> {
  return word === undefined ? list : Object.fromEntries(Object.entries(list).filter(([code]) => code === word));
}

function codesText(word: string | undefined): string {
  const issues = Object.entries(issueCodes).map(
    ([code, { severity, about }]) => [code, `${severity}: ${about}`] as const,
  );
  const groups = [
    ['issues: problems that reenact check finds in a definition', issues],
    ['faults: errors of a game while it runs', Object.entries(faultCodes)],
    ['skips: actions of a running game that had nothing to act on', Object.entries(skipCodes)],
    ['expressions: errors in expressions (--until, break when, scenarios)', Object.entries(expressionCodes)],
    ['refusals: why an input of a player had no effect', Object.entries(refusalCodes)],
    ['bugs: of Reenact', Object.entries(bugCodes)],
  ] as const;
  const width = Math.max(...groups.flatMap(([, rows]) => rows.map(([code]) => code.length)));
  return groups
    .map(([title, rows]) => [title, rows.filter(([code]) => word === undefined || code === word)] as const)
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => [title, ...rows.map(([code, about]) => `  ${code.padEnd(width)}  ${about}`), ''].join('\n'))
    .join('\n');
}
