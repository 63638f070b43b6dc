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
  /** Reports each cycle once, at its first script. */
  check({ scripts, model, report }) {
    const byPlace = new Map(scripts.map(({ script }) => [script.place, script]));
    const known = new Set<ScriptNode>();
    for (const { script } of scripts) {
      if (known.has(script)) continue;
      const cycle = ringThrough(script);
      if (cycle === undefined) continue;
      for (const { callee } of cycle) known.add(callee);
      const [{ pointer, callee }] = cycle as readonly [CertainCall];
      const names = cycle.map((call) => `"${call.callee.name}"`);
      const message =
        cycle.length === 1
          ? `"${script.name}" calls itself every time it runs, so it never ends.`
          : `"${script.name}" calls ${names.join(', which calls ')}, every time they run, so they never end.`;
      report(pointer, message, { found: callee.source.key });
    }

    /** The shortest chain of certain calls from a script back to itself; undefined if there is none. */
    function ringThrough(start: ScriptNode): readonly CertainCall[] | undefined {
      const reached = new Set<ScriptNode>();
      const chains: (readonly CertainCall[])[] = [[]];
      for (const chain of chains) {
        for (const call of certainCalls(chain.at(-1)?.callee ?? start)) {
          if (call.callee === start) return [...chain, call];
          if (reached.has(call.callee)) continue;
          reached.add(call.callee);
          chains.push([...chain, call]);
        }
      }
      return undefined;
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
