import { nameIn, readOf } from '../../model/index.ts';
import { areSame } from '../nodes.ts';
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
        if (effect.does !== 'changes' || effect.key === undefined || effect.to === undefined || effect.by) continue;
        const value = node.operand(effect.to);
        const read = readOf(value, effect.aspect);
        if (value.kind !== 'call' || read?.key === undefined) continue;
        const isSameOwner =
          effect.of === undefined || read.of === undefined
            ? effect.of === read.of
            : areSame(node.operand(effect.of), value.operand(read.of));
        const name = nameIn(node.operand(effect.key));
        if (!isSameOwner || !areSame(node.operand(effect.key), value.operand(read.key))) continue;
        const what = name === undefined ? 'The value' : `"${name}"`;
        report(node, `${what} is set to the value that it already has.`);
      }
    },
  }),
};
