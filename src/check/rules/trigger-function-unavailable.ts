import type { Rule } from '../rule.ts';
import { bitOf, namesOf, startsOf } from '../starts.ts';

export const triggerFunctionUnavailable: Rule = {
  severity: 'warning',
  about: 'A `getTriggering…` function in a script whose triggers do not provide that value; it returns undefined.',
  because:
    'Each trigger tells the scripts that it starts certain things only. Use another trigger, or find the entity in another way.',
  wrong: `{ "scripts": { "end": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "destroyEntity", "entity": { "function": "getTriggeringUnit" } }] } } }`,
  right: `{ "scripts": { "end": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "destroyEntity", "entity": { "function": "getTriggeringUnit" } }] } } }`,
  check({ program, once, report }) {
    const { carried } = once(startsOf);
    for (const script of program.scripts) {
      const mask = carried[script.index];
      if (mask === undefined) continue;
      for (const { key, pointer, operation } of script.code.uses.payloadKeys) {
        if ((mask & bitOf(key)) !== 0) continue;
        const message = `${operation} is undefined in "${script.name}": nothing that starts the script provides a \`${key}\`.`;
        report(pointer, message, {
          expected: `a trigger that provides a \`${key}\``,
          found: namesOf(script) || 'no trigger',
        });
      }
    }
  },
};
