// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tables hold program text.
import { describe, expect, test } from 'vitest';
import { codeOnly, importsOf, lineAt } from './source.ts';

describe('codeOnly', () => {
  test.each([
    ['a; // b', 'a;     '],
    ['a /* b\nc */ d', 'a     \n     d'],
    ["x = 'Date'", "x = '    '"],
    ['x = "it\'s"', 'x = "    "'],
    ["x = 'a\\'b' + y", "x = '    ' + y"],
    ['x = `a ${b} c`', 'x = `  ${b}  `'],
    ['x = `a ${f({ b: `c${d}` })} e` + g', 'x = `  ${f({ b: ` ${d}` })}  ` + g'],
    ['`${a}` + b', '`${a}` + b'],
    ['x = /["\'`]/.test(y)', 'x =        .test(y)'],
    ['x = /[/]"/g', 'x =       g'],
    ['return /"/', 'return    '],
    ['x = a / b / c', 'x = a / b / c'],
    ['x = f(a) / 2 // "', 'x = f(a) / 2     '],
    ["x = 'unfinished\ny = 1", "x = '          \ny = 1"],
    ['x = `unfinished', 'x = `          '],
    ['/* unfinished', '             '],
  ])('%j', (text, expected) => {
    const code = codeOnly(text);
    expect(code.trimEnd()).toBe(expected.trimEnd());
    expect(code.length).toBe(text.length);
  });
});

describe('importsOf', () => {
  test.each([
    ["import { a } from './a.ts';", './a.ts', 'engine/world/a.ts', false],
    ["import type { A } from '../base/a.ts';", '../base/a.ts', 'engine/base/a.ts', true],
    ["import { type A } from './a.ts';", './a.ts', 'engine/world/a.ts', false],
    ["import a, { b } from 'planck';", 'planck', undefined, false],
    ["import * as a from 'node:fs';", 'node:fs', undefined, false],
    ["import './a.ts';", './a.ts', 'engine/world/a.ts', false],
    ["import {\n  a,\n  b,\n} from './a.ts';", './a.ts', 'engine/world/a.ts', false],
    ["import { from } from './a.ts';", './a.ts', 'engine/world/a.ts', false],
    ["import data from './a.json' with { type: 'json' };", './a.json', 'engine/world/a.json', false],
    ["export { a } from './a.ts';", './a.ts', 'engine/world/a.ts', false],
    ["export * from './a.ts';", './a.ts', 'engine/world/a.ts', false],
    ["export * as all from './a.ts';", './a.ts', 'engine/world/a.ts', false],
    ["export type { A } from './a.ts';", './a.ts', 'engine/world/a.ts', true],
    ["const a = await import('./a.ts');", './a.ts', 'engine/world/a.ts', false],
    ["new Worker(new URL('./a.ts', import.meta.url));", './a.ts', 'engine/world/a.ts', false],
  ])('%j', (text, specifier, target, typeOnly) => {
    expect(importsOf('engine/world/b.ts', text)).toMatchObject([{ specifier, target, typeOnly }]);
  });

  test.each([
    ["// import { a } from './a.ts';"],
    ['const text = "import { a } from \'./a.ts\'";'],
    ["export const from = 'a';"],
    ['const x = import.meta.url;'],
  ])('%j imports nothing', (text) => {
    expect(importsOf('engine/world/b.ts', text)).toEqual([]);
  });

  test('each import once, with its line', () => {
    const text = "import { a } from './a.ts';\nimport type { B } from './b.ts';\n\nexport { c } from './c.ts';\n";
    expect(importsOf('x.ts', text).map(({ specifier, line }) => [specifier, line])).toEqual([
      ['./a.ts', 1],
      ['./b.ts', 2],
      ['./c.ts', 4],
    ]);
  });
});

test('lineAt counts from 1', () => {
  expect([0, 1, 2, 3, 4].map((offset) => lineAt('a\nb\nc', offset))).toEqual([1, 1, 2, 2, 3]);
});
