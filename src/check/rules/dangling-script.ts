import { literalText } from '../../../engine/index.ts';
import type { Rule } from '../rule.ts';

/**
 * Calls of a script that exists but is not visible to the caller. The compiler reports scripts that do not exist at
 * all.
 */
export const danglingScript: Rule = {
  because:
    'Scripts of a type can be run only by other scripts of that type. Make the script global, or run it for an entity of that type.',
  wrong: `{
  "scripts": { "begin": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "runScript", "scriptName": "heal" }] } },
  "unitTypes": { "hero": { "scripts": { "heal": { "triggers": [{ "type": "unitUsesItem" }], "actions": [] } } } }
}`,
  right: `{
  "scripts": {
    "begin": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "runScript", "scriptName": "heal" }] },
    "heal": { "triggers": [], "actions": [] }
  }
}`,
  check({ definition, entityTypes, report }) {
    for (const { effects, scripts } of entityTypes)
      for (const { runScript: found, pointer } of effects.values())
        if (found !== undefined && !scripts.has(found) && definition.scripts.has(found))
          report(
            `${pointer}/runScript`,
            `"${found}" is a global script: the original engine runs only scripts of the type itself for its effects, and fails here.`,
          );
  },
  visit({ model, report }) {
    return {
      action(node) {
        for (const effect of node.effects) {
          const name = effect.does === 'starts' && effect.of === undefined ? node.operand(effect.script) : undefined;
          const key = name && literalText(name);
          if (key === undefined || model.called(node.script.place, key) !== undefined) continue;
          const [found] = model.pathsWithKey(key);
          if (found !== undefined)
            report(name!, `"${key}" is a script of another entity type, so this call does nothing.`, { found });
        }
      },
    };
  },
};
