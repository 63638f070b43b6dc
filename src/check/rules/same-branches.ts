import { areSame } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const sameBranches: Rule = {
  about: '`then` and `else` of a condition are the same.',
  because: 'The condition makes no difference. One of the branches is probably an unchanged copy.',
  wrong: `[{ "type": "condition", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getPlayerCount" }, 1], "then": [{ "type": "endGame" }], "else": [{ "type": "endGame" }] }]`,
  right: `[{ "type": "condition", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getPlayerCount" }, 1], "then": [{ "type": "endGame" }], "else": [] }]`,
  visit: ({ report }) => ({
    action(node) {
      const [then, otherwise, more] = node.blocks;
      if (then === undefined || otherwise === undefined || more !== undefined || then.isDeferred) return;
      if (then.actions.length > 0 && areSame(then, otherwise))
        report(node, '`then` and `else` are the same, so the condition makes no difference.');
    },
  }),
};
