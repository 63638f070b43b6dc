import { suggest } from '../../../engine/core/index.ts';
import { literalText, type Node } from '../../../engine/index.ts';
import { readOf } from '../../model/index.ts';
import { declaredAttributes } from '../attributes.ts';
import type { GameContext } from '../context.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const neverChanged: Rule = {
  severity: 'info',
  about:
    'An attribute or a variable of entities or players is read, but no action, damage, bonus, cost, price or regeneration changes it.',
  because:
    'Its value never changes. Probably another name was meant, either here or in an action that should change it.',
  wrong: `{
  "unitTypes": { "hero": { "attributes": { "mana": { "min": 0, "max": 9, "value": 9 } } } },
  "scripts": { "s": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getEntityAttribute", "entity": { "function": "getTriggeringUnit" }, "attribute": "mana" }, 3], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
  right: `{
  "unitTypes": { "hero": { "attributes": { "mana": { "min": 0, "max": 9, "value": 9, "regenerateSpeed": 1 } } } },
  "scripts": { "s": { "triggers": [{ "type": "unitUsesItem" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getEntityAttribute", "entity": { "function": "getTriggeringUnit" }, "attribute": "mana" }, 3], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
  check({ definition, entityTypes, changes, uses, model, once, attributeChanges, report }) {
    const { entityTypeVariables, playerTypeVariables, playerTypes } = definition;
    const ofTypes = {
      entityVariable: { shared: entityTypeVariables, types: entityTypes },
      playerVariable: { shared: playerTypeVariables, types: [...playerTypes.values()] },
    };
    for (const kind of ['entityVariable', 'playerVariable'] as const) {
      if (changes(kind).some(({ key }) => key === undefined)) continue;
      const compared = uses(kind).filter(({ role, value }) => role === 'reads' && value !== undefined);
      for (const use of new Map(compared.map((each) => [each.key, each])).values()) {
        const { key = '' } = use;
        const { shared, types } = ofTypes[kind];
        const [first, ...more] = types.map(({ variables }) => (variables.get(key) ?? shared.get(key))?.default);
        // If the default differs between types, or only some have one, the variable serves to tell types apart.
        if (changes(kind, key).length > 0 || first === undefined || more.some((each) => each !== first)) continue;
        const at = model.action(use.place, use);
        if (at !== undefined)
          report(at, `"${key}", which is compared here, never changes: nothing sets it.`, { found: key });
      }
    }
    const changed = new Set(attributeChanges.map(({ key }) => key));
    // If a script changes an attribute with a computed name, any attribute can change.
    if (changed.has(undefined)) return;
    const declared = once(declaredAttributes);
    const readAt = once(firstReads);
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

/** The operand at which scripts first read each attribute. */
function firstReads({ scripts }: GameContext): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const node of scripts.flatMap(({ calls }) => calls)) {
    const { key: parameter } = readOf(node, 'attribute') ?? {};
    const operand = parameter === undefined ? undefined : node.operand(parameter);
    const key = operand && literalText(operand);
    if (key !== undefined && !found.has(key)) found.set(key, operand!);
  }
  return found;
}
