import { expect, test } from 'vitest';
import { vocabulary } from '../../../engine/tools.ts';

/** The members of effects and reads that are words of their own rather than keys of operands. */
const words: ReadonlySet<string> = new Set([
  'does',
  'kind',
  'aspect',
  'when',
  'selects',
  'output',
  'input',
  'what',
  'may',
  'only',
  'constant',
  'by',
]);

test('the roles of effects and reads are played by operands of the operation', () => {
  const wrong = [...vocabulary.actions, ...vocabulary.values].flatMap(([name, { effects, reads, params }]) =>
    [...effects, ...reads].flatMap((each) =>
      Object.entries(each)
        .filter(([role, key]) => !words.has(role) && !(String(key) in params))
        .map(([role, key]) => `${name} has no operand ${key}: ${role}`),
    ),
  );
  expect(wrong).toEqual([]);
});
