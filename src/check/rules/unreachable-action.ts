import { leaves } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const unreachableAction: Rule = {
  about: 'An action after `return`, `break` or `continue` in the same list; it never runs.',
  because:
    'An earlier action ends the list. Move the unreachable action before it, or put the `return` under a condition.',
  wrong: `[{ "type": "return" }, { "type": "endGame" }]`,
  right: `[{ "type": "endGame" }, { "type": "return" }]`,
  visit: ({ report }) => ({
    block({ actions }) {
      const last = actions.findIndex(leaves);
      const next = last < 0 ? undefined : actions[last + 1];
      if (next === undefined) return;
      const rest = actions.length - last - 1;
      const what = rest === 1 ? 'This action never runs' : `These ${rest} actions never run`;
      report(next, `${what}: the preceding \`${actions[last]!.operation}\` ends the list.`, {
        found: next.operation,
        count: rest === 1 ? undefined : rest,
      });
    },
  }),
};
