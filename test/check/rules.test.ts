import { expect, test } from 'vitest';
import { exampleFault } from '../../src/check/example.ts';
import { rules } from '../../src/check/rules.ts';

test.each(Object.entries(rules))('the examples of %s', (code, rule) => {
  expect(exampleFault(code, rule)).toBeUndefined();
});
