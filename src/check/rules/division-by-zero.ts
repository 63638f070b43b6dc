import { numberOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const divisionByZero: Rule = {
  about: 'A calculation divides by a literal 0.',
  because: 'The result is not a finite number, and neither is anything calculated from it.',
  wrong: `{
  "variables": { "share": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "share", "value": { "function": "calculate", "items": [{ "operator": "/" }, 10, 0] } }] } }
}`,
  right: `{
  "variables": { "share": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "share", "value": { "function": "calculate", "items": [{ "operator": "/" }, 10, 2] } }] } }
}`,
  visitScript: ({ report }) => ({
    calculation({ operator, sides: [, right] }) {
      if ((operator === '/' || operator === '%') && numberOf(right) === 0)
        report(right, 'Division by 0.', { found: JSON.stringify(right.json) });
    },
  }),
};
