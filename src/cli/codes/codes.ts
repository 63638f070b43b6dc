import { suggest } from '../../../engine/core/index.ts';
import { printAnswer, type Terminal } from '../../text/index.ts';
import { codeTables } from '../code-tables.ts';
import { exitCodes, Failure } from '../failure.ts';
import { issuesMarkdown } from '../issues/markdown.ts';
import type { CodesOptions } from './command.ts';

type Group = keyof typeof codeTables;
type Lists = Readonly<Record<Group, Readonly<Record<string, unknown>>>>;

/** Lists every code that is printed, with its meaning, or only the code `word`. */
export function codes(
  word: string | undefined,
  { json = false, markdown = false }: CodesOptions,
  terminal: Terminal,
): number {
  const all: Lists = codeTables;
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

const titles: Readonly<Record<Group, string>> = {
  issues: 'problems that reenact check finds in a definition',
  faults: 'errors of a game while it runs',
  skips: 'actions of a running game that had nothing to act on',
  expressions: 'errors in expressions (--until, break when, scenarios)',
  refusals: 'why an input of a player had no effect',
  commands: 'why a command cannot do what it was asked',
  calls: 'invalid calls of the library, and values of options that are passed to it',
  server: 'problems in the log of a server, or why it cannot start',
  connections: 'why a server refuses a request or ends a connection',
  http: 'why a server refuses a web request',
  playground: 'why the playground ends a game',
  bugs: 'of Reenact',
};

function codesText(word: string | undefined): string {
  const rowsOf = (list: Lists[Group]) =>
    Object.entries(only(list, word)).map(([code, about]) => [code, meaningOf(about)] as const);
  const groups = Object.entries(codeTables).map(([group, list]) => [group as Group, rowsOf(list)] as const);
  const width = Math.max(...groups.flatMap(([, rows]) => rows.map(([code]) => code.length)));
  return groups
    .filter(([, rows]) => rows.length > 0)
    .map(([group, rows]) =>
      [`${group}: ${titles[group]}`, ...rows.map(([code, about]) => `  ${code.padEnd(width)}  ${about}`), ''].join(
        '\n',
      ),
    )
    .join('\n');
}

function meaningOf(about: unknown): string {
  if (typeof about === 'string') return about;
  const issue = about as { readonly severity: string; readonly about: string };
  return `${issue.severity}: ${issue.about}`;
}
