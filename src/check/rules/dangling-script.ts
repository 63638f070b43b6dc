import type { Rule } from '../rule.ts';
import { startsOf } from '../starts.ts';

/** Calls of a script that exists but is not visible to the caller. The compiler reports scripts that do not exist at all. */
export const danglingScript: Rule = {
  because:
    'The script of a type is visible to the other scripts of that type only. Make it a script of the game, or run it on an entity.',
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
  check({ program, once, report }) {
    const { homes } = once(startsOf);
    for (const script of program.scripts) {
      for (const { key, onEntity, pointer } of script.code.uses.calls) {
        if (onEntity || homes.get(script)?.set.byKey.has(key) !== false || program.global.byKey.has(key)) continue;
        const found = program.scripts.find((each) => each.key === key)?.place;
        if (found !== undefined)
          report(pointer, `"${key}" is a script of another entity type; this call does nothing.`, { found });
      }
    }
  },
};
