import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import * as engine from '../../engine/index.ts';
import * as bots from '../../src/bots/library.ts';
import { checkGame } from '../../src/check/check-game.ts';
import * as explore from '../../src/explore/library.ts';
import * as html from '../../src/html/index.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Page {
  readonly program: string;
  readonly blocks: number;
  readonly claims: number;
}

/**
 * Runs its blocks as one program: `// => value` is compared, and imports are resolved here.
 */
function pageOf(file: string, start = ''): Page {
  const text = readFileSync(`${root}${file}`, 'utf8');
  const section = text.slice(text.indexOf(start));
  const blocks = Array.from(section.matchAll(/```js\n([\s\S]*?)```/g), ([, block]) => block!);
  const claims = blocks.join('\n').match(/\/\/ => /g)?.length ?? 0;
  const program = blocks
    .join('\n')
    .replace(/^import (\{.*?\}) from '(.*?)';$/gm, (_, names, from) => `const ${names} = await load('${from}');`)
    .replace(/^import (\w+) from '(.*?)';$/gm, (_, name, from) => `const { default: ${name} } = await load('${from}');`)
    .replace(/^(.*); \/\/ => (.*)$/gm, (_, call, value) => `equal(() => ${call}, ${value}, ${JSON.stringify(call)});`);
  return { program, blocks: blocks.length, claims };
}

type Run = (...given: unknown[]) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Run;

async function run({ program }: Page): Promise<number> {
  let checked = 0;
  const own: Readonly<Record<string, unknown>> = {
    reenact: { ...engine, checkGame },
    '@reenact/client': html,
    'reenact/bots': bots,
    'reenact/explore': explore,
  };
  const load = (from: string): unknown => own[from] ?? import(/* @vite-ignore */ from);
  const equal = (call: () => unknown, value: unknown, text: string): void => {
    checked++;
    expect(call(), text).toEqual(value);
  };
  await new AsyncFunction('load', 'equal', program)(load, equal);
  return checked;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ['docs/library.md', '', 9, 28],
  ['README.md', '## Embed', 1, 4],
  ['docs/measuring.md', '## Whether it is balanced', 1, 2],
  ['docs/explore.md', '## In a program', 1, 6],
])('%s is a program that does what it says', async (file, start, blocksMin, claimsMin) => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  const page = pageOf(file, start);
  expect(page.blocks).toBeGreaterThanOrEqual(blocksMin);
  expect(page.claims).toBeGreaterThanOrEqual(claimsMin);
  expect(await run(page)).toBe(page.claims);
});
