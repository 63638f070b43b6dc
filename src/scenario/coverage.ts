import type { Definition } from '../../engine/index.ts';
import type { Counts } from './counts.ts';
import { actionText, conditionText } from './script-text.ts';
import { blockKeys, liveActions, type ScriptSource, scriptsOf } from './script-walk.ts';

export interface Share {
  readonly ran: number;
  readonly total: number;
}

export interface CoverageLine {
  readonly depth: number;
  readonly text: string;
  /** How often; for a branch, how often it was taken. */
  readonly count: number;
  readonly kind: 'action' | 'branch';
}

export interface ScriptCoverage {
  readonly place: string;
  readonly name: string;
  readonly triggers: readonly string[];
  readonly runs: number;
  readonly actions: Share;
  readonly branches: Share;
  /** The script, readable, in its order. */
  readonly lines: readonly CoverageLine[];
}

/** Which scripts, branches and triggers of a game ran over all scenarios. */
export interface CoverageReport {
  readonly game: string;
  readonly scripts: Share;
  readonly actions: Share;
  readonly branches: Share;
  readonly triggers: Share;
  /** Triggers that scripts of the game listen to and that never fired. */
  readonly silent: readonly string[];
  readonly each: readonly ScriptCoverage[];
}

/**
 * A branch is a way a condition can go, and whether the body of a loop or of put-off actions was entered. A way that a condition of two
 * constants cannot go is none.
 */
export function coverageOf(game: string, definition: Definition, counts: Counts): CoverageReport {
  const each = Array.from(scriptsOf(definition), (script) => scriptCoverage(script, counts));
  const heard = [...new Set(each.flatMap(({ triggers }) => triggers))].sort();
  const silent = heard.filter((trigger) => (counts.triggers[trigger] ?? 0) === 0);
  const withActions = each.filter(({ actions }) => actions.total > 0);
  return {
    game,
    scripts: { ran: withActions.filter(({ runs }) => runs > 0).length, total: withActions.length },
    actions: sum(each.map(({ actions }) => actions)),
    branches: sum(each.map(({ branches }) => branches)),
    triggers: { ran: heard.length - silent.length, total: heard.length },
    silent,
    each,
  };
}

function scriptCoverage({ place, name, triggers, conditions, actions }: ScriptSource, counts: Counts): ScriptCoverage {
  const lines: CoverageLine[] = [];
  const countOf = (path: string): number => counts.locations[`${place}/${path}`] ?? 0;
  const walk = (list: unknown, path: string, depth: number): void => {
    for (const { index, node } of liveActions(list)) {
      const own = path === '' ? String(index) : `${path}/${index}`;
      lines.push({ depth, text: actionText(node), count: countOf(own), kind: 'action' });
      const isCondition = node.type === 'condition';
      for (const key of blockKeys) {
        const applies = isCondition ? key !== 'actions' : key === 'actions' && node[key] !== undefined;
        if (!applies) continue;
        const inside = `${own}/${key}`;
        const taken = isCondition ? takenCount(node, own, key, countOf) : entered(node[key], inside, countOf);
        const text = key === 'actions' ? 'do' : key;
        if (taken !== undefined) lines.push({ depth: depth + 1, text, count: taken, kind: 'branch' });
        walk(node[key], inside, depth + (taken === undefined ? 1 : 2));
      }
    }
  };
  const runs = counts.scripts[place] ?? 0;
  if (constantOf(conditions) === undefined) {
    // How often it was not met, nobody counts.
    lines.push({ depth: 0, text: `only if ${conditionText(conditions)}`, count: runs, kind: 'branch' });
  }
  walk(actions, '', 0);
  return {
    place,
    name,
    triggers,
    runs,
    actions: shareOf(lines, 'action'),
    branches: shareOf(lines, 'branch'),
    lines,
  };
}

type CountOf = (path: string) => number;

/** How often a list was entered; undefined for an empty one, of which nobody knows. */
function entered(list: unknown, path: string, countOf: CountOf): number | undefined {
  const [first] = liveActions(list);
  return first === undefined ? undefined : countOf(`${path}/${first.index}`);
}

/** An empty branch was taken as often as the condition was met and the other branch was not; with two empty ones it makes no difference. */
function takenCount(
  node: Readonly<Record<string, unknown>>,
  path: string,
  key: 'then' | 'else' | 'actions',
  countOf: CountOf,
): number | undefined {
  const impossible = constantOf(node['conditions']) === (key !== 'then');
  if (impossible) return undefined;
  const own = entered(node[key], `${path}/${key}`, countOf);
  if (own !== undefined) return own;
  const other = key === 'then' ? 'else' : 'then';
  const elsewhere = entered(node[other], `${path}/${other}`, countOf);
  return elsewhere === undefined ? undefined : Math.max(0, countOf(path) - elsewhere);
}

/** What a condition of constants is; undefined for one that can be either. */
export function constantOf(conditions: unknown): boolean | undefined {
  if (conditions === undefined || conditions === null) return true;
  if (!Array.isArray(conditions)) return undefined;
  if (conditions.length === 0) return true;
  const [head, left, right] = conditions as [{ operator?: unknown } | null, unknown, unknown];
  if (typeof left === 'object' || typeof right === 'object') return undefined;
  if (head?.operator === '==') return left === right;
  return head?.operator === '!=' ? left !== right : undefined;
}

function shareOf(lines: readonly CoverageLine[], kind: CoverageLine['kind']): Share {
  const ofKind = lines.filter((line) => line.kind === kind);
  return { ran: ofKind.filter(({ count }) => count > 0).length, total: ofKind.length };
}

function sum(shares: readonly Share[]): Share {
  return {
    ran: shares.reduce((all, { ran }) => all + ran, 0),
    total: shares.reduce((all, { total }) => all + total, 0),
  };
}
