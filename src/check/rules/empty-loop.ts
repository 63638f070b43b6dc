import { numberOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const emptyLoop: Rule = {
  about: 'A loop with a literal range or count that runs nothing.',
  because: '`for` only counts up, and `repeat` needs a count of at least 1.',
  wrong: `[{ "type": "repeat", "count": 0, "actions": [{ "type": "endGame" }] }]`,
  right: `[{ "type": "repeat", "count": 1, "actions": [{ "type": "endGame" }] }]`,
  visitScript: ({ report }) => ({
    action(node) {
      for (const effect of node.effects) {
        if (effect.does === 'runs' && effect.count !== undefined) {
          const operand = node.operand(effect.count);
          const count = numberOf(operand);
          if (count === undefined || count > 0) continue;
          report(operand, `The count is ${count}, so the actions never run.`, { expected: '1 or more', found: count });
        } else if (effect.does === 'changes' && effect.to !== undefined && effect.upTo !== undefined) {
          const [start, stop] = [numberOf(node.operand(effect.to)), numberOf(node.operand(effect.upTo))];
          if (start === undefined || stop === undefined || start <= stop) continue;
          report(node, `\`for\` counts up, and ${start} is already above ${stop}: the actions never run.`, {
            expected: 'start <= stop',
            found: `${start} to ${stop}`,
          });
        }
      }
    },
  }),
};
