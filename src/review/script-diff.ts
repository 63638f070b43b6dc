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
  readonly node: ScriptLine['node'];
  /** What lines must have in common to be equal: the JSON without nested actions. */
  readonly token: string;
  /** The token with the new keys of what was renamed. */
  readonly renamedToken: string;
  readonly type: string;
  /** Index of the row that this one is nested in, through its list `branch`; -1 at the top. */
  readonly container: number;
  readonly branch: string;
  readonly own: Readonly<Record<string, unknown>>;
}

const changedMin = 0.4;
const unmatched = -1;

/** Compares scripts by their actions: a sequence alignment, then pairs of similar lines, then lines that moved. */
export function scriptDiff(before: ScriptNode, after: ScriptNode, renames: Renames): ScriptDiff {
  const [old, now] = [rowsOf(before, renames), rowsOf(after, noRenames)];
  const isEqual = (a: Row, b: Row): boolean => a.token === b.token || a.renamedToken === b.token;
  const isLine = ({ node }: Row): boolean => node.kind !== 'block';
  const [oldActions, nowActions] = [indices(old, isLine), indices(now, isLine)];
  const toNow = new Int32Array(old.length).fill(unmatched);
  const toOld = new Int32Array(now.length).fill(unmatched);
  const match = (i: number, j: number): void => {
    toNow[i] = j;
    toOld[j] = i;
  };
  for (const [i, j] of align(oldActions.length, nowActions.length, (i, j) =>
    isEqual(old[oldActions[i]!]!, now[nowActions[j]!]!),
  ))
    match(oldActions[i]!, nowActions[j]!);

  pairSimilar(old, now, oldActions, nowActions, toNow, toOld, match);

  const moved = new Set<number>();
  const waiting = new Map<string, number[]>();
  for (const i of oldActions) {
    if (toNow[i] !== unmatched) continue;
    const token = old[i]!.renamedToken;
    waiting.set(token, [...(waiting.get(token) ?? []), i]);
  }
  for (const j of nowActions) {
    if (toOld[j] !== unmatched) continue;
    const i = waiting.get(now[j]!.token)?.shift();
    if (i === undefined) continue;
    match(i, j);
    moved.add(j);
  }

  // Nested lists are matched if their actions are.
  for (const [i, row] of old.entries()) {
    if (isLine(row)) continue;
    const container = toNow[row.container]!;
    const j = now.findIndex((each) => !isLine(each) && each.container === container && each.branch === row.branch);
    if (container !== unmatched && j !== -1) {
      match(i, j);
      if (moved.has(container)) moved.add(j);
    }
  }
  for (const j of nowActions) {
    const i = toOld[j]!;
    if (i !== unmatched && !moved.has(j) && !isInSamePlace(old, now, i, j, toNow, toOld)) moved.add(j);
  }

  let followed = 0;
  const lineOf = (j: number): LineChange => {
    const [i, row] = [toOld[j]!, now[j]!];
    if (i === unmatched) return { kind: 'inserted', after: placed(row), ...noteOf(staying(now, j, toOld)) };
    const was = old[i]!;
    const isMoved = moved.has(j);
    const pair = { before: placed(was), after: placed(row) };
    if (isMoved)
      return { kind: 'moved', ...pair, ...(isLine(row) && !moved.has(row.container) && noteOf(placeBefore(old, i))) };
    if (!isLine(row) || was.token === row.token) return { kind: 'same', ...pair };
    const { changes, followed: names } = fieldChanges(was.own, row.own, renames);
    followed += names;
    if (changes.length === 0) return { kind: 'same', ...pair };
    return { kind: 'changed', ...pair, ...(was.text === row.text && { hidden: changes }) };
  };
  // Removed lines are listed after the last line before them that is still in its place.
  const removed = new Map<number, LineChange[]>();
  let anchor = -1;
  for (const [i, row] of old.entries()) {
    const j = toNow[i]!;
    if (j !== unmatched) {
      if (!moved.has(j) && j > anchor) anchor = j;
      continue;
    }
    const line: LineChange = { kind: 'removed', before: placed(row), ...noteOf(staying(old, i, toNow)) };
    removed.set(anchor, [...(removed.get(anchor) ?? []), line]);
  }
  const lines = [...(removed.get(-1) ?? [])];
  for (const j of now.keys()) lines.push(lineOf(j), ...(removed.get(j) ?? []));
  return { lines, followed };
}

/** All lines of a script. */
export function linesOf(script: ScriptNode): PlacedLine[] {
  return rowsOf(script, noRenames).map(placed);
}

