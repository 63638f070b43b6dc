import { type Edit, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { catalogue, type Issue, type IssueCode } from '../../engine/index.ts';
import { type Spelling, spellingsOf } from '../../engine/tools.ts';
import { applied, keyOf, memberOf, nodeAt } from './json-edits.ts';

/** Codes of issues about a misspelt key. */
const misspeltKeys: ReadonlySet<string> = new Set<IssueCode>([
  'unknown-field',
  'unknown-parameter',
  'misspelt-parameter',
]);
/** Codes of issues about a misspelt reference or word in a value. */
const misspeltTexts: ReadonlySet<string> = new Set<IssueCode | 'unknown-operand-type'>([
  'unknown-value',
  'unknown-operand-type',
  ...(['unknown-trigger', 'unknown-action', 'unknown-function'] as const),
  ...(['dangling-script', 'dangling-ability', 'dangling-item-type', 'dangling-unit-type'] as const),
  ...(['dangling-projectile-type', 'dangling-player-type', 'dangling-attribute', 'dangling-variable'] as const),
  ...(['dangling-state', 'dangling-body', 'dangling-animation', 'dangling-shop', 'dangling-dialogue'] as const),
]);

/**
 * Maximum number of suggestions for which repairs are computed although the user has not asked for them. Each
 * suggestion is compared with all words of the document, so more would take too long.
 */
export const misspeltMax = 500;

export interface FixedText {
  readonly text: string;
  /** The changes of the text, in the order of the text. */
  readonly edits: readonly Edit[];
  /** The issues that were repaired. */
  readonly fixed: readonly Issue[];
  /**
   * The values and names that were converted to their current spelling. Their older spelling is not reported as an
   * issue.
   */
  readonly respelt: readonly Spelling[];
}

/**
 * Repairs the issues that have exactly one safe repair: a misspelt name that is one typo away from exactly one known
 * name, and a string assigned to a number variable. Also modernises older spellings: numbers written as strings outside
 * of scripts, and old field names. The rest of the text, including order and white space, stays unchanged.
 */
export function fixIssues(text: string, issues: readonly Issue[]): FixedText {
  const root = parseTree(text);
  if (root === undefined) return { text, edits: [], fixed: [], respelt: [] };
  const words = wordsOf(root);
  const isOnly: IsMeant = (written, meant) => isOnlyMeant(written, meant, words);
  const repairs = new Map<number, Repair>();
  const add = (repair: Repair | undefined) => {
    if (repair !== undefined && !repairs.has(repair.edit.offset)) repairs.set(repair.edit.offset, repair);
  };
  for (const issue of issues) add(repairOf(root, issue, isOnly));
  for (const spelling of spellingsOf(getNodeValue(root))) add(respelling(root, spelling));
  const safe = [...repairs.values()].filter((repair) => !isContested(repair, repairs.values()));
  const edits = safe.map(({ edit }) => edit).sort((a, b) => a.offset - b.offset);
  return {
    get text() {
      return applied(text, edits);
    },
    edits,
    fixed: safe.flatMap(({ issue }) => issue ?? []),
    respelt: safe.flatMap(({ spelling }) => spelling ?? []),
  };
}

/**
 * The edits that carry out the suggestions of issues, even if another word could be meant; undefined for an issue
 * without a suggestion.
 */
export function suggestedEdits(text: string, issues: readonly Issue[]): (Edit | undefined)[] {
  const root = parseTree(text);
  return issues.map((issue) => root && repairOf(root, issue, () => true)?.edit);
}

type IsMeant = (written: string, meant: string) => boolean;

interface Repair {
  readonly issue?: Issue;
  readonly spelling?: Spelling;
  readonly edit: Edit;
  /** The object whose key is renamed. */
  readonly renamedIn?: Node | undefined;
}

/**
 * Whether another repair gives another key of the same object the same name. One of the two members would then be lost.
 */
function isContested(repair: Repair, repairs: Iterable<Repair>) {
  if (repair.renamedIn === undefined) return false;
  for (const other of repairs) {
    if (other === repair || other.renamedIn !== repair.renamedIn) continue;
    if (other.edit.content === repair.edit.content) return true;
  }
  return false;
}

function repairOf(root: Node, issue: Issue, isMeant: IsMeant): Repair | undefined {
  const { code, pointer, suggestion } = issue;
  if (suggestion === undefined) return undefined;
  const value = nodeAt(root, pointer);
  if (value === undefined) return undefined;
  if (misspeltKeys.has(code)) {
    const renaming = renamed(value, suggestion);
    return renaming !== undefined && isMeant(keyAbove(value), suggestion) ? { issue, ...renaming } : undefined;
  }
  const given = textOf(value);
  if (given === undefined) return undefined;
  if (code === 'mismatched-assignment') {
    const number = Number(suggestion);
    const isNumber = given.value === suggestion && Number.isFinite(number) && String(number) === suggestion;
    return isNumber ? { issue, edit: replaced(given, number) } : undefined;
  }
  if (!misspeltTexts.has(code) || !isMeant(given.value, suggestion)) return undefined;
  return { issue, edit: replaced(given, suggestion) };
}

/** The repair that replaces an older spelling by the current one; undefined if it cannot be replaced safely. */
function respelling(root: Node, spelling: Spelling): Repair | undefined {
  const { kind, pointer, right } = spelling;
  const value = nodeAt(root, pointer);
  if (value === undefined) return undefined;
  if (kind === 'number') return value.type === 'string' ? { spelling, edit: replaced(value, right) } : undefined;
  const renaming = renamed(value, String(right));
  return renaming && { spelling, ...renaming };
}

/** Renames the key of a value; undefined if the object also has another member with either name. */
function renamed(value: Node, name: string): Pick<Repair, 'edit' | 'renamedIn'> | undefined {
  const property = value.parent;
  const key = property?.children?.[0];
  if (key === undefined || property?.type !== 'property') return undefined;
  const others = property.parent?.children?.filter((each) => each !== property) ?? [];
  if (others.some((each) => [key.value, name].includes(keyOf(each)))) return undefined;
  return { edit: replaced(key, name), renamedIn: property.parent };
}

function keyAbove(value: Node) {
  return String(value.parent?.children?.[0]?.value);
}

/**
 * The string that an issue is about: the value itself, or the name of the operation, trigger or operand type in it.
 * Undefined if there is no such string.
 */
function textOf(node: Node): (Node & { readonly value: string }) | undefined {
  if (node.type === 'string') return node as Node & { readonly value: string };
  for (const key of ['type', 'function', 'operandType']) {
    const inside = node.type === 'object' ? memberOf(node, key) : undefined;
    if (inside?.type === 'string') return inside as Node & { readonly value: string };
  }
  return undefined;
}

function replaced({ offset, length }: Node, value: unknown): Edit {
  return { offset, length, content: JSON.stringify(value) };
}

/** All words that the author may have meant: names of operations and triggers, and all keys of the document. */
function wordsOf(root: Node): Set<string> {
  const { actions, functions, triggers } = catalogue();
  const words = new Set([...actions, ...functions, ...triggers].flatMap(({ type, aliases }) => [type, ...aliases]));
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'property') words.add(String(keyOf(node)));
    for (const child of node.children ?? []) waiting.push(child);
  }
  return words;
}

/** Shorter words are not repaired: they are usually ids, and ids that differ in one letter are different things. */
const lengthMin = 4;

/** Whether exactly one known word is a single typo away. */
function isOnlyMeant(written: string, meant: string, words: ReadonlySet<string>) {
  if (written.length < lengthMin || !isSlip(written, meant)) return false;
  for (const word of words) if (word !== meant && word !== written && isSlip(written, word)) return false;
  return true;
}

/**
 * Whether two words differ by a single typo: one letter added, removed, replaced or swapped with its neighbour, or only
 * the case. A definition that contains both words on purpose is unlikely.
 */
function isSlip(written: string, meant: string) {
  const [a, b] = [written.toLowerCase(), meant.toLowerCase()];
  if (a === b) return written !== meant;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  // Words with different digits mean different things.
  if (/\d/.test(left + right)) return false;
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === `${right[1]}${right[0]}`);
}
