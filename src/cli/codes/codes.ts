import type { Dictionary } from '../../../engine/core/index.ts';
import { closestHint, printAnswer, type Terminal } from '../../text/index.ts';
import { codeTables } from '../code-tables.ts';
import { exitCodes, Failure } from '../failure.ts';
import type { CodesOptions } from './command.ts';

type Group = keyof typeof codeTables;
type Lists = Readonly<Record<Group, Dictionary>>;

/** Lists every code that is printed, with its meaning, or only the code `word`. */
export function codes(word: string | undefined, { json = false }: CodesOptions, terminal: Terminal) {
  if (word !== undefined) demandCode(word);
  const found = Object.entries<Lists[Group]>(codeTables).map(([group, list]) => {
    const rows = Object.entries(list).filter(([code]) => word === undefined || code === word);
    return [group as Group, Object.fromEntries(rows)] as const;
  });
  printAnswer(terminal, json, Object.fromEntries(found), () => codesText(found));
  return exitCodes.ok;
}

function demandCode(word: string) {
  const known = Object.values<Lists[Group]>(codeTables).flatMap((list) => Object.keys(list));
  if (known.includes(word)) return;
  throw new Failure('unknown-code', `No code is called "${word}".${closestHint(word, known)}`);
}

const titles: Readonly<Record<Group, string>> = {
  issues: 'problems that reenact check finds in a definition',
  faults: 'errors of a running game',
  skips: 'actions of a running game that had nothing to act on',
  expressions: 'errors in expressions (--until, break when, scenarios)',
  refusals: 'reasons why an input of a player had no effect',
  commands: 'reasons why a command failed',
  calls: 'invalid calls of the library, and values of options that are passed to it',
  server: 'problems in the log of a server, and reasons why a server cannot start',
  connections: 'reasons why a server refuses a request of a client or ends a connection',
  http: 'reasons why a server refuses an HTTP request',
  playground: 'reasons why the playground ends a game',
  texts: 'reasons why reenact print --write cannot write an edited text back into the game',
  bugs: 'bugs of Reenact',
};

function codesText(found: readonly (readonly [Group, Lists[Group]])[]) {
  const width = Math.max(...found.flatMap(([, list]) => Object.keys(list).map((code) => code.length)));
  return found
    .flatMap(([group, list]) => {
      const lines = Object.entries(list).map(([code, about]) => `  ${code.padEnd(width)}  ${meaningOf(about)}`);
      return lines.length === 0 ? [] : [[`${group}: ${titles[group]}`, ...lines, ''].join('\n')];
    })
    .join('\n');
}

function meaningOf(about: unknown) {
  if (typeof about === 'string') return about;
  const issue = about as { readonly severity: string; readonly about: string };
  return `${issue.severity}: ${issue.about}`;
}
