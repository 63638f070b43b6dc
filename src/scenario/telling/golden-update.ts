import { readFileSync, writeFileSync } from 'node:fs';
import type { Edit } from 'jsonc-parser';
import { type Node, parseDocument, stringify, type YAMLMap } from 'yaml';
import { applied } from '../../load/index.ts';
import type { CaseResult } from '../playing/play-case.ts';

/**
 * Saves the values of `value` steps as their `is`, keeping everything else of the file. A step that several cases
 * (seeds, rows) share is changed only if all of them found the same value. Returns the number of changed values per
 * file.
 */
export function updateFiles(results: readonly CaseResult[]): { readonly file: string; readonly changed: number }[] {
  const files = [...new Set(results.map((result) => result.case.file))];
  return files.map((file) => ({ file, changed: updateFile(file, results) }));
}

function updateFile(file: string, results: readonly CaseResult[]) {
  /** The values found, as JSON, by the index of the scenario and of its step. */
  const found: Set<string>[][] = [];
  for (const { case: given, values } of results)
    for (const { step, value } of given.file === file ? values : []) {
      const steps = found[given.index] ?? [];
      found[given.index] = steps;
      steps[step] = (steps[step] ?? new Set()).add(JSON.stringify(value));
    }
  const text = readFileSync(file, 'utf8');
  const document = parseDocument(text);
  const edits: Edit[] = [];
  found.forEach((steps, index) => {
    steps.forEach((values, step) => {
      const [json = ''] = values;
      const path = stepPath(document, index, step);
      if (values.size !== 1 || path === undefined || JSON.stringify(document.getIn([...path, 'is'])) === json) return;
      edits.push(editOf(text, document.getIn(path) as YAMLMap, json, file.endsWith('.json')));
    });
  });
  if (edits.length > 0) writeFileSync(file, applied(text, edits));
  return edits.length;
}

/** The edit that sets the `is` of a step, and changes nothing else of the text. */
function editOf(text: string, step: YAMLMap, json: string, isJson: boolean): Edit {
  const isKnown = step.has('is');
  const [start = 0, end = 0] = (step.get(isKnown ? 'is' : 'value', true) as Node).range ?? [];
  const was = text.slice(start, end).trimEnd();
  // In braces, because a word there must be quoted wherever it would have to be in a step.
  const inBraces = stringify({ is: JSON.parse(json) }, { collectionStyle: 'flow', lineWidth: 0 });
  const value = isJson || was.startsWith('"') ? json : inBraces.slice('{ is: '.length, -' }\n'.length);
  if (isKnown) {
    const isEmpty = was === '' && text[start - 1] === ':';
    return { offset: start, length: was.length, content: isEmpty ? ` ${value}` : value };
  }
  const offset = start + was.length;
  if (step.flow) return { offset, length: 0, content: isJson ? `, "is": ${value}` : `, is: ${value}` };
  const lineEnd = text.indexOf('\n', offset);
  const indent = ' '.repeat(step.range![0] - text.lastIndexOf('\n', step.range![0]) - 1);
  return { offset: lineEnd < 0 ? text.length : lineEnd, length: 0, content: `\n${indent}is: ${value}` };
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
