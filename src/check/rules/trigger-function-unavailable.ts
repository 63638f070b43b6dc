import { readOf } from '../../model/index.ts';
import type { Rule } from '../rule.ts';

export const triggerFunctionUnavailable: Rule = {
  about: 'A `getTriggering…` function in a script whose triggers do not provide that value; it returns undefined.',
  because:
    "Each trigger has its own payload, and the payloads of this script's triggers lack the value. Use another trigger, or find the entity in another way.",
  wrong: `{ "scripts": { "end": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "destroyEntity", "entity": { "function": "getTriggeringUnit" } }] } } }`,
  right: `{ "scripts": { "end": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "destroyEntity", "entity": { "function": "getTriggeringUnit" } }] } } }`,
  visit({ model, report }) {
    return {
      call(node) {
        const { kind: key } = readOf(node, 'payload') ?? {};
        if (key === undefined) return;
        const { place, name, source } = node.script;
        const provided: ReadonlySet<string> | undefined = model.provided(place);
        if (provided?.has(key) !== false) return;
        report(
          node,
          `${node.operation} is undefined in "${name}": nothing that starts the script provides a \`${key}\`.`,
          `a trigger that provides a \`${key}\``,
          source.triggers.join(', ') || 'no trigger',
        );
      },
    };
  },
};
