import type { ScriptNode } from '../../../engine/index.ts';
import { areSame, listIn } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const sameScript: Rule = {
  about:
    'Two scripts of one owner have the same triggers, conditions and actions, or a script lists a trigger twice, so everything happens twice.',
  because:
    'One of the scripts or triggers is probably a copy that should have been changed. Change or delete the copy.',
  wrong: `{
  "scripts": {
    "one": { "triggers": [{ "type": "playerLeavesGame" }], "actions": [{ "type": "endGame" }] },
    "copy": { "triggers": [{ "type": "playerLeavesGame" }], "actions": [{ "type": "endGame" }] }
  }
}`,
  right: `{
  "scripts": {
    "one": { "triggers": [{ "type": "playerLeavesGame" }], "actions": [{ "type": "endGame" }] },
    "copy": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "endGame" }] }
  }
}`,
  check({ program, report }) {
    const seen = new Map<string, ScriptNode[]>();
    for (const { node } of program.scripts) {
      const { owner, source, conditions, actions } = node;
      if (source.triggers.length === 0 || actions.actions.length === 0) continue;
      if (new Set(source.triggers).size < source.triggers.length)
        report(node, `The script "${source.key}" lists a trigger twice, so everything happens twice.`);
      const others = listIn(seen, `${owner.kind} ${owner.type} ${[...source.triggers].sort().join()}`);
      const first = others.find((other) => areSame(other.conditions, conditions) && areSame(other.actions, actions));
      if (first === undefined) {
        others.push(node);
        continue;
      }
      const found = first.source.key;
      report(
        node,
        `The script "${source.key}" does the same as "${found}" for the same trigger, so everything happens twice.`,
        { found },
      );
    }
  },
};
