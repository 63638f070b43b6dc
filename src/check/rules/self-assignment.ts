import type { Action, Operand } from '../../../engine/index.ts';
import { nameIn, type Use } from '../../model/index.ts';
import { areSame, isRandom, isReadOf, previous } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

export const selfAssignment: Rule = {
  about:
    'A variable or attribute is set to the value that it already has, 0 is added to it, the next action sets the variable again, or it undoes the previous action.',
  because: 'Nothing changes. Another variable or value was probably meant.',
  wrong: `{
  "variables": { "best": { "dataType": "number", "default": 0 }, "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "best", "value": { "function": "getVariable", "variableName": "best" } }] } }
}`,
  right: `{
  "variables": { "best": { "dataType": "number", "default": 0 }, "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "best", "value": { "function": "getVariable", "variableName": "score" } }] } }
}`,
  check({ model, report }) {
    for (const { value, source, by, isOff, ...use } of model.allUses)
      if (value === 0 && source === undefined && (by === 'adding' || by === 'subtracting') && !isOff)
        report(model.action(use.place, use as Use)!, `"${use.key}" does not change: 0 is added or subtracted.`);
  },
  visit: ({ report }) => ({
    action(node) {
      const before = previous(node);
      if (before !== undefined && isUndone(before, node))
        report(node, `\`${node.operation}\` undoes the previous action, so nothing happens.`);
      for (const effect of node.effects) {
        if (effect.does !== 'changes' || effect.to === undefined) continue;
        if (isReadOf(node.operand(effect.to), node, effect)) {
          const name = nameIn(node.operand(effect.key!));
          const what = name === undefined ? 'The value' : `"${name}"`;
          report(node, `${what} is set to the value that it already has.`);
        }
        const isSame = (key: string) => key === effect.to || areSame(before!.operand(key), node.operand(key));
        if (
          effect.aspect === 'variable' &&
          effect.by === undefined &&
          before?.operation === node.operation &&
          Object.keys(node.rule!.params).every(isSame) &&
          ![...nodesThatRun(node)].some((each) => isReadOf(each as Operand, before, effect))
        )
          report(before, 'The next action sets the same variable again, so this value is never used.');
      }
    },
  }),
};

/** Whether an action sets what the one before it has set to the opposite, or subtracts what it has added. */
function isUndone(before: Action, node: Action) {
  const same = (a: string | undefined, b: string | undefined) =>
    a === undefined || b === undefined ? a === b : areSame(before.operand(a), node.operand(b));
  const isOpposite = node.effects.some((effect) =>
    before.effects.some(
      (first) =>
        effect.does === 'changes' &&
        first.does === 'changes' &&
        first.aspect === effect.aspect &&
        same(first.of, effect.of) &&
        same(first.key, effect.key) &&
        (first.constant === undefined
          ? first.by !== undefined && effect.by !== undefined && first.by !== effect.by && same(first.to, effect.to)
          : effect.constant === !first.constant),
    ),
  );
  return isOpposite && !isRandom(node);
}
