import { literalText } from '../../../engine/index.ts';
import { above, type Use } from '../../model/index.ts';
import { leaves } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

/** Triggers that fire at regular intervals. */
const periodic = new Set(['secondTick', 'frameTick']);

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
  /** Reports timers, units and items that a periodic script adds each time, without any condition. */
  check({ definition, model, scripts, numbers, report }) {
    const { frameRate = 20 } = definition.defaultData;
    for (const { script } of scripts) {
      const { source, owner, name, actions } = script;
      const trigger = source.triggers.find((type) => periodic.has(type));
      if (trigger === undefined) continue;
      const first = actions.actions.findIndex((action) =>
        [...nodesThatRun(action)].some((node) => node.kind === 'action' && leaves(node)),
      );
      const isGuarded = !script.conditions.isEmpty && !script.conditions.isDefaultGuard;
      for (const action of isGuarded ? [] : actions.actions.slice(0, first < 0 ? undefined : first)) {
        for (const effect of action.effects) {
          const after = effect.does === 'runs' && effect.after !== undefined ? action.operand(effect.after) : undefined;
          const ms = after && numbers.fixed(after);
          if (ms === undefined || ms <= (trigger === 'frameTick' ? 1000 / frameRate : 1000)) continue;
          const message = `"${name}" runs on every \`${trigger}\` and adds a timer of ${ms} ms each time, before the previous timer has ended.`;
          report(after!, message, 'a condition, or another trigger', ms);
        }
      }
      if (owner.kind !== 'game') continue;
      /** This script, and the scripts that it always runs. */
      const run = new Set([script.place]);
      for (const place of run)
        for (const use of model.usesIn(place).filter(isCertain))
          if (use.role === 'starts') for (const callee of model.startedBy(use)) run.add(callee);
      const all = [...run].flatMap((place) => model.usesIn(place)).filter(({ isOff }) => !isOff);
      if (all.some(({ role, aspect }) => role === 'destroys' || aspect === 'lifeSpan')) continue;
      if (scripts.some((each) => run.has(each.script.place) && each.actions.some(leaves))) continue;
      const message = `"${name}" runs on every \`${trigger}\` and creates another entity each time, without a condition.`;
      for (const use of all.filter(isCertain)) {
        const { kind, role, key = '', place } = use;
        if (role !== 'creates' || (kind !== 'unit' && kind !== 'item')) continue;
        if (kind === 'unit' || definition.itemTypes.get(key)?.lifeSpan === undefined)
          report(model.action(place, use)!, message, 'a condition, or another trigger');
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
          `"${name}" runs on every \`${trigger}\` and also starts itself again after a delay, so each time, another endless series of runs begins.`,
          'either the trigger or the delay',
          'both',
        );
      }
    },
  }),
};

function isCertain({ guards, isOff }: Use) {
  return guards.length === 0 && !isOff;
}
