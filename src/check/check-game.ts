import { formatValue, Issues, issuesMax, joinIssues, withSeverity } from '../../engine/core/index.ts';
import {
  type DialectName,
  issueCodes as engineCodes,
  type Issue,
  type LoadedGame,
  type Node,
} from '../../engine/index.ts';
import { givenPointer } from '../../engine/tools.ts';
import { GameContext } from './context.ts';
import { listIn } from './nodes.ts';
import type { Context, Rule } from './rule.ts';
import { rules } from './rules.ts';

export type { Context, Rule } from './rule.ts';

export type Rules = Readonly<Record<string, Rule>>;

/** All codes of issues, with their severity and meaning: those of reading and compiling, and those of rules. */
export const issueCodes = codesWith(rules);

function codesWith(own: Rules): typeof engineCodes {
  const known = Object.entries(own).filter(([, { about }]) => about !== undefined);
  return { ...engineCodes, ...withSeverity(Object.fromEntries(known)) };
}

/**
 * The problems of a loaded game: those that the compiler finds in its scripts, and those that rules find. At most
 * 10,000 of each severity; if there are more, the last one, `more-issues`, has their number. `own`: rules of the
 * caller, by code.
 */
export function checkGame(game: LoadedGame, dialect: DialectName = 'standard', own: Rules = {}): readonly Issue[] {
  const context = new GameContext(game, dialect);
  return joinIssues(context.program.issues, ...judged(context, { ...rules, ...own }));
}

type Visit = (node: Node) => void;

/** The issues of each rule. */
function judged(game: GameContext, all: Rules): (readonly Issue[])[] {
  const codes = codesWith(all);
  const visitors = new Map<string, Visit[]>();
  const lists = Object.entries(all).map(([code, rule]) => {
    const issues = new Issues<string>(issuesMax, codes);
    const reportAs: Context['reportAs'] = (as, at, message, details = {}) => {
      // Rules of projects can be JavaScript.
      if (typeof at !== 'string' && typeof at?.pointer !== 'string')
        throw new TypeError(`report needs a node or a JSON Pointer, not ${formatValue(at)}`);
      const given = Object.entries({ message, ...details }).flatMap(([name, value]) => {
        if (value === undefined && name !== 'message') return [];
        if (typeof value !== 'string' && typeof value !== 'number')
          throw new TypeError(`\`${name}\` must be a string, not ${formatValue(value)}`);
        return [[name, name === 'count' ? value : String(value)]];
      });
      const pointer = (): string => (typeof at === 'string' ? givenPointer(game.definition, at) : at.pointer);
      issues.add(as, pointer, message, Object.fromEntries(given));
    };
    // Games repeat their mistakes, such as the names of keys in each unit type.
    const nearest = new Map<Iterable<string>, Map<string, string | undefined>>();
    const near: Context['near'] = (word, known) => {
      const words = nearest.get(known) ?? new Map<string, string | undefined>();
      nearest.set(known, words);
      if (!words.has(word)) words.set(word, issues.near(code, word, known));
      return words.get(word);
    };
    const context: Context = Object.create(game, {
      reportAs: { value: reportAs },
      report: { value: (...found: Parameters<Context['report']>) => reportAs(code, ...found) },
      near: { value: near },
    });
    rule.check?.(context);
    for (const [kind, visit] of Object.entries(rule.visit?.(context) ?? {}))
      listIn(visitors, kind).push(visit as Visit);
    return issues;
  });
  for (const { nodes } of game.scripts)
    for (const node of nodes) for (const visit of visitors.get(node.kind) ?? []) visit(node);
  return lists.map(({ list }) => list);
}
