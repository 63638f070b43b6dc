import type { Action, Block, Condition, ScriptNode } from '../../../engine/index.ts';
import { variableReadBy, variablesWrittenBy } from '../../../engine/internal.ts';
import type { GameContext } from '../context.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

/** Loops whose condition reads only variables that nothing writes while the loop runs. */
export const endlessLoop: Rule = {
  severity: 'warning',
  about: 'A `while` whose condition never changes, without a `break` or `return`.',
  because: 'The loop runs until the limit of actions stops it. Change in the loop what the condition reads.',
  wrong: `{
  "variables": { "left": { "dataType": "number", "default": 3 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "while", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getVariable", "variableName": "left" }, 0], "actions": [] }] } }
}`,
  right: `{
  "variables": { "left": { "dataType": "number", "default": 3 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "while", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getVariable", "variableName": "left" }, 0], "actions": [{ "type": "decreaseVariableByNumber", "variable": "left", "number": 1 }] }] } }
}`,
  visit({ once, report }) {
    const writers = once(writersOf);
    if (writers === undefined) return {};
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
        // A function that reads nothing has the same value as long as its operands do.
        if (each.kind !== 'call' || each.rule?.reads.length === 0) continue;
        const name = variableReadBy(each);
        if (name === undefined) return;
        read.push(name);
      }
      const actions = [...nodesThatRun(body)].filter((each) => each.kind === 'action');
      if (actions.some(({ effects }) => effects.some((each) => each.does === 'leaves' && each.what !== 'iteration')))
        return;
      // A loop that runs other scripts counts as writing what they write.
      const startsOthers = actions.some(({ effects }) => effects.some(({ does }) => does === 'starts'));
      for (const name of read) {
        const own = writers!.get(name);
        const isOwnElsewhere =
          own?.has(node.script) && !startsOthers && !actions.some((each) => variablesWrittenBy(each).includes(name));
        if ((own?.size ?? 0) > (isOwnElsewhere ? 1 : 0)) return;
      }
      const names = [...new Set(read)].map((name) => `"${name}"`).join(', ');
      const what =
        read.length === 0 ? 'has no part that can change' : `reads ${names}, which nothing in the loop changes`;
      report(condition, `The condition of this loop ${what}: once true, it stays true.`);
    }
  },
};

/** The scripts that write each variable, by variable name; undefined if any script writes a variable whose name is computed. */
function writersOf({ scripts }: GameContext): ReadonlyMap<string, ReadonlySet<ScriptNode>> | undefined {
  const writers = new Map<string, Set<ScriptNode>>();
  for (const { script, actions } of scripts) {
    for (const name of actions.flatMap(variablesWrittenBy)) {
      if (name === undefined) return undefined;
      const known = writers.get(name);
      if (known === undefined) writers.set(name, new Set([script]));
      else known.add(script);
    }
  }
  return writers;
}
