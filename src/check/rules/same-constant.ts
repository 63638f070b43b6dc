import { cached } from '../../../engine/core/index.ts';
import { variableReadBy } from '../../model/index.ts';
import { bothWays } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const sameConstant: Rule = {
  about: 'Two variables that no script changes have the same value, and another variable is compared with both.',
  because: 'The comparisons cannot tell the two variables apart. Give the variables different values.',
  wrong: `{
  "variables": { "phase": { "dataType": "number", "default": 0 }, "lobby": { "dataType": "number", "default": 1 }, "battle": { "dataType": "number", "default": 1 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "phase", "value": { "function": "getVariable", "variableName": "lobby" } }, { "type": "condition", "conditions": [{ "operandType": "number", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, { "function": "getVariable", "variableName": "lobby" }], "then": [{ "type": "return" }], "else": [] }, { "type": "condition", "conditions": [{ "operandType": "number", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, { "function": "getVariable", "variableName": "battle" }], "then": [{ "type": "return" }], "else": [] }] } }
}`,
  right: `{
  "variables": { "phase": { "dataType": "number", "default": 0 }, "lobby": { "dataType": "number", "default": 1 }, "battle": { "dataType": "number", "default": 2 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "phase", "value": { "function": "getVariable", "variableName": "lobby" } }, { "type": "condition", "conditions": [{ "operandType": "number", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, { "function": "getVariable", "variableName": "lobby" }], "then": [{ "type": "return" }], "else": [] }, { "type": "condition", "conditions": [{ "operandType": "number", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, { "function": "getVariable", "variableName": "battle" }], "then": [{ "type": "return" }], "else": [] }] } }
}`,
  visit({ definition: { variables }, model, changes, report }) {
    if (model.setsAnyVariable) return {};
    /**
     * For each variable that conditions compare with constant variables: the first of these constants, by its value.
     */
    const related = new Map<string, Map<unknown, string>>();
    const reported = new Set<string>();
    return {
      condition(node) {
        if (node.operator === '==')
          for (const [left, right] of bothWays(node)) relate(variableReadBy(left), variableReadBy(right));
      },
    };

    function relate(name = '', constant = '') {
      const declared = variables.get(constant);
      const value = declared?.default;
      if (!variables.has(name) || (typeof value !== 'number' && typeof value !== 'string')) return;
      if (changes('variable', constant).length > 0 || changes('variable', name).length === 0) return;
      const values = cached(related, name, () => new Map<unknown, string>());
      const other = cached(values, value, () => constant);
      if (other === constant || reported.has(constant)) return;
      reported.add(constant);
      report(
        `${declared!.pointer}/default`,
        `"${constant}" and "${other}" have the same value, ${JSON.stringify(value)}, so comparisons with "${name}" cannot tell them apart.`,
        'a value of its own',
        JSON.stringify(value),
      );
    }
  },
};
