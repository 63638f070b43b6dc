import { formatValue, Issues, issuesMax, joinIssues, withSeverity } from '../../engine/core/index.ts';
import {
  type DialectName,
  issueCodes as engineCodes,
  type Issue,
  type LoadedGame,
  type Node,
  type ScriptNode,
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
 * The issues of a loaded game: those that the compiler finds in its scripts, and those that rules find. At most 10,000
 * of each severity; if there are more, the last issue, `more-issues`, states the number of the rest. `own`: rules of
 * the caller, by code.
 */
export function checkGame(game: LoadedGame, dialect: DialectName = 'standard', own: Rules = {}): readonly Issue[] {
  const all = { ...rules, ...own };
  const { lists, takes } = judged(game, dialect, all, true);
  // If a list reaches its limit, everything is judged again: kept findings were added without regard to the limits.
  const right = takes && lists.some(({ isLimited }) => isLimited) ? judged(game, dialect, all, false).lists : lists;
  return joinIssues(...right.map(({ list }) => list));
}

type Visit = (node: Node) => void;
type Visits = Map<string, Visit[]>;

/**
 * The issues that the compiler and `visitScript` of our rules found in a script, by the index of the list that they
 * belong to. Kept by script and name of the dialect.
 */
type Found = ReadonlyMap<number, readonly Issue[]>;
const known = new WeakMap<ScriptNode, Map<string, Found>>();

/**
 * The issues of the compiler, then those of each rule. `keeps`: whether to reuse the findings of an earlier check in
 * unchanged scripts. The result's `takes`: whether any were reused.
 */
function judged(loaded: LoadedGame, dialect: DialectName, all: Rules, keeps: boolean) {
  const game = new GameContext(loaded, dialect);
  const codes = codesWith(all);
  const visits: Visits = new Map();
  const visitsOfScripts: Visits = new Map();
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
      const pointer = (): string => (typeof at === 'string' ? givenPointer(game.definition, at) : at.pointer);
      issues.add(as, pointer, message, Object.fromEntries(given));
    };
    // Cached, because games repeat their mistakes, such as the same wrong key in each unit type.
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
    addVisits(visits, rule.visit?.(context));
    addVisits(visitsOfScripts, rule.visitScript?.(context));
  }
  const found: [ScriptNode, Found][] = [];
  let takes = false;
  game.scripts.forEach(({ script, nodes }, index) => {
    walk(nodes, visits);
    const kept = keeps ? known.get(script)?.get(game.dialect.name) : undefined;
    if (kept === undefined) {
      const before = lists.map(({ list }) => list.length);
      game.program.scripts[index]!.check(compiled);
      walk(nodes, visitsOfScripts);
      const added = lists.map(({ list }, i) => [i, list.slice(before[i])] as const);
      found.push([script, new Map(added.filter(([, issues]) => issues.length > 0))]);
    } else {
      takes = true;
      for (const [i, issues] of kept) lists[i]!.append(issues);
    }
  });
  if (!lists.some(({ isLimited }) => isLimited))
    for (const [script, issues] of found) known.set(script, new Map(known.get(script)).set(game.dialect.name, issues));
  return { lists, takes };
}

function addVisits(visits: Visits, added: object = {}) {
  for (const [kind, visit] of Object.entries(added)) listIn(visits, kind).push(visit);
}

function walk(nodes: readonly Node[], visits: Visits) {
  for (const node of nodes) for (const visit of visits.get(node.kind) ?? []) visit(node);
}
