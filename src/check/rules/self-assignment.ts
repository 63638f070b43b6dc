import { nameIn } from '../../model/index.ts';
import { isReadOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const selfAssignment: Rule = {
  about: 'A variable or attribute is set to the value that it already has.',
  because: 'Nothing changes. Another variable was probably meant on one side.',
  wrong: `{
  "variables": { "best": { "dataType": "number", "default": 0 }, "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "best", "value": { "function": "getVariable", "variableName": "best" } }] } }
}`,
  right: `{
  "variables": { "best": { "dataType": "number", "default": 0 }, "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "best", "value": { "function": "getVariable", "variableName": "score" } }] } }
}`,
  visitScript: ({ report }) => ({
    action(node) {
      for (const effect of node.effects) {
        if (effect.does !== 'changes' || effect.to === undefined) continue;
        if (!isReadOf(node.operand(effect.to), node, effect)) continue;
        const name = nameIn(node.operand(effect.key!));
        const what = name === undefined ? 'The value' : `"${name}"`;
        report(node, `${what} is set to the value that it already has.`);
      }
    },
  }),
};
