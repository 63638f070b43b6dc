import { suggest } from '../../../engine/core/index.ts';
import { literalText, type Node } from '../../../engine/index.ts';
import { readOf, type Use } from '../../model/index.ts';
import { declaredAttributes } from '../attributes.ts';
import type { GameContext } from '../context.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const neverChanged: Rule = {
  severity: 'info',
  about:
    'An attribute or a variable is read, but no action, damage, bonus, cost, price or regeneration gives it another value.',
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
  check({ definition, program, entityTypes, changes, uses, model, once, attributeChanges, report }) {
    const { entityTypeVariables, playerTypeVariables, playerTypes } = definition;
    const names = new Map(program.scripts.map(({ place, name }) => [place, name]));
    const ofTypes = {
      variable: { shared: definition.variables, types: [{ ...definition, key: '' }] },
      entityVariable: { shared: entityTypeVariables, types: entityTypes },
      playerVariable: { shared: playerTypeVariables, types: [...playerTypes.values()] },
    };
    for (const kind of ['variable', 'entityVariable', 'playerVariable'] as const) {
      if (changes(kind).some(({ key, isWhole }) => key === undefined && !isWhole)) continue;
      // Another rule compares the values of global variables with literals.
      const compared = uses(kind).filter(
        ({ role, value, source }) =>
          role === 'reads' && (source ?? (kind === 'variable' ? source : value)) !== undefined,
      );
      for (const use of new Map(compared.map((each) => [each.key, each])).values()) {
        const { key = '' } = use;
        const { shared, types } = ofTypes[kind];
        const all = changes(kind, key);
        const initials = types.map(({ variables }) => (variables.get(key) ?? shared.get(key))?.default);
        types.forEach((type, i) => {
          const concerned = ({ scope, place }: Use) =>
            scope !== 'own' ||
            place.startsWith('scripts/') ||
            `${definition.pointer}/${place}`.startsWith(`${type.pointer}/`);
          const own = all.filter(concerned);
          const [only, ...others] = new Set(own.map(({ by, value }) => (by === undefined ? value : undefined)));
          const isCompared = compared.some((each) => each.key === key && concerned(each));
          // A string can be the id of an entity, which may be gone.
          if (only === undefined || typeof only === 'string' || others.length > 0 || !isCompared) return;
          // A flag that is set once can be intended, but not if a copy of the script also sets it back.
          const isBack = ({ value, place }: Use) =>
            value === initials[i] &&
            all.some((each) => each.place === place && each.value === only) &&
            own.some((each) => names.get(each.place) === names.get(place));
          const of = kind === 'variable' ? '' : ` of ${titleOf(type)}`;
          const message =
            only === initials[i]
              ? `"${key}"${of} never changes: scripts set it only to its first value, ${only}.`
              : only === true &&
                all.some(isBack) &&
                `Once "${key}"${of} is true, nothing sets it back, as the same script of another type does.`;
          if (message) report(model.action(own[0]!.place, own[0]!)!, message);
        });
        const [first, ...more] = initials;
        // If the default differs between types, or only some have one, the variable serves to tell types apart.
        if (all.length > 0 || kind === 'variable' || first === undefined || more.some((each) => each !== first))
          continue;
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
