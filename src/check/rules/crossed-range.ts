import { readOf } from '../../model/index.ts';
import type { Rule } from '../rule.ts';

export const crossedRange: Rule = {
  about: 'A minimum that is greater than its maximum, as a literal operand.',
  because: 'No number lies in the range, or random numbers almost never equal its bounds. Swap the values.',
  wrong: `{
  "variables": { "dice": { "dataType": "number", "default": 1 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "dice", "value": { "function": "getRandomNumberBetween", "min": 6, "max": 1 } }] } }
}`,
  right: `{
  "variables": { "dice": { "dataType": "number", "default": 1 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "dice", "value": { "function": "getRandomNumberBetween", "min": 1, "max": 6 } }] } }
}`,
  visit: ({ numbers, report }) => ({
    call(node) {
      const { from, to } = readOf(node, 'chance') ?? {};
      if (from === undefined || to === undefined) return;
      const [min, max] = [numbers.fixed(node.operand(from)), numbers.fixed(node.operand(to))];
      if (min! > max!)
        report(node, `The minimum, ${min}, is greater than the maximum, ${max}.`, 'min <= max', `${min} to ${max}`);
    },
  }),
};
