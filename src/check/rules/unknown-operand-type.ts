import { operandTypes } from '../operand-types.ts';
import type { Rule } from '../rule.ts';

export const unknownOperandType: Rule = {
  about: 'A condition has an unknown `operandType`; its operands are compared without conversion.',
  because: 'Editors know a fixed list of types. The word is probably misspelt.',
  wrong: `[{ "type": "condition", "conditions": [{ "operandType": "nubmer", "operator": "==" }, { "function": "getPlayerCount" }, 1], "then": [], "else": [] }]`,
  right: `[{ "type": "condition", "conditions": [{ "operandType": "number", "operator": "==" }, { "function": "getPlayerCount" }, 1], "then": [], "else": [] }]`,
  visit: ({ report, near }) => ({
    condition({ operandType: found, pointer }) {
      if (found === '' || operandTypes.has(found.toLowerCase()) || operandTypes.has(found)) return;
      report(`${pointer}/0/operandType`, `Unknown operand type "${found}".`, {
        found,
        suggestion: near(found, operandTypes),
      });
    },
  }),
};
