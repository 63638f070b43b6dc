import { type Edit, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { isRecord, isSameJson, joinPointer } from '../../engine/core/index.ts';
import { applied, memberOf, nodeAt } from './fix-issues.ts';

/**
 * A value that was added to a document, or a number that was raised from `was`. The pointer of an entry that was added
 * to a list ends with `/-`.
 */
export interface Addition {
  readonly pointer: string;
  readonly value: unknown;
  readonly was?: number;
}

/**
 * Merges `part` into the value at a pointer of a document, and returns the new text, which keeps the formatting of the
 * document. Objects are merged member by member, lists get the entries of `part` that they do not have, `{ "$least": n
 * }` raises a number to at least `n`, and all other values stay.
 *
 * `kept` contains the pointers at which `part` has another value than the document, whose value stays.
 *
 * `isThing`: whether a value at a pointer is recorded as one addition. Of other objects and lists, each member and
 * entry is recorded separately. `isKnown`: whether a value at a pointer was added before. It is not added again,
 * because the user may have removed it.
 */
export function mergeJson(
  text: string,
  at: string,
  part: unknown,
  { isThing, isKnown }: Readonly<Record<'isThing' | 'isKnown', (pointer: string) => boolean>>,
) {
  const edits: Edit[] = [];
  const added: Addition[] = [];
  const kept: string[] = [];

  merge(nodeAt(parseTree(text)!, at)!, part, at);
  edits.sort((a, b) => a.offset - b.offset);
  return { text: applied(text, edits), added, kept };

  function merge(node: Node, value: unknown, pointer: string): void {
    const had: unknown = getNodeValue(node);
    const least = leastOf(value);
    if (least !== undefined) {
      if (typeof had !== 'number' || had >= least || isKnown(pointer)) return;
      edits.push({ offset: node.offset, length: node.length, content: String(least) });
      added.push({ pointer, value: least, was: had });
    } else if (isRecord(had) && isRecord(value)) {
      const lacking = Object.entries(value).filter(([key, member]) => {
        const inner = memberOf(node, key);
        const place = joinPointer(pointer, key);
        if (inner !== undefined) merge(inner, member, place);
        return inner === undefined && !isKnown(place);
      });
      for (const [key, member] of lacking) note(joinPointer(pointer, key), member);
      insert(
        node,
        lacking.map(([key, member]) => [key, leastOf(member) ?? member]),
      );
    } else if (Array.isArray(had) && Array.isArray(value)) {
      const isNew = !isKnown(`${pointer}/-`);
      const lacking = value.filter((each) => isNew && !had.some((other) => isSameJson(other, each)));
      for (const each of lacking) added.push({ pointer: `${pointer}/-`, value: each });
      insert(
        node,
        lacking.map((each) => [undefined, each]),
      );
    } else if (!isSameJson(had, value)) kept.push(pointer);
  }

  function note(pointer: string, value: unknown): void {
    const isList = Array.isArray(value);
    const isWhole = isThing(pointer) || leastOf(value) !== undefined || (!isList && !isRecord(value));
    added.push({ pointer, value: isWhole ? (leastOf(value) ?? value) : isList ? [] : {} });
    if (isWhole) return;
    for (const [key, member] of Object.entries(value as object))
      if (isList) added.push({ pointer: `${pointer}/-`, value: member });
      else note(joinPointer(pointer, key), member);
  }

  function insert(node: Node, entries: readonly (readonly [key: string | undefined, value: unknown])[]): void {
    if (entries.length === 0) return;
    const [first] = node.children ?? [];
    const last = node.children?.at(-1);
    const { unit, end } = styleOf(text);
    const isOneLine = unit === '' || (first !== undefined && !text.slice(node.offset, first.offset).includes('\n'));
    const around = indentAt(text, node.offset);
    const indent = first === undefined || isOneLine ? around + unit : indentAt(text, first.offset);
    const lines = entries.map(([key, value]) => {
      const head = key === undefined ? '' : `${JSON.stringify(key)}:${unit === '' ? '' : ' '}`;
      if (unit === '') return head + JSON.stringify(value);
      return head + (isOneLine ? oneLine(value) : printed(value, indent, unit, end, head.length));
    });
    const gap = unit === '' ? '' : isOneLine ? ' ' : end + indent;
    if (last !== undefined)
      edits.push({
        offset: last.offset + last.length,
        length: 0,
        content: lines.map((line) => `,${gap}${line}`).join(''),
      });
    else {
      const content = `${gap}${lines.join(`,${gap}`)}${gap === '' ? '' : end + around}`;
      edits.push({ offset: node.offset + 1, length: node.length - 2, content });
    }
  }
}

function leastOf(value: unknown): number | undefined {
  return isRecord(value) ? (value['$least'] as number | undefined) : undefined;
}

/**
 * Removes additions, the last one first. Additions that the document no longer contains are skipped. `changed` contains
 * the pointers of values that differ from the added ones; these are not removed. `kept` contains objects and lists that
 * were added empty and now have other contents; these are not removed, either.
 */
export function takeBack<A extends Addition>(text: string, additions: readonly A[]) {
  const changed: string[] = [];
  const kept: A[] = [];
  let left = text;
  for (const addition of additions.toReversed()) {
    const { pointer, value, was } = addition;
    const [place, entry] = pointer.split(/(\/-)$/);
    const found = nodeAt(parseTree(left)!, place!);
    const node =
      entry === undefined ? found : found?.children?.findLast((each) => isSameJson(getNodeValue(each), value));
    if (node === undefined) continue;
    const { offset, length } = node;
    if (isSameJson(getNodeValue(node), value))
      left = applied(left, [was === undefined ? removal(node) : { offset, length, content: String(was) }]);
    else if (typeof value === 'object' && Object.keys(value as object).length === 0) kept.unshift(addition);
    else changed.push(pointer);
  }
  return { text: left, changed, kept };
}

/** Removes a member or entry with the comma that becomes redundant. */
function removal(value: Node): Edit {
  const node = value.parent!.type === 'property' ? value.parent! : value;
  const siblings = node.parent!.children!;
  const index = siblings.indexOf(node);
  const before = siblings[index - 1];
  const after = siblings[index + 1];
  const from =
    before === undefined
      ? after === undefined
        ? node.parent!.offset + 1
        : node.offset
      : before.offset + before.length;
  const to =
    before !== undefined ? node.offset + node.length : (after?.offset ?? node.parent!.offset + node.parent!.length - 1);
  return { offset: from, length: to - from, content: '' };
}

/** `unit`: the indentation of one level; empty if the document is one line. */
function styleOf(text: string): { readonly unit: string; readonly end: string } {
  const [, end = '', unit = ''] = /(\r?\n)([ \t]+)/.exec(text) ?? [];
  return { unit, end };
}

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))![0];
}

const lineMax = 100;

/** The JSON of a value, with each object and list on one line if the line is short enough. */
function printed(value: unknown, indent: string, unit: string, end: string, headLength: number): string {
  const line = oneLine(value);
  if (indent.length + headLength + line.length <= lineMax || typeof value !== 'object' || value === null) return line;
  const inner = indent + unit;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([key, member]) => {
    const head = isList ? '' : `${JSON.stringify(key)}: `;
    return `${inner}${head}${printed(member, inner, unit, end, head.length)}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}${end}${parts.join(`,${end}`)}${end}${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
