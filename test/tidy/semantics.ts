/** A rule of a page of semantics: five cells of a row. */
export interface Rule {
  readonly page: string;
  readonly line: number;
  readonly cells: readonly string[];
}

const columns = ['rule', '`standard`', '`moddio`', 'why', 'test'];

/** The rows of all tables of a page, without their heads. */
export function rulesOf(page: string, text: string): Rule[] {
  return text.split('\n').flatMap((row, at) => {
    if (!row.startsWith('|') || /^\|[\s|:-]+$/.test(row)) return [];
    const cells = row
      .slice(1, row.lastIndexOf('|'))
      .split(' | ')
      .map((cell) => cell.trim());
    return cells.join() === columns.join() ? [] : [{ page, line: at + 1, cells }];
  });
}

const test = /`(test\/[\w./-]+\.ts)`: “([^”]+)”/g;

/** The tests that a rule names: a file, and a title of a test or the key of a case in it. */
export function testsOf({ cells }: Rule): { readonly file: string; readonly title: string }[] {
  return [...(cells[4] ?? '').matchAll(test)].map(([, file, title]) => ({ file: file!, title: title! }));
}

/** Whether a file has a test of that title, or a case of that name. */
export function hasTest(source: string, title: string): boolean {
  if (["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`))) return true;
  const key = title.replace(/[^\w]/g, '\\$&');
  return new RegExp(`(?:^|[\\s{,])'?${key}'?:`, 'm').test(source);
}

/** The entries of the dialect record that a rule is about. */
export function entriesOf({ cells }: Rule, entries: readonly string[]): string[] {
  return entries.filter((entry) => cells[0]!.includes(`\`${entry}\``));
}

/** Headings of a page of the reference under which a defect is described, as anchors. */
export function defectsOf(text: string): string[] {
  const found = new Set<string>();
  let anchor = '';
  for (const line of text.split('\n')) {
    const heading = /^#{2,6} +(.+?) *$/.exec(line)?.[1];
    if (heading !== undefined)
      anchor = heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-');
    if (/\*\*Defects?\b/.test(line)) found.add(anchor);
  }
  return [...found];
}