function rowsOf(script: ScriptNode, renames: Renames): Row[] {
  const rows: Row[] = [];
  const indexOf = new Map<unknown, number>();
  for (const { node, depth, text } of scriptLines(script, {
    isComplete: true,
    lengthMax: Number.POSITIVE_INFINITY,
  })) {
    const block = node.kind === 'block' ? node : node.parent;
    const container = indexOf.get(block?.parent) ?? unmatched;
    const own = ownMembers(node);
    indexOf.set(node, rows.length);
    rows.push({
      node,
      depth,
      text,
      pointer: node.pointer,
      token: canonical(own),
      renamedToken: canonical(own, renames),
      type: node.kind === 'action' ? node.type : node.kind,
      container,
      branch: String(block?.key ?? ''),
      own,
    });
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
function pairSimilar(
  old: readonly Row[],
  now: readonly Row[],
  oldActions: readonly number[],
  nowActions: readonly number[],
  toNow: Int32Array,
  toOld: Int32Array,
  match: (i: number, j: number) => void,
): void {
  let at = 0;
  let gap: number[] = [];
  const close = (end: number): void => {
    let from = at;
    for (const i of gap) {
      for (let to = from; to < end; to++) {
        const j = nowActions[to]!;
        if (toOld[j] !== unmatched || !isLike(old, now, i, j, toNow)) continue;
        match(i, j);
        from = to + 1;
        break;
      }
    }
    gap = [];
  };
  for (const i of oldActions) {
    const j = toNow[i]!;
    if (j === unmatched) {
      gap.push(i);
      continue;
    }
    const end = nowActions.indexOf(j);
    close(end);
    at = end + 1;
  }
  close(nowActions.length);
}

/**
 * Whether one action is probably a changed form of the other: the same type, and similar operands or some equal nested
 * actions.
 */
function isLike(old: readonly Row[], now: readonly Row[], i: number, j: number, toNow: Int32Array): boolean {
  const [a, b] = [old[i]!, now[j]!];
  if (a.type !== b.type) return false;
  if (a.text === b.text) return true;
  if (
    old.some(
      ({ container }, child) => container === i && toNow[child] !== unmatched && now[toNow[child]!]!.container === j,
    )
  )
    return true;
  return similarity(leavesOf(a.own), leavesOf(b.own)) >= changedMin;
}

/**
 * Whether two equal lines are in the same list. Lists that were added or removed around them are ignored, because they
 * are listed as changes themselves.
 */
function isInSamePlace(
  old: readonly Row[],
  now: readonly Row[],
  i: number,
  j: number,
  toNow: Int32Array,
  toOld: Int32Array,
): boolean {
  const [a, b] = [place(old, i, toNow), place(now, j, toOld)];
  if (a.container === unmatched || b.container === unmatched) return a.container === b.container;
  return toNow[a.container] === b.container && a.branch === b.branch;
}

/** The nearest enclosing row that is matched, and the list of it that contains the row. */
function place(rows: readonly Row[], index: number, matched: Int32Array): { container: number; branch: string } {
  let { container, branch } = rows[index]!;
  while (container !== unmatched && matched[container] === unmatched) ({ container, branch } = rows[container]!);
  return { container, branch };
}

/** For an inserted or removed action with actions inside: how many of them are also in the other script. */
function staying(rows: readonly Row[], index: number, matched: Int32Array): string | undefined {
  const { node, depth } = rows[index]!;
  if (node.kind !== 'action') return undefined;
  let count = 0;
  for (let i = index + 1; i < rows.length && rows[i]!.depth > depth; i++)
    if (rows[i]!.node.kind !== 'block' && matched[i] !== unmatched) count++;
  if (count === 0) return undefined;
  return `${count === 1 ? 'the action' : `the ${count} actions`} inside ${count === 1 ? 'stays' : 'stay'}`;
}

/** Says where a line was: after another line, or first in a list. */
function placeBefore(rows: readonly Row[], index: number): string {
  const { container, branch } = rows[index]!;
  for (let i = index - 1; i >= 0; i--) {
    const row = rows[i]!;
    if (row.node.kind !== 'block' && row.container === container && row.branch === branch)
      return `was after ${row.text}`;
  }
  return container === unmatched ? 'was first' : `was first in ${branch} of ${rows[container]!.text}`;
}

function noteOf(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}

function placed({ depth, text, pointer }: Row): PlacedLine {
  return { depth, text, pointer };
}

function indices<T>(list: readonly T[], accepts: (element: T) => boolean): number[] {
  return list.flatMap((element, i) => (accepts(element) ? [i] : []));
}
