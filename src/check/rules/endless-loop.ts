import type { Action, Block, Condition, TriggerType } from '../../../engine/index.ts';
import { mayCause, type Use, variableReadBy, variablesWrittenBy } from '../../model/index.ts';
import { bothWays, mirrored, previous } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

/** Aspects that only actions change. */
const kept = new Set('attribute owner payload self element'.split(' '));

export const endlessLoop: Rule = {
  about: 'A `while` whose condition never changes and that is not meant to end by `break` or `return`.',
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
  visit({ dialect, model, scripts, changes, report }) {
    if (model.setsAnyVariable) return {};
    const fired = new Set(
      scripts.flatMap(({ script }) => model.starts(script.place).map(({ by, name }) => (by === 'effect' ? by : name))),
    );
    /** Whether scripts may run in the middle of an action, such as those that listen to what it does. */
    const runsScripts = (action: Action) =>
      action.effects.some(({ does }) => does === 'starts') ||
      [...fired].some((each) =>
        mayCause(action, each === 'effect' ? 'plays effect' : `fires ${each as TriggerType}`, dialect),
      );
    return {
      action(node) {
        const [condition] = node.operands;
        if (condition?.kind !== 'condition') return;
        for (const effect of node.effects)
          if (effect.does === 'runs' && effect.when === 'again') loop(node, condition, node.block(effect.block));
      },
    };

    function loop(node: Action, condition: Condition, body: Block) {
      const actions = [...nodesThatRun(body)].filter((each) => each.kind === 'action');
      const effects = actions.flatMap((each) => each.effects);
      const leaving = effects.some((each) => each.does === 'leaves' && each.what !== 'iteration');
      const isOpen = actions.some(runsScripts);
      // A loop that changes more than global variables may change whatever the condition reads.
      const changesMore = effects.some(
        ({ does, ...each }) => does !== 'runs' && does !== 'tells' && !('aspect' in each && each.aspect === 'variable'),
      );
      const read: string[] = [];
      for (const each of nodesThatRun(condition)) {
        // The value of a function that reads nothing changes only if its operands do.
        if (each.kind !== 'call' || each.rule?.reads.length === 0) continue;
        const name = variableReadBy(each);
        if (name === undefined && (changesMore || !each.rule?.reads.every(({ aspect }) => kept.has(aspect)))) return;
        read.push(name ?? each.operation);
      }
      const isDuringLoop = ({ place, path }: Use) =>
        isOpen || (place === node.script.place && path.startsWith(`${node.path}/`));
      const before = previous(node);
      // A loop that prepares its condition also expects to change it.
      const isPrepared = read.length === 1 && before !== undefined && variablesWrittenBy(before).includes(read[0]);
      const writes = read.flatMap((name) => changes('variable', name).filter(isDuringLoop));
      const names = [...new Set(read)].map((name) => `"${name}"`).join(', ');
      const [one] = bothWays(condition).filter(([side]) => variableReadBy(side) === read[0]);
      const operator = one?.[0] === condition.sides[0] ? condition.operator : mirrored(condition.operator);
      const isAway = ({ by, value }: Use) =>
        by !== undefined &&
        typeof value === 'number' &&
        ((by === 'adding') === value > 0) === operator?.startsWith('>');
      const what =
        read.length === 0
          ? 'has no part that can change'
          : writes.length === 0
            ? `reads ${names}, which nothing in the loop changes`
            : read.length === 1 && /[<>]/.test(operator ?? '') && !isOpen && writes.every(isAway)
              ? `reads ${names}, which the loop only moves away from the value that would end the loop`
              : undefined;
      if (what !== undefined && (!leaving || (isPrepared && writes.length === 0)))
        report(condition, `The condition of this loop ${what}, so once true, it stays true.`);
    }
  },
};
