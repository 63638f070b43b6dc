import { defined } from '../../engine/core/index.ts';
import type { Action, ScriptNode } from '../../engine/index.ts';
import { type ScriptLine, scriptLines } from '../run/index.ts';
import { align } from './align.ts';
import { canonical, leavesOf, noRenames, type Renames, similarity } from './canonical.ts';
import { type FieldChange, fieldChanges } from './field-diff.ts';

/** A line of a script, before and after. */
export interface LineChange {
  readonly kind: 'same' | 'inserted' | 'removed' | 'changed' | 'moved';
  readonly before?: PlacedLine;
  readonly after?: PlacedLine;
  /** For a changed line with equal text: the changes of members that the text does not show. */
  readonly hidden?: readonly FieldChange[];
  /**
   * For a moved line, the line that it followed or was inside of. For an inserted or removed list, how many of its
   * actions stay.
   */
  readonly note?: string;
}

export interface PlacedLine {
  readonly depth: number;
  readonly text: string;
  /** JSON Pointer in its document. */
  readonly pointer: string;
}

interface ScriptDiff {
  /** All lines of the new script, with the removed ones where they were. */
  readonly lines: readonly LineChange[];
  readonly followed: number;
}

/** A line that can be matched; the lines of nested lists follow their action. */
interface Row extends PlacedLine {
  readonly index: number;
  readonly node: ScriptLine['node'];
  /** What lines must have in common to be equal: the JSON without nested actions. */
  readonly token: string;
  /** The token with the new keys of what was renamed. */
  readonly renamedToken: string;
  readonly type: string;
  /** The row that this one is nested in, through its list `branch`; undefined at the top. */
  readonly container: Row | undefined;
  readonly branch: string;
  readonly own: Readonly<Record<string, unknown>>;
  /** The same line in the other script. */
  match?: Row;
  /** Whether a row of the new script was at another place. */
  isMoved?: boolean;
}

const changedMin = 0.4;

/** Compares scripts by their actions: a sequence alignment, then pairs of similar lines, then lines that moved. */
export function scriptDiff(before: ScriptNode, after: ScriptNode, renames: Renames): ScriptDiff {
  const [old, now] = [rowsOf(before, renames), rowsOf(after, noRenames)];
  const [oldActions, nowActions] = [old.filter(isLine), now.filter(isLine)];
  const isEqual = (a: Row, b: Row): boolean => a.token === b.token || a.renamedToken === b.token;
  const aligned = align(oldActions.length, nowActions.length, (i, j) => isEqual(oldActions[i]!, nowActions[j]!));
  for (const [i, j] of aligned) match(oldActions[i]!, nowActions[j]!);

  pairSimilar(oldActions, nowActions);

  for (const row of nowActions) {
    if (row.match !== undefined) continue;
    const was = oldActions.find((each) => each.match === undefined && each.renamedToken === row.token);
    if (was === undefined) continue;
    match(was, row);
    row.isMoved = true;
  }

  // Nested lists are matched if their actions are.
  for (const was of old) {
    const container = was.container?.match;
    if (isLine(was) || container === undefined) continue;
    const row = now.find((each) => !isLine(each) && each.container === container && each.branch === was.branch);
    if (row === undefined) continue;
    match(was, row);
    row.isMoved = container.isMoved === true;
  }
  for (const row of nowActions) if (row.match !== undefined && !isInSamePlace(row.match, row)) row.isMoved = true;

  let followed = 0;
  const lineOf = (row: Row): LineChange => {
    const was = row.match;
    if (was === undefined) return { kind: 'inserted', after: placed(row), ...defined({ note: staying(now, row) }) };
    const pair = { before: placed(was), after: placed(row) };
    if (row.isMoved === true)
      return {
        kind: 'moved',
        ...pair,
        ...(isLine(row) && row.container?.isMoved !== true && { note: placeBefore(old, was) }),
      };
    if (!isLine(row) || was.token === row.token) return { kind: 'same', ...pair };
    const { changes, followed: names } = fieldChanges(was.own, row.own, renames);
    followed += names;
    if (changes.length === 0) return { kind: 'same', ...pair };
    return { kind: 'changed', ...pair, ...(was.text === row.text && { hidden: changes }) };
  };
  // Removed lines are listed after the last line before them that is still in its place.
  const removed = new Map<number, LineChange[]>();
  let anchor = -1;
  for (const was of old) {
    const row = was.match;
    if (row !== undefined) {
      if (row.isMoved !== true) anchor = Math.max(anchor, row.index);
      continue;
    }
    const line: LineChange = { kind: 'removed', before: placed(was), ...defined({ note: staying(old, was) }) };
    removed.set(anchor, [...(removed.get(anchor) ?? []), line]);
  }
  const lines = [...(removed.get(-1) ?? [])];
  for (const row of now) lines.push(lineOf(row), ...(removed.get(row.index) ?? []));
  return { lines, followed };
}

