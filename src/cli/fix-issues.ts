import { applyEdits, type Edit, findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';
import type { Issue } from '../../engine/core/issue.ts';
import type { IssueCode } from '../../engine/core/issue-codes.ts';
import { parsePointer } from '../../engine/core/pointer.ts';
import { catalogue } from '../../engine/index.ts';

/** The name of a member is misspelt. */
const misspeltKeys: ReadonlySet<IssueCode> = new Set(['unknown-field', 'unknown-parameter']);
/** A text is misspelt that names something. */
const misspeltTexts: ReadonlySet<IssueCode> = new Set([
  'unknown-value',
  'unknown-operand-type',
  ...(['unknown-trigger', 'unknown-action', 'unknown-function'] as const),
  ...(['dangling-script', 'dangling-ability', 'dangling-item-type', 'dangling-unit-type'] as const),
  ...(['dangling-projectile-type', 'dangling-player-type', 'dangling-attribute', 'dangling-variable'] as const),
  ...(['dangling-state', 'dangling-body', 'dangling-animation', 'dangling-shop', 'dangling-dialogue'] as const),
]);

export interface FixedText {
  readonly text: string;
  /** Issues that are repaired now. */
  readonly fixed: readonly Issue[];
}

/**
 * Repairs what has one safe repair: a misspelt name of which only one is meant, by one slip of the pen; a number for a number variable that is
 * written as text. Nothing else of the text changes, neither order nor white space.
 */
export function fixIssues(text: string, issues: readonly Issue[]): FixedText {
  const root = parseTree(text);
  if (root === undefined) return { text, fixed: [] };
  const words = wordsOf(root);
  const edits = new Map<number, Edit>();
  const fixed: Issue[] = [];
  for (const issue of issues) {
    const edit = editOf(root, issue, words);
    if (edit === undefined || edits.has(edit.offset)) continue;
    edits.set(edit.offset, edit);
    fixed.push(issue);
  }
  return { text: applyEdits(text, [...edits.values()]), fixed };
}

function editOf(root: Node, { code, pointer, suggestion }: Issue, words: ReadonlySet<string>): Edit | undefined {
  if (suggestion === undefined) return undefined;
  const value = nodeAt(root, pointer);
  if (value === undefined) return undefined;
  if (misspeltKeys.has(code)) {
    const key = value.parent?.children?.[0];
    if (key === undefined || value.parent?.type !== 'property' || !isOnlyMeant(String(key.value), suggestion, words))
      return undefined;
    return replaced(key, suggestion);
  }
  if (code === 'mismatched-assignment') {
    const given = textOf(value);
    const isNumber = given !== undefined && given.value === suggestion && String(Number(suggestion)) === suggestion;
    return isNumber ? replaced(given, Number(suggestion)) : undefined;
  }
  if (!misspeltTexts.has(code)) return undefined;
  const given = textOf(value);
  return given !== undefined && isOnlyMeant(given.value, suggestion, words) ? replaced(given, suggestion) : undefined;
}

/** The text that an issue is about: the place itself, or the name that an operation, a trigger or a condition there has. */
function textOf(node: Node): (Node & { readonly value: string }) | undefined {
  if (node.type === 'string') return node as Node & { readonly value: string };
  for (const key of ['type', 'function', 'operandType']) {
    const inside = node.type === 'object' ? findNodeAtLocation(node, [key]) : undefined;
    if (inside?.type === 'string') return inside as Node & { readonly value: string };
  }
  return undefined;
}

function nodeAt(root: Node, pointer: string): Node | undefined {
  let node: Node | undefined = root;
  for (const token of parsePointer(pointer)) {
    const path: JSONPath = [node?.type === 'array' ? Number(token) : token];
    node = node && findNodeAtLocation(node, path);
  }
  return node;
}

function replaced({ offset, length }: Node, value: unknown): Edit {
  return { offset, length, content: JSON.stringify(value) };
}

/** Whatever could be meant: names of operations and triggers, and every key of the document. */
function wordsOf(root: Node): Set<string> {
  const { actions, functions, triggers } = catalogue();
  const words = new Set([...actions, ...functions, ...triggers].flatMap(({ type, aliases }) => [type, ...aliases]));
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'property') words.add(String(node.children![0]!.value));
    for (const child of node.children ?? []) waiting.push(child);
  }
  return words;
}

/** Shorter words are ids more often than words, and ids that differ by a letter are two. */
const lengthMin = 4;

/** Whether one word alone is a slip of the pen away. */
function isOnlyMeant(written: string, meant: string, words: ReadonlySet<string>): boolean {
  if (written.length < lengthMin || !isSlip(written, meant)) return false;
  for (const word of words) if (word !== meant && word !== written && isSlip(written, word)) return false;
  return true;
}

/** One letter more, less or other, two that changed places, or another case: nobody means both words. */
function isSlip(written: string, meant: string): boolean {
  const [a, b] = [written.toLowerCase(), meant.toLowerCase()];
  if (a === b) return written !== meant;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  // Numbers count things: another one is another thing.
  if (/\d/.test(left + right)) return false;
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === `${right[1]}${right[0]}`);
}
