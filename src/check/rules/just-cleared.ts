import type { Action, Operand } from '../../../engine/index.ts';
import { above } from '../../model/index.ts';
import { isReadOf, numberOf, previous } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

export const justCleared: Rule = {
  about: 'A product or quotient with an operand that the previous action has just set to 0.',
  because: 'The result is always 0 or not a number. Calculate first, and set the operand to 0 afterwards.',
  wrong: `{
  "variables": { "salt": { "dataType": "number", "default": 5 }, "gold": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [
    { "type": "setVariable", "variableName": "salt", "value": 0 },
    { "type": "setVariable", "variableName": "gold", "value": { "function": "calculate", "items": [{ "operator": "*" }, { "function": "getVariable", "variableName": "salt" }, 3] } }
  ] } }
}`,
  right: `{
  "variables": { "salt": { "dataType": "number", "default": 5 }, "gold": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [
    { "type": "setVariable", "variableName": "gold", "value": { "function": "calculate", "items": [{ "operator": "*" }, { "function": "getVariable", "variableName": "salt" }, 3] } },
    { "type": "setVariable", "variableName": "salt", "value": 0 }
  ] } }
}`,
  visit: ({ report }) => ({
    calculation(node) {
      if (node.operator !== '*' && node.operator !== '/' && node.operator !== '%') return;
      const action = [...above(node)].find((at) => at.kind === 'action');
      if (action === undefined) return;
      // Looks only at the action directly before, because other actions in between could change the variable again.
      const last = previous(action);
      if (last === undefined || [...nodesThatRun(action)].some((at) => at.kind === 'block')) return;
      for (const side of node.sides)
        if (isCleared(side, last))
          report(side, 'This operand is 0: the previous action has just set it to 0.', 'before that action', '0');
    },
  }),
};

/** Whether an action sets to 0 what the operand `side` reads. */
function isCleared(side: Operand, action: Action): boolean {
  return action.effects.some(
    (effect) =>
      effect.does === 'changes' &&
      effect.to !== undefined &&
      numberOf(action.operand(effect.to)) === 0 &&
      isReadOf(side, action, effect),
  );
}
