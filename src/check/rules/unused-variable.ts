import { assignedPlayerTypes } from '../play.ts';
import type { Rule } from '../rule.ts';
import { textsOf } from '../texts.ts';

export const unusedVariable: Rule = {
  severity: 'info',
  about: 'A global variable or player type that no script names.',
  because: 'Delete it, or correct its name where a script misspells it.',
  wrong: `{ "variables": { "score": { "dataType": "number", "default": 0 } } }`,
  right: `{
  "variables": { "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "increaseVariableByNumber", "variable": "score", "number": 1 }] } }
}`,
  check({ definition, once, report }) {
    const texts = once(textsOf);
    for (const { key, dataType, pointer } of definition.variables.values()) {
      // A region is useful without a script: its body fires triggers. Editors leave unused variables with an empty data
      // type behind.
      if (dataType !== 'region' && dataType !== '' && !texts.has(key))
        report(pointer, `No script uses the variable "${key}".`, { found: key });
    }
    const assigned = once(assignedPlayerTypes);
    for (const { key, pointer } of definition.playerTypes.values())
      if (assigned?.has(key) === false && !texts.has(key))
        report(pointer, `No script gives a player the type "${key}".`);
  },
};
