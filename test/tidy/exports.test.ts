import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unusedExports } from './exports.ts';
import { entryPoints } from './imports.ts';
import { readSources, root } from './source.ts';

/**
 * Exports without an importer: types that appear in the declarations of other files, and what a thread calls by name.
 */
const neededOtherwise = [
  'bench/witness-play.ts playGame',
  'engine/definition/schema.ts Field',
  'engine/definition/schema.ts Located',
  'engine/schema/compound.ts OptionalType',
  'engine/schema/compound.ts RecordOf',
  'engine/schema/compound.ts RecordType',
  'engine/schema/field-type.ts Form',
  'engine/schema/table.ts TableType',
  'src/lsp/check-thread.ts checkInThread',
  'src/schema/json-schema.ts ObjectSchema',
  'src/net/protocol/encoding/fields.ts Optional',
];

test('what is exported is imported elsewhere', () => {
  const sources = readSources(['engine', 'src', 'bench', 'test'], (path) => path.endsWith('.ts'));
  // Build scripts import what is built; what they export themselves is not judged.
  for (const [path, text] of readSources(['tools'], (name) => name.endsWith('.mjs')))
    sources.set(path, text.replaceAll(/\bdist\/((?:engine|src)\/[\w/-]+)\.js\b/g, '$1.ts'));
  // Internals that are exported for our own tools must be used by one of them.
  const read = (path: string) => readFileSync(root + path, 'utf8');
  const entries = entryPoints(JSON.parse(read('package.json')), read('tools/packages.mjs'));
  const outside = entries.filter((path) => path !== 'engine/tools.ts');
  const faults = unusedExports(sources, outside).filter(
    (fault) => !fault.startsWith('tools/') && !neededOtherwise.includes(fault.replace(/:\d+ exports (\w+).*/, ' $1')),
  );
  expect(faults, 'Take the word `export` away, or all of it where its own file does without it.').toEqual([]);
});

/** The faults of a file and another one, which is an entry point. */
const faultsOf = (text: string, other: string) =>
  unusedExports(new Map(Object.entries({ 'engine/a.ts': text, 'engine/b.ts': other })), ['engine/b.ts']);

test.each([
  ['export const x = 1;', "import { x } from './a.ts';"],
  ['export function x() {}', "import { x as y } from './a.ts';"],
  ['export async function x() {}', "import z, { type y, x } from './a.ts';"],
  ['export abstract class x {}', "import {\n  x,\n} from './a.ts';"],
  ['export interface x {}', "import type { x } from './a.ts';"],
  ['export type x = 1;', "export type { x } from './a.ts';\n"],
  ['export const x = 1;', "export * from './a.ts';"],
  ['export const x = 1;', "import * as P from './a.ts';\nP.x;"],
  ['export const x = 1;', "import * as P from './a.ts';\nf(P);"],
  ['export const x = 1;', "const { x } = await import('./a.ts');"],
  ['export const x = 1;', "const { x: y } = await import('./a.ts');"],
  ['export const x = 1;', "(await import('./a.ts')).x();"],
  ['export const x = 1;', "const all = await import('./a.ts');"],
  ['export const x = 1;', "new Worker(new URL('./a.ts', import.meta.url));"],
  ['const x = 1;', ''],
  ["const x = 'export const y = 1';\n// export const z = 1;", ''],
])('%j is used by %j', (text, other) => {
  expect(faultsOf(text, other)).toEqual([]);
});

test.each([
  ['export const x = 1;', "import { y } from './a.ts';"],
  ['export const x = 1;', "import { x } from './c.ts';"],
  ['export const x = 1;', "import { y as x } from './a.ts';"],
  ['export const x = 1;', "import * as P from './a.ts';\nP.y;"],
  ['export const x = 1;', "const { y } = await import('./a.ts');"],
  ["export { y as x } from './c.ts';", "import { y } from './a.ts';"],
])('%j is not used by %j', (text, other) => {
  expect(faultsOf(text, other)).toEqual(['engine/a.ts:1 exports x, which no other file imports']);
});

test('tests may import what its own file uses', () => {
  const byTest = "import { x } from '../engine/a.ts';";
  const faults = (text: string) =>
    unusedExports(new Map(Object.entries({ 'engine/a.ts': text, 'test/a.test.ts': byTest })), []);
  expect(faults('export const x = 1;\nexport const y = x;').join()).not.toContain('exports x');
  expect(faults('export const x = 1;')).toEqual(['engine/a.ts:1 exports x, which only tests use']);
});
