import { type Action, literalText, type Operand, type ScriptNode } from '../../../engine/index.ts';
import { readOf } from '../../model/index.ts';
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
    const certain = new Map<ScriptNode, readonly CertainCall[]>();
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

    /** The shortest chain of certain calls from a script back to itself. */
    function ringThrough(start: ScriptNode): readonly CertainCall[] | undefined {
      const reached = new Set<ScriptNode>();
      let chains: (readonly CertainCall[])[] = [[]];
      while (chains.length > 0) {
        const longer: (readonly CertainCall[])[] = [];
        for (const chain of chains) {
          for (const call of certainCalls(chain.at(-1)?.callee ?? start)) {
            if (call.callee === start) return [...chain, call];
            if (reached.has(call.callee)) continue;
            reached.add(call.callee);
            longer.push([...chain, call]);
          }
        }
        chains = longer;
      }
      return undefined;
    }

    /**
     * The calls that a script always makes: they are not inside a condition, a delay or a loop that may be empty, and
     * do not follow an action that ends the script.
     */
    function certainCalls(script: ScriptNode): readonly CertainCall[] {
      const calls = certain.get(script) ?? [...callsAtOnce(script)];
      certain.set(script, calls);
      return calls;
    }

    function* callsAtOnce(script: ScriptNode): Iterable<CertainCall> {
      const { conditions, actions } = script;
      if (!(conditions.isEmpty || conditions.isDefaultGuard)) return;
      // Skips actions after the last call, because most scripts call no other script.
      const last = actions.actions.findLastIndex(startedBy);
      for (const action of actions.actions.slice(0, last + 1)) {
        const operand = startedBy(action);
        const key = operand && literalText(operand);
        const callee = key === undefined ? undefined : byPlace.get(model.called(script.place, key) ?? '');
        if (callee !== undefined) yield { callee, pointer: operand!.pointer };
        for (const each of nodesThatRun(action)) if (each.kind === 'action' && leaves(each)) return;
      }
    }

    /**
     * The operand that names the script that an action is certain to run: one of the same owner or of the game.
     * Undefined if there is none. A script of an entity counts only if the entity is the script's own, because any
     * other entity may be missing.
     */
    function startedBy(action: Action): Operand | undefined {
      for (const effect of action.effects) {
        if (effect.does !== 'starts' || effect.may) continue;
        const isOwn = effect.of === undefined || readOf(action.operand(effect.of), 'self') !== undefined;
        if (isOwn && (effect.of === undefined || action.script.owner.kind !== 'game'))
          return action.operand(effect.script);
      }
      return undefined;
    }
  },
};
