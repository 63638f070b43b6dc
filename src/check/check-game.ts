import {
  cached,
  type Dictionary,
  formatValue,
  Issues,
  issuesMax,
  joinIssues,
  withSeverity,
} from '../../engine/core/index.ts';
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

export type Rules = Dictionary<Rule>;

/** All codes of issues, with their severity and meaning: those of reading and compiling, and those of rules. */
export const issueCodes = codesWith(rules);

function codesWith(own: Rules): typeof engineCodes {
  const known = Object.entries(own).filter(([, { about }]) => about !== undefined);
  return { ...engineCodes, ...withSeverity(Object.fromEntries(known)) };
}

/**
 * The issues of a loaded game: those that the compiler finds in its scripts, and those that rules find. At most 10,000
 * of each severity; if there are more, the last issue, `more-issues`, states the number of the rest. `own`: rules of
 * the caller, by code.
 */
export function checkGame(loaded: LoadedGame, dialect: DialectName = 'standard', own: Rules = {}): readonly Issue[] {
  const game = new GameContext(loaded, dialect);
  const all = { ...rules, ...own };
  const codes = codesWith(all);
  const visits = new Map<string, ((node: Node) => void)[]>();
  const compiled = new Issues();
  const lists: Issues<string>[] = [compiled];
  for (const [code, rule] of Object.entries(all)) {
    const issues = new Issues<string>(issuesMax, codes);
    lists.push(issues);
    const reportAs: Context['reportAs'] = (as, at, message, expected, found, suggestion) => {
      const details = typeof expected === 'object' ? expected : { expected, found, suggestion };
      // Rules of projects can be plain JavaScript, so their arguments are checked.
      if (typeof at !== 'string' && typeof at?.pointer !== 'string')
        throw new TypeError(`report needs a node or a JSON Pointer, not ${formatValue(at)}`);
      const given = Object.entries({ message, ...details }).flatMap(([name, value]) => {
        if (value === undefined && name !== 'message') return [];
        if (typeof value !== 'string' && typeof value !== 'number')
          throw new TypeError(`\`${name}\` must be a string, not ${formatValue(value)}`);
        return [[name, name === 'count' ? value : String(value)]];
      });
      const pointer = () => (typeof at === 'string' ? givenPointer(game.definition, at) : at.pointer);
      issues.add(as, pointer, message, Object.fromEntries(given));
    };
    // Cached, because games repeat their mistakes, such as the same wrong key in each unit type.
    const nearest = new Map<Iterable<string>, Map<string, string | undefined>>();
    const near: Context['near'] = (word, known) => {
      const words = cached(nearest, known, () => new Map<string, string | undefined>());
      if (!words.has(word)) words.set(word, issues.near(code, word, known));
      return words.get(word);
    };
    const context: Context = Object.create(game, {
      reportAs: { value: reportAs },
      report: { value: (...found: Parameters<Context['report']>) => reportAs(code, ...found) },
      near: { value: near },
    });
    rule.check?.(context);
    const added: object = rule.visit?.(context) ?? {};
    for (const [kind, visit] of Object.entries(added)) listIn(visits, kind).push(visit);
  }
  game.scripts.forEach(({ nodes }, index) => {
    game.program.scripts[index]!.check(compiled);
    for (const node of nodes) for (const visit of visits.get(node.kind) ?? []) visit(node);
  });
  return joinIssues(...lists.map(({ list }) => list));
}
