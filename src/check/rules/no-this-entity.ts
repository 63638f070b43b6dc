import { readOf } from '../../model/index.ts';
import type { Rule } from '../rule.ts';

export const noThisEntity: Rule = {
  about: '`thisEntity` in a global script, which does not run for an entity.',
  because:
    "`thisEntity` is undefined in a global script. Use the entity of the trigger, or move the script to the entity's type.",
  wrong: `[{ "type": "destroyEntity", "entity": { "function": "thisEntity" } }]`,
  right: `{ "unitTypes": { "hero": { "scripts": { "s": { "triggers": [{ "type": "entityCreated" }], "actions": [{ "type": "destroyEntity", "entity": { "function": "thisEntity" } }] } } } } }`,
  visit: ({ report }) => ({
    call(node) {
      if (readOf(node, 'self') === undefined || node.script.owner.kind !== 'game') return;
      report(
        node,
        `thisEntity is undefined in "${node.script.name}", because a global script does not run for an entity.`,
        'a script of a unit, item or projectile type',
        'a global script',
      );
    },
  }),
};
