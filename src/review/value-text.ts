import { hashText } from '../../engine/core/index.ts';

const scalarMax = 120;
const lineMax = 100;
/** Members of deeper objects are written as JSON. */
const depthMax = 60;

export type JsonRecord = Readonly<Record<string, unknown>>;

/** A scalar or list on one line. Long texts are cut, with a checksum, so that any change shows. */
export function scalarText(value: unknown): string {
  if (Array.isArray(value) && value.every(isScalar)) {
    const text = value.map(scalarText).join(', ');
    if (text.length <= scalarMax) return text;
  }
  const text = typeof value === 'string' && isWord(value) ? value : (JSON.stringify(value) ?? 'nothing');
  if (text.length <= scalarMax) return text;
  return `${text.slice(0, scalarMax - 40)}… (${text.length} characters, checksum ${checksum(text)})`;
}

export function checksum(text: string): string {
  return hashText(text).slice(0, 8);
}

/** Words that cannot be mistaken for another value are written without quotes. */
function isWord(text: string): boolean {
  return /^[A-Za-z_@#][\w@#./-]*$/.test(text) && !['true', 'false', 'null', 'nothing'].includes(text);
}

/** Any object as indented lines with sorted members; small objects take one line. Blank members are left out. */
export function valueLines(key: string, value: unknown, depth = 0): string[] {
  if (isBlank(value)) return [];
  const indent = '  '.repeat(depth);
  if (isScalar(value) || depth > depthMax) return [`${indent}${key}: ${scalarText(value)}`];
  if (Array.isArray(value)) {
    if (value.every(isScalar)) return [`${indent}${key}: ${scalarText(value)}`];
    return value.flatMap((each, i) => valueLines(`${key}[${i}]`, each, depth));
  }
  const { name } = value as JsonRecord;
  const isNamed = typeof name === 'string' && name !== '' && name !== key;
  const head = isNamed ? `${key} ${JSON.stringify(name)}` : key;
  const members = membersOf(value as JsonRecord).filter(([member]) => member !== 'name');
  if (members.length === 0) return [`${indent}${head}`];
  if (members.every(([, member]) => isScalar(member))) {
    const line = `${indent}${head}: ${members.map(([member, each]) => `${member} ${scalarText(each)}`).join(', ')}`;
    if (line.length <= lineMax) return [line];
  }
  return [`${indent}${head}`, ...members.flatMap(([member, each]) => valueLines(member, each, depth + 1))];
}

/** What only editors use: folded trees, and the variables that an editor offers at an operand (`vars`). */
export const editorMembers: ReadonlySet<string> = new Set(['isExpanded', 'expanded', 'vars']);

/** The members that are not blank, sorted by name. */
export function membersOf(value: JsonRecord): [string, unknown][] {
  return Object.entries(value)
    .filter(([key, member]) => !isBlank(member) && !editorMembers.has(key))
    .sort(([a], [b]) => byText(a, b));
}

export function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Whether a value is blank: absent, null, "", or an empty object or list. */
function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Orders by UTF-16 units, so that the order is the same on every machine. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
