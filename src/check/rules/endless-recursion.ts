import type { ScriptNode } from '../../../engine/index.ts';
import { leaves } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

/** A call that is made whenever the calling script runs. */
interface CertainCall {
  readonly callee: ScriptNode;
  readonly pointer: string;
}

export const endlessRecursion: Rule = {
  about: 'A script always calls itself, directly or through other scripts, without a delay.',
  because: 'The recursion continues until the limit of actions stops it. Put the call after a condition or a delay.',
  wrong: `{ "scripts": { "tick": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "runScript", "scriptName": "tick" }] } } }`,
  right: `{
  "scripts": {
    "tick": {
      "triggers": [{ "type": "gameStart" }],
      "actions": [{ "type": "setTimeOut", "duration": 1000, "actions": [{ "type": "runScript", "scriptName": "tick" }] }]
    }
  }
}`,
  check({ scripts, model, report }) {
    const byPlace = new Map(scripts.map(({ script }) => [script.place, script]));
    const told = new Set<ScriptNode>();
    for (const { script } of scripts) {
      /** The calls by which each script is reached, and the first call of the chain. */
      const reached = new Map<ScriptNode, CertainCall>();
      const waiting = certainCalls(script).map((first) => ({ first, callee: first.callee }));
      for (const { first, callee } of waiting) {
        if (reached.has(callee)) continue;
        reached.set(callee, first);
        for (const next of certainCalls(callee)) waiting.push({ first, callee: next.callee });
      }
      const { callee, pointer } = reached.get(script) ?? {};
      // Each ring is reported once, at its first script.
      if (callee === undefined || told.has(script)) continue;
      for (const each of reached.keys()) told.add(each);
      const name = `"${script.name}"`;
      const message =
        callee === script
          ? `${name} calls itself every time it runs, so it never ends.`
          : `${name} calls "${callee.name}", which calls ${name} again, every time they run, so they never end.`;
      report(pointer!, message, { found: callee.source.key });
    }

    /**
     * The calls that a script always makes: they are not inside a condition, a delay or a loop that may be empty, and
     * do not follow an action that ends the script. A script of an entity counts only if the entity is the script's
     * own, because any other entity may be missing.
     */
    function certainCalls({ place, owner, actions: { actions } }: ScriptNode): readonly CertainCall[] {
      return model.usesIn(place).flatMap(({ role, scope, key = '', path, guards, isOff }) => {
        if (role !== 'starts' || isOff || guards.length > 0 || path.includes('/')) return [];
        const index = actions.findIndex((action) => action.path === path);
        const effect = actions[index]!.effects.find(({ does }) => does === 'starts');
        const callee = byPlace.get(model.called(place, key) ?? '');
        const isOwn = scope === 'game' || (scope === 'own' && owner.kind !== 'game');
        if (callee === undefined || effect?.does !== 'starts' || effect.may || !isOwn) return [];
        const before = actions.slice(0, index).flatMap((action) => [...nodesThatRun(action)]);
        if (before.some((node) => node.kind === 'action' && leaves(node))) return [];
        return { callee, pointer: actions[index]!.operand(effect.script).pointer };
      });
    }
  },
};
