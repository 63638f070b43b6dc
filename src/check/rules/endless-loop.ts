import type { Action, Block, Condition } from '../../../engine/index.ts';
import { type Use, variableReadBy } from '../../model/index.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

/** Loops whose condition reads only variables that nothing writes while the loop runs. */
export const endlessLoop: Rule = {
  about: 'A `while` whose condition never changes, without a `break` or `return`.',
  because:
    'The loop runs until it reaches the limit of actions. Inside the loop, change something that the condition reads.',
  wrong: `{
  "variables": { "left": { "dataType": "number", "default": 3 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "while", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getVariable", "variableName": "left" }, 0], "actions": [] }] } }
}`,
  right: `{
  "variables": { "left": { "dataType": "number", "default": 3 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "while", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getVariable", "variableName": "left" }, 0], "actions": [{ "type": "decreaseVariableByNumber", "variable": "left", "number": 1 }] }] } }
}`,
  visit({ model, changes, report }) {
    if (model.setsAnyVariable) return {};
    return {
      action(node) {
        const [condition] = node.operands;
        if (condition?.kind !== 'condition') return;
        for (const effect of node.effects)
          if (effect.does === 'runs' && effect.when === 'again') loop(node, condition, node.block(effect.block));
      },
    };

    function loop(node: Action, condition: Condition, body: Block): void {
      const read: string[] = [];
      for (const each of nodesThatRun(condition)) {
        // The value of a function that reads nothing changes only if its operands do.
        if (each.kind !== 'call' || each.rule?.reads.length === 0) continue;
        const name = variableReadBy(each);
        if (name === undefined) return;
        read.push(name);
      }
      const actions = [...nodesThatRun(body)].filter((each) => each.kind === 'action');
      if (actions.some(({ effects }) => effects.some((each) => each.does === 'leaves' && each.what !== 'iteration')))
        return;
      // A loop that runs other scripts counts as writing everything that any script writes.
      const startsOthers = actions.some(({ effects }) => effects.some(({ does }) => does === 'starts'));
      const isDuringLoop = ({ place, path }: Use): boolean =>
        startsOthers || place !== node.script.place || path.startsWith(`${node.path}/`);
      if (read.some((name) => changes('variable', name).some(isDuringLoop))) return;
      const names = [...new Set(read)].map((name) => `"${name}"`).join(', ');
      const what =
        read.length === 0 ? 'has no part that can change' : `reads ${names}, which nothing in the loop changes`;
      report(condition, `The condition of this loop ${what}, so once true, it stays true.`);
    }
  },
};
