import { readOf } from '../../model/index.ts';
import { numbersOf } from '../ranges.ts';
import type { Rule } from '../rule.ts';

export const crossedRange: Rule = {
  about: 'A range whose literal minimum is greater than its maximum.',
  because: 'The random numbers still lie between the two values, but the two ends occur too rarely. Swap the values.',
  wrong: `{
  "variables": { "dice": { "dataType": "number", "default": 1 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "dice", "value": { "function": "getRandomNumberBetween", "min": 6, "max": 1 } }] } }
}`,
  right: `{
  "variables": { "dice": { "dataType": "number", "default": 1 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "dice", "value": { "function": "getRandomNumberBetween", "min": 1, "max": 6 } }] } }
}`,
  visit: ({ once, report }) => ({
    call(node) {
      const numbers = once(numbersOf);
      const { from, to } = readOf(node, 'chance') ?? {};
      if (from === undefined || to === undefined) return;
      const [min, max] = [numbers.fixed(node.operand(from)), numbers.fixed(node.operand(to))];
      if (min === undefined || max === undefined || min <= max) return;
      report(node, `The minimum, ${min}, is greater than the maximum, ${max}.`, {
        expected: 'min <= max',
        found: `${min} to ${max}`,
      });
    },
  }),
};
