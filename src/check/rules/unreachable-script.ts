import type { Rule } from '../rule.ts';
import { isDeaf, startsOf } from '../starts.ts';

export const unreachableScript: Rule = {
  severity: 'info',
  about: 'No trigger, key binding, ability, effect or other script starts the script.',
  because: 'It never runs. Give it a trigger, run it from another script, or delete it.',
  wrong: `{ "scripts": { "reward": { "triggers": [], "actions": [] } } }`,
  right: `{ "scripts": { "reward": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [] } } }`,
  check({ program, once, report }) {
    const { homes, carried } = once(startsOf);
    for (const script of program.scripts) {
      const home = homes.get(script);
      if (home !== undefined && carried[script.index] === undefined && !isDeaf(script, home.scope))
        report(script.pointer, `Nothing starts the script "${script.name}".`);
    }
  },
};