function match(was: Row, row: Row): void {
  was.match = row;
  row.match = was;
}

function isLine({ node }: Row): boolean {
  return node.kind !== 'block';
}

/** The lines of a script, whole. */
export function completeLines(script: ScriptNode): readonly ScriptLine[] {
  return scriptLines(script, { isComplete: true, lengthMax: Number.POSITIVE_INFINITY });
}

/** All lines of a script. */
export function linesOf(script: ScriptNode): PlacedLine[] {
  return rowsOf(script, noRenames).map(placed);
}

function rowsOf(script: ScriptNode, renames: Renames): Row[] {
  const rows: Row[] = [];
  const rowOf = new Map<unknown, Row>();
  for (const { node, depth, text } of completeLines(script)) {
    const block = node.kind === 'block' ? node : node.parent;
    const own = ownMembers(node);
    const row: Row = {
      index: rows.length,
      node,
      depth,
      text,
      pointer: node.pointer,
      token: canonical(own),
      renamedToken: canonical(own, renames),
      type: node.kind === 'action' ? node.type : node.kind,
      container: rowOf.get(block?.parent),
      branch: String(block?.key ?? ''),
      own,
    };
    rowOf.set(node, row);
    rows.push(row);
  }
  return rows;
}

/** The members of a line without the actions inside, which are lines of their own. */
function ownMembers(node: ScriptLine['node']): Readonly<Record<string, unknown>> {
  if (node.kind === 'block') return {};
  if (node.kind !== 'action') return { value: node.json };
  const nested = new Set(node.blocks.map(({ key }) => key));
  return Object.fromEntries(Object.entries((node as Action).json).filter(([key]) => !nested.has(key)));
}

/** Pairs similar removed and inserted lines that are between the same two equal lines. */
function pairSimilar(old: readonly Row[], now: readonly Row[]): void {
  let at = 0;
  let gap: Row[] = [];
  const close = (end: number): void => {
    let from = at;
    for (const was of gap) {
      for (let to = from; to < end; to++) {
        const row = now[to]!;
        if (row.match !== undefined || !isLike(old, was, row)) continue;
        match(was, row);
        from = to + 1;
        break;
      }
    }
    gap = [];
  };
  for (const was of old) {
    if (was.match === undefined) {
      gap.push(was);
      continue;
    }
    const end = now.indexOf(was.match);
    close(end);
    at = end + 1;
  }
  close(now.length);
}

/**
 * Whether one action is probably a changed form of the other: the same type, and similar operands or some equal nested
 * actions.
 */
function isLike(old: readonly Row[], was: Row, row: Row): boolean {
  if (was.type !== row.type) return false;
  if (was.text === row.text) return true;
  if (old.some(({ container, match: same }) => container === was && same?.container === row)) return true;
  return similarity(leavesOf(was.own), leavesOf(row.own)) >= changedMin;
}

/**
 * Whether two equal lines are in the same list. Lists that were added or removed around them are ignored, because they
 * are listed as changes themselves.
 */
function isInSamePlace(was: Row, row: Row): boolean {
  const [a, b] = [place(was), place(row)];
  if (a.container === undefined || b.container === undefined) return a.container === b.container;
  return a.container.match === b.container && a.branch === b.branch;
}

/** The nearest enclosing row that is matched, and the list of it that contains the row. */
function place({ container, branch }: Row): Pick<Row, 'container' | 'branch'> {
  while (container !== undefined && container.match === undefined) ({ container, branch } = container);
  return { container, branch };
}

/** For an inserted or removed action with actions inside: how many of them are also in the other script. */
function staying(rows: readonly Row[], { index, node, depth }: Row): string | undefined {
  if (node.kind !== 'action') return undefined;
  let count = 0;
  for (let i = index + 1; i < rows.length && rows[i]!.depth > depth; i++)
    if (isLine(rows[i]!) && rows[i]!.match !== undefined) count++;
  if (count === 0) return undefined;
  return `${count === 1 ? 'the action' : `the ${count} actions`} inside ${count === 1 ? 'stays' : 'stay'}`;
}

/** Says where a line was: after another line, or first in a list. */
function placeBefore(rows: readonly Row[], { index, container, branch }: Row): string {
  const above = rows.findLast(
    (row) => row.index < index && isLine(row) && row.container === container && row.branch === branch,
  );
  if (above !== undefined) return `was after ${above.text}`;
  return container === undefined ? 'was first' : `was first in ${branch} of ${container.text}`;
}

function placed({ depth, text, pointer }: Row): PlacedLine {
  return { depth, text, pointer };
}
