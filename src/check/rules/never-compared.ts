import { assignmentsBy } from '../../model/index.ts';
import { wordOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports only strings that differ in case, spaces or punctuation. Other differences may be intended, such as "team2"
 * where conditions compare with "team1".
 */
export const neverCompared: Rule = {
  about:
    'A variable is set to a text that differs only in case, spaces or punctuation from a text with which conditions compare the variable.',
  because:
    'Strings are compared letter by letter, so the condition is never true for this value. Use the same spelling in both places.',
  wrong: `{
  "variables": { "phase": { "dataType": "string", "default": "waiting" } },
  "scripts": {
    "a": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "phase", "value": "Game Over" }] },
    "b": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "game over"], "then": [{ "type": "endGame" }], "else": [] }] }
  }
}`,
  right: `{
  "variables": { "phase": { "dataType": "string", "default": "waiting" } },
  "scripts": {
    "a": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "phase", "value": "game over" }] },
    "b": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "game over"], "then": [{ "type": "endGame" }], "else": [] }] }
  }
}`,
  visit({ model, report }) {
    return {
      action(node) {
        const [{ name = '', value, by } = {}] = assignmentsBy(node);
        const found = value === undefined || by !== undefined ? undefined : wordOf(value);
        const { compared } = model.values(name) ?? {};
        if (found === undefined || compared === undefined || compared.has(found)) return;
        const suggestion = [...compared].find((each) => plain(String(each)) === plain(found));
        if (suggestion !== undefined)
          report(value!, `No condition compares "${name}" with "${found}".`, { found, suggestion: String(suggestion) });
      },
    };
  },
};

/** The letters and digits of a string, in lower case. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
