import { expect, test } from 'vitest';
import { codeOnly, lineAt, readTypeScript } from './source.ts';

/**
 * The dialect may be read only when a definition is loaded, when rules are chosen and when scripts are compiled. The
 * compiler passes it to the `compile` of an operation, whose outer function runs once.
 */
const asks = /\b(?:world|game|context|sim)\.dialect\b/g;

test('no rule, no system and no running script asks for the dialect', () => {
  const faults: string[] = [];
  for (const [path, text] of readTypeScript('engine')) {
    const code = codeOnly(text);
    for (const { index, 0: found } of code.matchAll(asks)) faults.push(`${path}:${lineAt(text, index)} ${found}`);
    if (!/^engine\/(world|physics|rules|ecs|components)\//.test(path) || path === 'engine/rules/dialect/choose.ts')
      continue;
    for (const { index } of code.matchAll(/\bdialects?\b/g)) faults.push(`${path}:${lineAt(text, index)}`);
  }
  expect(
    faults,
    'Change a field in engine/definition/apply-dialect.ts, or choose a rule in rules/dialect/choose.ts.',
  ).toEqual([]);
});
