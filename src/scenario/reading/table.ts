import { isRecord } from '../../../engine/core/index.ts';

/** A row of the table of a scenario: values by column. */
type Row = Readonly<Record<string, unknown>>;

const whole = /^<([A-Za-z_][\w ]*)>$/;
const inside = /<(<?)([A-Za-z_][\w ]*)>/g;

/** The table rows with which a scenario is run; undefined if it has no table. */
export function rowsOf(plan: Readonly<Record<string, unknown>>): readonly Row[] | undefined {
  const { each } = plan;
  return Array.isArray(each) && each.length > 0 && each.every(isRecord) ? (each as Row[]) : undefined;
}

/**
 * Replaces `<column>` by the value of a row in every string and key of a scenario. A string that consists only of
 * `<column>` becomes the value itself, so that numbers stay numbers. `<<word>` stands for the string `<word>`. Unknown
 * columns are added to `unknown`.
 */
export function withRow<T>(plan: T, row: Row, unknown: Set<string>): T {
  if (!isRecord(plan)) return plan;
  const { each, ...rest } = plan;
  return { ...(fill(rest, row, unknown) as Record<string, unknown>), each } as T;
}

function fill(node: unknown, row: Row, unknown: Set<string>): unknown {
  if (typeof node === 'string') {
    const column = whole.exec(node)?.[1];
    if (column !== undefined && Object.hasOwn(row, column)) return row[column];
    return node.replace(inside, (all: string, doubled: string, name: string) => {
      if (doubled !== '') return all.slice(1);
      if (Object.hasOwn(row, name)) return plain(row[name]);
      unknown.add(name);
      return all;
    });
  }
  if (Array.isArray(node)) return node.map((each) => fill(each, row, unknown));
  if (!isRecord(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [plain(fill(key, row, unknown)), fill(value, row, unknown)]),
  );
}

/** Whether a string uses a column. If a title uses one, the values of the row are not appended to it. */
export function hasColumn(text: string): boolean {
  return [...text.matchAll(inside)].some(([, doubled]) => doubled === '');
}

/** The values of a row for a title, such as `calm 15, score 3`. */
export function rowText(row: Row): string {
  return Object.entries(row)
    .map(([key, value]) => `${key} ${plain(value)}`)
    .join(', ');
}

function plain(value: unknown) {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
