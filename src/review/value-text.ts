const lineMax = 100;
/** Longer strings with line breaks are printed line by line. */
const textMax = 120;
/** Maximum depth of objects that are printed member by member; deeper ones are written as JSON. */
const depthMax = 60;

export type JsonRecord = Readonly<Record<string, unknown>>;

function scalarText(value: unknown): string {
  if (Array.isArray(value) && value.every(isScalar)) return value.map(scalarText).join(', ');
  return typeof value === 'string' && isWord(value) ? value : (JSON.stringify(value) ?? 'nothing');
}

/** Whether a string can be written without quotes, because it cannot be mistaken for another value. */
function isWord(text: string): boolean {
  return /^[A-Za-z_@#][\w@#./-]*$/.test(text) && !['true', 'false', 'null', 'nothing'].includes(text);
}

/** Any object as indented lines with sorted members; small objects take one line. Blank members are left out. */
export function valueLines(key: string, value: unknown, depth = 0): string[] {
  if (isBlank(value)) return [];
  const indent = '  '.repeat(depth);
  if (typeof value === 'string' && value.length > textMax && value.includes('\n'))
    return [`${indent}${key}:`, ...value.split('\n').map((line) => `${indent}  ${line}`)];
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

/** Members that only editors use: folded trees, and the variables that an editor offers for an operand (`vars`). */
const editorMembers: ReadonlySet<string> = new Set(['isExpanded', 'expanded', 'vars']);

/** The members that are not blank, sorted by name. */
export function membersOf(value: JsonRecord): [string, unknown][] {
  return Object.entries(value)
    .filter(([key, member]) => !isBlank(member) && !editorMembers.has(key))
    .sort(([a], [b]) => byText(a, b));
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
