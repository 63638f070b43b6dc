import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTypeScript, root } from './source.ts';

/** Declarations that their documentation marks as experimental. */
function experimentalIn(text: string): string[] {
  const marked = /@experimental\n \*\/\nexport (?:async )?(?:class|function|const|interface|type) (\w+)/g;
  return Array.from(text.matchAll(marked), ([, name]) => name!);
}

test('docs/stability.md lists exactly the exports that are marked as experimental', () => {
  const marked = [...readTypeScript('engine', 'src').values()].flatMap(experimentalIn);
  const page = readFileSync(`${root}docs/stability.md`, 'utf8');
  const table = page.slice(page.indexOf('### What is experimental'), page.indexOf('## What a version'));
  const listed = Array.from(table.matchAll(/^\| `[^`]*` \| (.*) \|$/gm), ([, names]) => names!.match(/\w+/g)!).flat();
  expect(listed.toSorted()).toEqual(marked.toSorted());
});
