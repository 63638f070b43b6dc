import type { Action, Block, Condition, Definition, ScriptNode } from '../../../engine/index.ts';
import { scriptsOf } from '../../../engine/tools.ts';
import { constantOf, scriptLines } from '../../run/index.ts';
import type { Counts } from './counts.ts';

export interface Share {
  readonly ran: number;
  readonly total: number;
}

export interface CoverageLine {
  readonly depth: number;
  readonly text: string;
  /** The JSON Pointer of the action, nested list or condition. */
  readonly pointer: string;
  /** How often the action ran; for a branch, how often it was taken. */
  readonly count: number;
  readonly kind: 'action' | 'branch';
}

export interface ScriptCoverage {
  readonly place: string;
  readonly pointer: string;
  readonly name: string;
  readonly triggers: readonly string[];
  readonly runs: number;
  readonly actions: Share;
  readonly branches: Share;
  /** The script as readable lines, in order. */
  readonly lines: readonly CoverageLine[];
}

/** The share of a game's scripts, branches and triggers that ran in all scenarios together. */
export interface CoverageReport {
  readonly game: string;
  readonly scripts: Share;
  readonly actions: Share;
  readonly branches: Share;
  readonly triggers: Share;
  /** Triggers that scripts of the game listen to but that never fired. */
  readonly silent: readonly string[];
  readonly each: readonly ScriptCoverage[];
}

/**
 * Computes the coverage of a game. Branches are the outcomes of conditions, and whether the body of a loop or of
 * delayed actions was entered. An outcome that a constant condition cannot have is not a branch.
 */
export function coverageOf(game: string, definition: Definition, counts: Counts): CoverageReport {
  const each = scriptsOf(definition).scripts.map((script) => scriptCoverage(script, counts));
  const awaited = [...new Set(each.flatMap(({ triggers }) => triggers))].sort();
  const silent = awaited.filter((trigger) => (counts.triggers[trigger] ?? 0) === 0);
  const withActions = each.filter(({ actions }) => actions.total > 0);
  return {
    game,
    scripts: { ran: withActions.filter(({ runs }) => runs > 0).length, total: withActions.length },
    actions: sum(each.map(({ actions }) => actions)),
    branches: sum(each.map(({ branches }) => branches)),
    triggers: { ran: awaited.length - silent.length, total: awaited.length },
    silent,
    each,
  };
}

function scriptCoverage(script: ScriptNode, counts: Pick<Counts, 'locations' | 'scripts'>): ScriptCoverage {
  const { place, pointer, name } = script;
  const { triggers } = script.source;
  const countOf: CountOf = ({ path }) => counts.locations[`${place}/${path}`] ?? 0;
  const runs = counts.scripts[place] ?? 0;
  const lines = scriptLines(script, { hasLine: (block) => takenCount(block, countOf) !== undefined }).map(
    ({ depth, text, node }): CoverageLine => {
      const { pointer } = node;
      if (node.kind === 'action') return { depth, text, pointer, count: countOf(node), kind: 'action' };
      // For the script's own condition, the number of runs is used: the runtime does not count how often the condition
      // was false.
      const count = node.kind === 'block' ? (takenCount(node, countOf) ?? 0) : runs;
      return { depth, text, pointer, count, kind: 'branch' };
    },
  );
  return {
    place,
    pointer,
    name,
    triggers,
    runs,
    actions: shareOf(lines, 'action'),
    branches: shareOf(lines, 'branch'),
    lines,
  };
}

type CountOf = (action: Action) => number;

/**
 * How often the actions of a list were started; undefined for an empty list, because the runtime counts actions only.
 */
function entered({ actions }: Block, countOf: CountOf) {
  const [first] = actions;
  return first && countOf(first);
}

/**
 * How often a branch was taken; undefined if it cannot be taken or has no count. An empty branch counts as taken when
 * the condition ran and the other branch was not entered. If both are empty there is nothing to count.
 */
function takenCount(block: Block, countOf: CountOf) {
  const owner = block.parent as Action;
  if (owner.type !== 'condition') return entered(block, countOf);
  const isThen = block === owner.block('then');
  const conditions = owner.operand('conditions') as Condition;
  if (constantOf(conditions) === !isThen) return undefined;
  const own = entered(block, countOf);
  if (own !== undefined) return own;
  const elsewhere = entered(owner.block(isThen ? 'else' : 'then'), countOf);
  return elsewhere === undefined ? undefined : Math.max(0, countOf(owner) - elsewhere);
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
