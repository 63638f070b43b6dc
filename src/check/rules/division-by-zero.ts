import type { Rule } from '../rule.ts';

export const divisionByZero: Rule = {
  about: 'A calculation divides by 0, or by something that is always 0.',
  because: 'The result is not a finite number, and neither is anything calculated from it.',
  wrong: `{
  "variables": { "share": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "share", "value": { "function": "calculate", "items": [{ "operator": "/" }, 10, 0] } }] } }
}`,
  right: `{
  "variables": { "share": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "share", "value": { "function": "calculate", "items": [{ "operator": "/" }, 10, 2] } }] } }
}`,
  visit: ({ numbers, report }) => ({
    calculation({ operator, sides: [, right] }) {
      if (operator !== '/' && operator !== '%') return;
      const { min, max } = numbers.of(right) ?? {};
      if (numbers.fixed(right) === 0 || (min === 0 && max === 0))
        report(right, 'Division by 0: the divisor is always 0.', { found: 0 });
    },
  }),
};
