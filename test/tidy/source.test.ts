// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tables hold program text.
import { expect, test } from 'vitest';
import { codeOnly, importsOf, readTypeScript } from './source.ts';

test.each([
  ['a /* b\nc */ d // e', 'a     \n     d'],
  ["x = \"it's\" + 'a\\'b'", 'x = "    " + \'    \''],
  ['x = `a ${f({ b: `c${d}` })} e` + g', 'x = `  ${f({ b: ` ${d}` })}  ` + g'],
  ['x = /["\'`/]/.test(y) / 2', 'x =         .test(y) / 2'],
  ["x = 'unfinished\ny = 1", "x = '          \ny = 1"],
])('comments, texts and patterns of %j are blank', (text, expected) => {
  expect(codeOnly(text).trimEnd()).toBe(expected.trimEnd());
});

test.each([
  ["import { a } from './a.ts';", './a.ts', 'engine/world/a.ts', false],
  ["import type { A } from '../base/a.ts';", '../base/a.ts', 'engine/base/a.ts', true],
  ["import a, { b } from 'planck';", 'planck', undefined, false],
  ["import {\n  a,\n  b,\n} from './a.ts';", './a.ts', 'engine/world/a.ts', false],
  ["import './a.json' with { type: 'json' };", './a.json', 'engine/world/a.json', false],
  ["export * as all from './a.ts';", './a.ts', 'engine/world/a.ts', false],
  ["const a = await import('./a.ts');", './a.ts', 'engine/world/a.ts', false],
  ["new Worker(new URL('./a.ts', import.meta.url));", './a.ts', 'engine/world/a.ts', false],
])('%j imports a file or a package', (text, specifier, target, typeOnly) => {
  expect(importsOf('engine/world/b.ts', text)).toMatchObject([{ specifier, target, typeOnly }]);
});

test.each(["// import { a } from './a.ts';", 'const text = "import { a } from \'./a.ts\'";', 'import.meta.url;'])(
  '%j imports nothing',
  (text) => {
    expect(importsOf('engine/world/b.ts', text)).toEqual([]);
  },
);

test('comments are as wide as code: 120 columns', () => {
  const sources = readTypeScript('engine', 'src', 'bench', 'test', 'tools');
  const wide = [...sources].flatMap(([path, text]) => {
    const code = codeOnly(text).split('\n');
    const lines = text.split('\n');
    // A line of which nothing is left without its comment and texts, and that begins one.
    return lines.flatMap((line, i) =>
      line.length > 120 && code[i]!.trim() === '' && /^ *(?:\/\/(?! biome-ignore)|\/?\*)/.test(line)
        ? [`${path}:${i + 1}`]
        : [],
    );
  });
  expect(wide).toEqual([]);
});
