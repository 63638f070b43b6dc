import type { Action, Node } from '../../../engine/index.ts';
import { above } from '../../model/index.ts';
import type { Rule } from '../rule.ts';

export const breakOutsideLoop: Rule = {
  about: '`break` or `continue` is outside of a loop, and ends the script.',
  because:
    'Actions that run after a delay count as outside the loop, because the loop is over by then. Use `return` to end a script.',
  wrong: `[{ "type": "break" }]`,
  right: `[{ "type": "repeat", "count": 3, "actions": [{ "type": "break" }] }]`,
  visit: ({ report }) => ({
    action(node) {
      for (const effect of node.effects) {
        if (effect.does !== 'leaves' || effect.what === 'script' || isInLoop(node)) continue;
        report(node, `\`${node.operation}\` is not in a loop, so it ends the script, as \`return\` does.`, {
          expected: 'inside a loop',
          suggestion: 'return',
        });
      }
    },
  }),
};

function isInLoop(node: Action) {
  for (const at of above(node)) {
    const action = at.kind === 'block' ? (at.parent as Node | undefined) : undefined;
    if (action?.kind !== 'action') continue;
    for (const effect of action.effects) {
      // Delayed actions run after the loop around them has ended.
      if (effect.does === 'runs' && effect.when !== 'now' && action.operand(effect.block) === at)
        return effect.when === 'again' || effect.when === 'repeatedly';
    }
  }
  return false;
}
