import { numberOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const emptyLoop: Rule = {
  about: 'A loop never runs its actions, because of its fixed range or count.',
  because: '`for` only counts up, and `repeat` needs a count of at least 1.',
  wrong: `[{ "type": "repeat", "count": 0, "actions": [{ "type": "endGame" }] }]`,
  right: `[{ "type": "repeat", "count": 1, "actions": [{ "type": "endGame" }] }]`,
  visit: ({ numbers, report }) => ({
    action(node) {
      for (const effect of node.effects) {
        if (effect.does === 'runs' && effect.count !== undefined) {
          const operand = node.operand(effect.count);
          const count = numbers.fixed(operand);
          // A setting of 0 can be meant to turn a loop off.
          if (count !== undefined && !Number.isInteger(count))
            report(operand, `The count is ${count}, which is not a whole number.`, 'a whole number', count);
          if (count === undefined || count > 0 || (count === 0 && numberOf(operand) === undefined)) continue;
          report(operand, `The count is ${count}, so the actions never run.`, '1 or more', count);
        } else if (effect.does === 'changes' && effect.to !== undefined && effect.upTo !== undefined) {
          const operands = [node.operand(effect.to), node.operand(effect.upTo)] as const;
          const [start, stop] = operands.map((operand) => numbers.fixed(operand));
          if (start === undefined || stop === undefined || start <= stop) continue;
          if (start === stop + 1 && operands.some((operand) => numberOf(operand) === undefined)) continue;
          report(
            node,
            `\`for\` counts up, and ${start} is already above ${stop}: the actions never run.`,
            'start <= stop',
            `${start} to ${stop}`,
          );
        }
      }
    },
  }),
};
