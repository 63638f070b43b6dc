import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runTraces } from './run.ts';
import { madeUpTrace } from './support.ts';

const options = { verbose: false, only: '', semantics: '' };
const folder = mkdtempSync(join(tmpdir(), 'traces-'));
afterAll(() => rmSync(folder, { recursive: true }));

const definition = { data: { variables: { n: { dataType: 'number', default: 5 } } } };
for (const [name, n] of [
  ['a_right', 5],
  ['a_wrong', 6],
] as const) {
  const trace = madeUpTrace({ name, definition, samples: [{ t: 0, variables: { n } }] });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(trace));
}
writeFileSync(join(folder, 'README.md'), 'not a case');

test('a folder that is not there is refused', () => {
  expect(() => runTraces(join(folder, 'absent'), options)).toThrow(`There is no folder ${join(folder, 'absent')}.`);
});

test.each([
  ['{', 'is not JSON'],
  ['{"name": "a_half", "family": "a"}', 'is no trace: it has no rates, definition, inputs, samples, triggers.'],
])('a file that holds no trace is refused by name: %s', (text, sentence) => {
  const bad = mkdtempSync(join(tmpdir(), 'traces-'));
  writeFileSync(join(bad, 'a_half.json'), text);
  expect(() => runTraces(bad, options)).toThrow(sentence);
  expect(() => runTraces(bad, options)).toThrow(join(bad, 'a_half.json'));
  rmSync(bad, { recursive: true });
});

test('every case of a folder is played', () => {
  const lines = runTraces(folder, options).split('\n');
  expect(lines).toContain('  a_right: passed');
  expect(lines).toContain('  a_wrong: failed at 0 s variables.n: expected 6, got 5');
  expect(lines.at(-1)).toBe('1 passed, 1 failed');
});

test('one case can be asked for', () => {
  expect(
    runTraces(folder, { ...options, only: 'right' })
      .split('\n')
      .at(-1),
  ).toBe('1 passed, 0 failed');
});
