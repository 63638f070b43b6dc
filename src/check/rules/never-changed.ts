import { suggest } from '../../../engine/core/index.ts';
import { attributeUsesOf } from '../attributes.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const neverChanged: Rule = {
  severity: 'info',
  about: 'An attribute is read, but no action, damage, bonus, cost, price or regeneration changes it.',
  because: 'It is a constant. Probably another attribute was meant here, or where it should change.',
  wrong: `{
  "unitTypes": { "hero": { "attributes": { "mana": { "min": 0, "max": 9, "value": 9 } } } },
  "scripts": { "s": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getEntityAttribute", "entity": { "function": "getTriggeringUnit" }, "attribute": "mana" }, 3], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
  right: `{
  "unitTypes": { "hero": { "attributes": { "mana": { "min": 0, "max": 9, "value": 9, "regenerateSpeed": 1 } } } },
  "scripts": { "s": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getEntityAttribute", "entity": { "function": "getTriggeringUnit" }, "attribute": "mana" }, 3], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
  check({ once, report }) {
    const { declared, changed, readAt } = once(attributeUsesOf);
    // Nothing is certain if a script changes an attribute whose name is computed.
    if (changed.has(undefined)) return;
    for (const [found, node] of readAt) {
      const all = declared.get(found);
      if (all === undefined || changed.has(found)) continue;
      const { value } = all[0]!;
      // An attribute whose value differs between types is useful as a constant of the type.
      if (all.some((each) => each.value !== value)) continue;
      const always = value === undefined ? 'it never has a value' : `it stays at ${value}`;
      const moving = [...declared.keys()].filter((each) => changed.has(each) && !readAt.has(each));
      report(node, `The attribute ${titleOf(all[0]!)} that is read here never changes: ${always}.`, {
        found,
        suggestion: suggest(found, moving),
      });
    }
  },
};
