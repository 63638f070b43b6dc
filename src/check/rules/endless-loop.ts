import {
  type Action,
  type Block,
  type Call,
  type Condition,
  literalText,
  type TriggerType,
} from '../../../engine/index.ts';
import { typesByKind } from '../../../engine/tools.ts';
import { creationsBy, mayCause, readOf, type Use, variableReadBy } from '../../model/index.ts';
import { bothWays, mirrored, titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

/** Aspects that only actions change. */
const kept: ReadonlySet<string> = new Set('attribute owner payload self element'.split(' '));

export const endlessLoop: Rule = {
  about:
    'A `while` whose condition never changes, without a `break` or `return`, such as one that creates units of another type than it counts.',
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
  visit({ definition, dialect, model, scripts, changes, report }) {
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
      if (effects.some((each) => each.does === 'leaves' && each.what !== 'iteration')) return;
      const isOpen = actions.some(runsScripts);
      // A loop that changes more than global variables may change whatever the condition reads.
      const changesMore = effects.some(
        ({ does, ...each }) => does !== 'runs' && does !== 'tells' && !('aspect' in each && each.aspect === 'variable'),
      );
      const read: string[] = [];
      let counted: string | undefined;
      for (const each of nodesThatRun(condition)) {
        // The value of a function that reads nothing changes only if its operands do.
        if (each.kind !== 'call' || each.rule?.reads.length === 0) continue;
        const name = variableReadBy(each);
        const found = countedBy(each, actions);
        counted ??= found;
        if (
          name === undefined &&
          found === undefined &&
          (changesMore || !each.rule?.reads.every(({ aspect }) => kept.has(aspect)))
        )
          return;
        read.push(name ?? each.operation);
      }
      const isDuringLoop = ({ place, path }: Use) =>
        isOpen || (place === node.script.place && path.startsWith(`${node.path}/`));
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
            ? counted !== undefined && read.length === 1
              ? `counts ${counted}, which nothing in the loop creates or destroys`
              : `reads ${names}, which nothing in the loop changes`
            : read.length === 1 && /[<>]/.test(operator ?? '') && !isOpen && writes.every(isAway)
              ? `reads ${names}, which the loop only moves away from the value that would end the loop`
              : undefined;
      if (what !== undefined) report(condition, `The condition of this loop ${what}, so once true, it stays true.`);
    }

    /**
     * The entities of one type that a function finds, as text. Undefined if an action of the loop may change which
     * entities these are.
     */
    function countedBy(call: Call, actions: readonly Action[]): string | undefined {
      const { kind, type } = readOf(call, 'entities') ?? {};
      const key = type && literalText(call.operand(type));
      if (key === undefined || (kind !== 'unit' && kind !== 'item' && kind !== 'projectile')) return undefined;
      const mayChange = (action: Action) => {
        const made = creationsBy(action);
        const isOther = made.every(
          (each) => each.kind === kind && ((each.type && literalText(each.type)) ?? key) !== key,
        );
        return (
          runsScripts(action) ||
          mayCause(action, `destroys ${kind}`, dialect) ||
          mayCause(action, 'type', dialect) ||
          (mayCause(action, `creates ${kind}`, dialect) && !(made.length > 0 && isOther))
        );
      };
      if (actions.some(mayChange)) return undefined;
      return `${kind}s of type ${titleOf(typesByKind(definition)[kind].get(key) ?? { key })}`;
    }
  },
};
