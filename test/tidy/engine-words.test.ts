import { describe, expect, test } from 'vitest';
import { wordFaults } from './engine-words.ts';
import { readTypeScript } from './source.ts';

const faultsOf = (text: string) => wordFaults(new Map([['engine/sim/a.ts', text]]));

test('the engine has no chance, no languages, no inexact mathematics', () => {
  expect(
    wordFaults(readTypeScript('engine')),
    'The same inputs must give the same bytes on any day on any machine.',
  ).toEqual([]);
});

describe('is refused', () => {
  test.each([
    ['a.localeCompare(b)', 'localeCompare'],
    ['a.toLocaleUpperCase()', 'toLocaleUpperCase'],
    ["eval('1')", 'eval'],
    ["new Function('1')", 'Function'],
    ['Math.random()', 'Math.random'],
    ['Math.sin(1)', 'Math.sin'],
    ['Math.cos(1)', 'Math.cos'],
    ['Math.tan(1)', 'Math.tan'],
    ['Math.asin(1)', 'Math.asin'],
    ['Math.acos(1)', 'Math.acos'],
    ['Math.atan(1)', 'Math.atan'],
    ['Math.atan2(1, 2)', 'Math.atan2'],
    ['Math.exp(1)', 'Math.exp'],
    ['Math.log(1)', 'Math.log'],
    ['Math.log10(1)', 'Math.log10'],
    ['Math.log2(1)', 'Math.log2'],
    ['Math.pow(1, 2)', 'Math.pow'],
    ['Math.hypot(1, 2)', 'Math.hypot'],
    ['Math.cbrt(1)', 'Math.cbrt'],
    ["Math['sin'](1)", 'Math'],
    ['const { sin } = Math;', 'Math'],
    ['2 ** 3', '**'],
    ['x **= 3', '**'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: program text
    ['`at ${Math.random()}`', 'Math.random'],
  ])('%s', (text, word) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(`engine/sim/a.ts:1 ${word}: `)]);
  });
});

describe('is fine', () => {
  test.each([
    ['// Math.random() would be wrong here'],
    ['/** Math.sin ** 2 */'],
    ['Math.floor(x) + Math.sqrt(y) * Math.PI'],
    ['Math\n  .max(a, b)'],
    ['const f: Function = g;'],
    ['x = /Math|\\*\\*/.test(y)'],
  ])('%s', (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

test('one file may take hold of Math, and of nothing else', () => {
  const text = 'const { sin } = Math;\nMath.random();\neval(1);\n';
  expect(wordFaults(new Map([['engine/physics/planck/planck-maths.ts', text]]))).toEqual([
    expect.stringContaining('engine/physics/planck/planck-maths.ts:3 eval'),
    expect.stringContaining('engine/physics/planck/planck-maths.ts:2 Math.random'),
  ]);
});

test('the place is the line of the word', () => {
  expect(faultsOf("const a = '\\\n';\n\nconst b = eval(1);\n")).toEqual([
    expect.stringContaining('engine/sim/a.ts:4 eval'),
  ]);
});
