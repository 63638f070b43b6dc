import { type Action, literalText } from '../../../engine/index.ts';
import { creationsBy } from '../../model/index.ts';
import { above, leaves } from '../nodes.ts';
import type { Rule } from '../rule.ts';

/** Triggers that fire again and again. */
const periodic: ReadonlySet<string> = new Set(['secondTick', 'frameTick']);

export const pilingUp: Rule = {
  about: 'A script that runs again and again adds a timer or entity each time, without a condition or a limit.',
  because: 'The game gets slower and slower. Add a condition that counts what exists, or use another trigger.',
  wrong: `{
  "unitTypes": { "wolf": {} },
  "scripts": { "spawn": { "triggers": [{ "type": "frameTick" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": 9, "y": 9 }, "angle": 0 }] } }
}`,
  right: `{
  "unitTypes": { "wolf": {} },
  "scripts": { "spawn": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": 9, "y": 9 }, "angle": 0 }] } }
}`,
  visit({ report }) {
    return {
      action(node) {
        for (const effect of node.effects)
          if (effect.does === 'starts' && effect.of === undefined)
            chain(node, literalText(node.operand(effect.script)));
        if (creationsBy(node).some(({ kind }) => kind === 'unit' || kind === 'item')) creation(node);
      },
    };

    /** Reports a script that runs each second and also starts itself again later, so that each run adds another chain of runs. */
    function chain(node: Action, key: string | undefined): void {
      const { source, name } = node.script;
      if (key !== source.key) return;
      const trigger = source.triggers.find((type) => periodic.has(type));
      if (trigger === undefined || ![...above(node)].some((at) => at.kind === 'block' && at.isDeferred)) return;
      const message = `"${name}" runs on every \`${trigger}\` and also starts itself again after a delay: each time, one more chain of runs is added.`;
      report(node, message, { expected: 'either the trigger or the delay', found: 'both' });
    }

    /** Reports a unit or item that every tick of the game creates, without any condition. */
    function creation(node: Action): void {
      const { source, owner, actions, conditions, name } = node.script;
      if (!source.triggers.includes('frameTick') || owner.kind !== 'game') return;
      if (node.parent !== actions || !(conditions.isEmpty || conditions.isDefaultGuard)) return;
      if (actions.actions.some((each) => leaves(each) || each.effects.some(({ does }) => does === 'destroys'))) return;
      const message = `"${name}" runs on every \`frameTick\` and creates one more each time, without a condition.`;
      report(node, message, { expected: 'a condition, or another trigger' });
    }
  },
};
