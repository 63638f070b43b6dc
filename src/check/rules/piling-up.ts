import { literalText } from '../../../engine/index.ts';
import type { Use } from '../../model/index.ts';
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
  /** Reports units and items that every tick of the game creates, without any condition. */
  check({ definition, model, scripts, report }) {
    for (const { script } of scripts) {
      const { source, owner, name } = script;
      if (!source.triggers.includes('frameTick') || owner.kind !== 'game') continue;
      /** The script, and those that it always runs. */
      const run = new Set([script.place]);
      for (const place of run)
        for (const use of model.usesIn(place).filter(isCertain))
          if (use.role === 'starts') for (const callee of model.startedBy(use)) run.add(callee);
      const uses = [...run].flatMap((place) => model.usesIn(place)).filter(({ isOff }) => !isOff);
      if (uses.some(({ role, aspect }) => role === 'destroys' || aspect === 'lifeSpan')) continue;
      if (scripts.some(({ script: { place }, actions }) => run.has(place) && actions.some(leaves))) continue;
      const message = `"${name}" runs on every \`frameTick\` and creates one more each time, without a condition.`;
      for (const use of uses.filter(isCertain)) {
        const { kind, role, key = '', place } = use;
        if (role !== 'creates' || (kind !== 'unit' && kind !== 'item')) continue;
        if (kind === 'unit' || definition.itemTypes.get(key)?.lifeSpan === undefined)
          report(model.action(place, use)!, message, { expected: 'a condition, or another trigger' });
      }
    }
  },
  visit: ({ report }) => ({
    action(node) {
      const { source, name } = node.script;
      const trigger = source.triggers.find((type) => periodic.has(type));
      if (trigger === undefined) return;
      for (const effect of node.effects) {
        // A script that runs again and again and also starts itself later adds another chain of runs each time.
        if (effect.does !== 'starts' || effect.of !== undefined) continue;
        if (literalText(node.operand(effect.script)) !== source.key) continue;
        if (![...above(node)].some((at) => at.kind === 'block' && at.isDeferred)) continue;
        report(
          node,
          `"${name}" runs on every \`${trigger}\` and also starts itself again after a delay: each time, one more chain of runs is added.`,
          { expected: 'either the trigger or the delay', found: 'both' },
        );
      }
    },
  }),
};

function isCertain({ guards, isOff }: Use): boolean {
  return guards.length === 0 && !isOff;
}
