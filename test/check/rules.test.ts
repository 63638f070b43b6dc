import { expect, test } from 'vitest';
import { rules } from '../../src/check/rules.ts';
import { exampleFault } from './example.ts';

test.each(Object.entries(rules))('the examples of %s', (code, rule) => {
  expect(exampleFault(code, rule)).toBeUndefined();
});
