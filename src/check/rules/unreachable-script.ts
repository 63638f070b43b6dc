import type { Rule } from '../rule.ts';
import { isDeaf } from '../triggers.ts';

export const unreachableScript: Rule = {
  severity: 'info',
  about: 'No trigger, key binding, ability, effect or other script starts the script.',
  because: 'The script never runs. Give the script a trigger, run it from another script, or delete it.',
  wrong: `{ "scripts": { "reward": { "triggers": [], "actions": [] } } }`,
  right: `{ "scripts": { "reward": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [] } } }`,
  check({ program, model, report }) {
    for (const script of program.scripts) {
      if (model.provided(script.place) === undefined && !isDeaf(script))
        report(script.pointer, `Nothing starts the script "${script.name}".`);
    }
  },
};
