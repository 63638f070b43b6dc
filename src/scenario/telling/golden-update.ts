import { readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import type { CaseResult } from '../playing/play-case.ts';

/**
 * Saves the values of `value` steps as their `is`, keeping comments and order of the file. A step that several cases
 * (seeds, rows) share is changed only if all of them found the same value. Returns the number of changed values per
 * file.
 */
export function updateFiles(results: readonly CaseResult[]): { readonly file: string; readonly changed: number }[] {
  const byFile = new Map<
    string,
    Map<string, { readonly index: number; readonly step: number; readonly found: Set<string> }>
  >();
  for (const { case: given, values } of results) {
    const steps = byFile.get(given.file) ?? new Map();
    byFile.set(given.file, steps);
    for (const { step, value } of values) {
      const key = `${given.index}/${step}`;
      const entry = steps.get(key) ?? { index: given.index, step, found: new Set<string>() };
      entry.found.add(JSON.stringify(value));
      steps.set(key, entry);
    }
  }
  return Array.from(byFile, ([file, steps]) => ({ file, changed: updateFile(file, [...steps.values()]) }));
}

function updateFile(
  file: string,
  steps: readonly { readonly index: number; readonly step: number; readonly found: ReadonlySet<string> }[],
) {
  if (steps.length === 0) return 0;
  const text = readFileSync(file, 'utf8');
  const document = parseDocument(text);
  let changed = 0;
  for (const { index, step, found } of steps) {
    if (found.size !== 1) continue;
    const value: unknown = JSON.parse([...found][0]!);
    const path = stepPath(document, index, step);
    if (path === undefined || JSON.stringify(document.getIn([...path, 'is'])) === JSON.stringify(value)) continue;
    document.setIn([...path, 'is'], value);
    changed++;
  }
  if (changed > 0)
    writeFileSync(
      file,
      file.endsWith('.json') ? `${JSON.stringify(document.toJS(), null, 2)}\n` : document.toString({ lineWidth: 0 }),
    );
  return changed;
}

/**
 * The path of a step in the document; undefined if there is no such step. Steps are numbered across `when` and `then`.
 */
function stepPath(
  document: ReturnType<typeof parseDocument>,
  index: number,
  step: number,
): (string | number)[] | undefined {
  const base = ['scenarios', index];
  let rest = step;
  for (const key of ['steps', 'when', 'then']) {
    const list: unknown = document.getIn([...base, key]);
    const length = typeof list === 'object' && list !== null && 'items' in list ? (list.items as unknown[]).length : 0;
    if (rest < length) return [...base, key, rest];
    rest -= length;
  }
  return undefined;
}
