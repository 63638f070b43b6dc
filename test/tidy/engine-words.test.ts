import { expect, test } from 'vitest';
import { wordFaults } from './engine-words.ts';
import { readTypeScript } from './source.ts';

test('the engine has no chance, no languages, no inexact mathematics', () => {
  expect(
    wordFaults(readTypeScript('engine')),
    'The same inputs must give the same bytes on any day on any machine.',
  ).toEqual([]);
});

test.each([
  ['a.localeCompare(b)', 'localeCompare'],
  ['a.toLocaleUpperCase()', 'toLocaleUpperCase'],
  ["new Function('1')", 'Function'],
  ['Math.random()', 'Math.random'],
  ['Math.sin(1)', 'Math.sin'],
  ['const { sin } = Math;', 'Math'],
  ['x **= 3', '**'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: program text
  ['`at ${Math.random()}`', 'Math.random'],
])('%s is refused', (text, word) => {
  const faults = wordFaults(new Map([['engine/sim/a.ts', `const a = '\\\n';\n${text}`]]));
  expect(faults).toEqual([expect.stringContaining(`engine/sim/a.ts:3 ${word}: `)]);
});

test.each(['// Math.random() ** 2', 'Math.floor(x) + Math\n  .sqrt(y) * Math.PI', 'const f: Function = g;'])(
  '%s is fine',
  (text) => {
    expect(wordFaults(new Map([['engine/sim/a.ts', text]]))).toEqual([]);
  },
);

test('no module of the rules keeps anything that two simulations share', () => {
  const kept =
    /^(?:export )?(?:let \w+|const \w+(?:: [^=\n]*\[\])? = (?:new (?:(?:Weak)?(?:Map|Set)|\w+Array)\b|\[\];))/m;
  const faults = [...readTypeScript('engine/rules')].flatMap(([path, text]) => {
    const found = kept.exec(text)?.[0];
    return found === undefined ? [] : [`${path}: ${found}`];
  });
  expect(faults, 'What outlives a call belongs to the world or the game; a constant table is a ReadonlyMap.').toEqual(
    [],
  );
});
