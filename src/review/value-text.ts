import { type Dictionary, joinPointer } from '../../engine/core/index.ts';

const lineMax = 100;
/** Longer strings with line breaks are printed line by line. */
const textMax = 120;
/** Maximum depth of objects that are printed member by member; deeper ones are written as JSON. */
const depthMax = 60;

export type JsonRecord = Dictionary;

function scalarText(value: unknown): string {
  if (Array.isArray(value) && value.every(isScalar)) return value.map(scalarText).join(', ');
  return typeof value === 'string' && isWord(value) ? value : (JSON.stringify(value) ?? 'nothing');
}

/** Whether a string can be written without quotes, because it cannot be mistaken for another value. */
function isWord(text: string) {
  return /^[A-Za-z_@#][\w@#./-]*$/.test(text) && !['true', 'false', 'null', 'nothing'].includes(text);
}

/** A line of a printed game. */
export interface ShownLine {
  readonly text: string;
  /** The JSON Pointer of the value that the line shows; empty if there is no single one. */
  readonly pointer: string;
}

/** Any object as indented lines with sorted members; small objects take one line. Blank members are left out. */
export function valueLines(key: string, value: unknown, pointer: string, depth = 0): ShownLine[] {
  if (isBlank(value)) return [];
  const line = (text: string): ShownLine => ({ text: `${'  '.repeat(depth)}${text}`, pointer });
  if (typeof value === 'string' && value.length > textMax && value.includes('\n'))
    return [line(`${key}:`), ...value.split('\n').map((each) => line(`  ${each}`))];
  if (isScalar(value) || depth > depthMax) return [line(`${key}: ${scalarText(value)}`)];
  if (Array.isArray(value)) {
    if (value.every(isScalar)) return [line(`${key}: ${scalarText(value)}`)];
    return value.flatMap((each, i) => valueLines(`${key}[${i}]`, each, joinPointer(pointer, i), depth));
  }
  const { name, ...unnamed } = value as JsonRecord;
  const isNamed = typeof name === 'string' && name !== '' && name !== key;
  const head = isNamed ? `${key} ${JSON.stringify(name)}` : key;
  const members = membersOf(unnamed);
  if (members.length === 0) return [line(head)];
  if (members.every(([, member]) => isScalar(member))) {
    const whole = line(`${head}: ${members.map(([member, each]) => `${member} ${scalarText(each)}`).join(', ')}`);
    if (whole.text.length <= lineMax) return [whole];
  }
  return [line(head), ...memberLines(unnamed, pointer, depth + 1)];
}

/** Members that only editors use: folded trees, and the variables that an editor offers for an operand (`vars`). */
const editorMembers = new Set(['isExpanded', 'expanded', 'vars']);

/** The members that are not blank, sorted by name. */
function membersOf(value: JsonRecord) {
  return Object.entries(value)
    .filter(([key, member]) => !isBlank(member) && !editorMembers.has(key))
    .sort(([a], [b]) => byText(a, b));
}

/** The members of an object, as lines. */
export function memberLines(value: JsonRecord, pointer: string, depth: number): ShownLine[] {
  return membersOf(value).flatMap(([key, member]) => valueLines(key, member, joinPointer(pointer, key), depth));
}

/** JSON that does not depend on the order of members. It includes the blank values that `valueLines` leaves out. */
export function canonicalJson(value: unknown, indent?: number): string {
  const sorted = (_key: string, each: unknown): unknown =>
    isScalar(each) || Array.isArray(each)
      ? each
      : Object.fromEntries(
          Object.entries(each as JsonRecord)
            .filter(([key, member]) => !editorMembers.has(key) && (isScalar(member) || !isBlank(member)))
            .sort(([a], [b]) => byText(a, b)),
        );
  return JSON.stringify(value, sorted, indent) ?? '';
}

export function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Whether a value is blank: absent, null, "", or an empty object or list. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Compares strings by UTF-16 code units, so that the order is the same on every machine. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
