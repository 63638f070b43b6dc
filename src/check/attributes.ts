import type { Issues } from '../../engine/core/issue.ts';
import { suggest } from '../../engine/core/suggest.ts';
import { type Definition, literalText, type Node } from '../../engine/index.ts';
import {
  type Amounts,
  type AttributeDefinition,
  attributesChangedBy,
  changesOf,
  projectileTypesOf,
  readOf,
} from '../../engine/internal.ts';
import type { WalkedScript } from './walk.ts';

/** Reports attributes that scripts read but nothing ever changes. Reports nothing if a script sets an attribute whose name is computed. */
export function checkAttributes(definition: Definition, scripts: readonly WalkedScript[], issues: Issues): void {
  const declared = declaredIn(definition);
  const changedByScripts = new Set<string | undefined>();
  /** Attributes whose bounds scripts set. */
  const movedByScripts = new Set<string | undefined>();
  const readAt = new Map<string, Node>();
  for (const { actions, calls } of scripts) {
    for (const node of actions) {
      for (const { aspect, name } of attributesChangedBy(node)) {
        // Saved values and resets are of attributes that something else changes.
        if (name === undefined && aspect === 'attribute' && !changesOf(node, 'attribute').some(({ key }) => key))
          continue;
        changedByScripts.add(name);
        if (aspect === 'attributeMin' || aspect === 'attributeMax') movedByScripts.add(name);
      }
    }
    for (const node of calls) {
      const { key: parameter } = readOf(node, 'attribute') ?? {};
      if (parameter === undefined) continue;
      const operand = node.operand(parameter);
      const key = literalText(operand);
      if (key !== undefined && !readAt.has(key)) readAt.set(key, operand);
    }
  }
  const changed = new Set([...changedByRules(definition, declared), ...changedByScripts]);
  if (changed.has(undefined)) return;
  checkDamaged(definition, declared, changedByScripts, movedByScripts, issues);
  for (const [key, node] of readAt) {
    const all = declared.get(key);
    if (all === undefined || changed.has(key)) continue;
    const { name, value } = all[0]!;
    // An attribute whose value differs between types is useful as a constant of the type.
    if (all.some((each) => each.value !== value)) continue;
    const shown = `"${name === '' ? key : name}"`;
    const always = value === undefined ? 'it never has a value' : `it stays at ${value}`;
    const near = suggest(
      key,
      [...declared.keys()].filter((each) => changed.has(each) && !readAt.has(each)),
    );
    const details = { found: key, ...(near === undefined ? {} : { suggestion: near }) };
    const message = `The attribute ${shown} that is read here never changes: ${always}.`;
    issues.add('never-changed', node.pointer, message, details);
  }
}

/** Reports attributes of units that have one possible value although damage or scripts change them, and those that damage cannot lower, because they start at their minimum and nothing raises them. */
function checkDamaged(
  definition: Definition,
  declared: ReadonlyMap<string, readonly AttributeDefinition[]>,
  changedByScripts: ReadonlySet<string | undefined>,
  movedByScripts: ReadonlySet<string | undefined>,
  issues: Issues,
): void {
  const { itemTypes, unitTypes } = definition;
  const raised = new Set(changedByScripts);
  const damaged = new Set<string>();
  for (const [key, all] of declared) if (all.some(({ regenerateSpeed }) => regenerateSpeed > 0)) raised.add(key);
  for (const { damage, bonus } of itemTypes.values()) {
    for (const [key, amount] of damage?.unitAttributes ?? []) (amount > 0 ? damaged : raised).add(key);
    for (const each of [bonus?.consume, bonus?.passive])
      for (const key of each?.unitAttribute.keys() ?? []) raised.add(key);
  }
  for (const { name: typeName, attributes } of unitTypes.values()) {
    for (const { key, name, min, max, value, pointer } of attributes.values()) {
      const isScripted = changedByScripts.has(key);
      if (value === undefined || min === undefined || !(damaged.has(key) || isScripted)) continue;
      const what = `"${name === '' ? key : name}" of "${typeName}"`;
      // Where another type has a range, the scripts are about that one.
      const isFixed = min === max && !movedByScripts.has(key);
      if (isFixed && (!isScripted || declared.get(key)!.every((each) => each.min === each.max))) {
        const message = `${isScripted ? 'No script ever changes' : 'Damage never changes'} ${what}: its minimum and its maximum are both ${min}.`;
        issues.add('out-of-range', `${pointer}/min`, message, { expected: `less than ${max}`, found: String(min) });
      } else if (value <= min && !raised.has(key) && !isScripted) {
        const message = `${what} starts at its minimum, ${min}, and nothing raises it: damage changes nothing.`;
        issues.add('out-of-range', `${pointer}/value`, message, { expected: `more than ${min}`, found: String(value) });
      }
    }
  }
}

/** All declarations of each attribute, by attribute key. */
function declaredIn(definition: Definition): Map<string, AttributeDefinition[]> {
  const { unitTypes, itemTypes, playerTypes, factions } = definition;
  const declared = new Map<string, AttributeDefinition[]>();
  const collect = (attributes: ReadonlyMap<string, AttributeDefinition>): void => {
    for (const [key, each] of attributes) {
      const known = declared.get(key);
      if (known === undefined) declared.set(key, [each]);
      else known.push(each);
    }
  };
  for (const types of [unitTypes, itemTypes, projectileTypesOf(definition), playerTypes, factions])
    for (const { attributes } of types.values()) collect(attributes);
  return declared;
}

/** Attributes that change without a script: by regeneration, damage, bonuses, costs and prices. */
function changedByRules(
  definition: Definition,
  declared: ReadonlyMap<string, readonly AttributeDefinition[]>,
): Set<string | undefined> {
  const changed = new Set<string | undefined>();
  const add = (...amounts: (ReadonlyMap<string, unknown> | undefined)[]): void => {
    for (const each of amounts) for (const key of each?.keys() ?? []) changed.add(key);
  };
  for (const [key, all] of declared) if (all.some(({ regenerateSpeed }) => regenerateSpeed !== 0)) changed.add(key);
  const { itemTypes, unitTypes, abilities, shops } = definition;
  const spend = ({ unitAttributes, playerAttributes }: { unitAttributes: Amounts; playerAttributes: Amounts }): void =>
    add(unitAttributes, playerAttributes);
  for (const { damage, bonus, cost, price } of itemTypes.values()) {
    if (damage !== undefined) spend(damage);
    add(bonus?.consume?.unitAttribute, bonus?.consume?.playerAttribute);
    add(bonus?.passive?.unitAttribute, bonus?.passive?.playerAttribute);
    spend(cost);
    add(price?.playerAttributes);
  }
  for (const { cost } of abilities.values()) spend(cost);
  for (const { controls, legacyAbilities, price } of unitTypes.values()) {
    add(price?.playerAttributes);
    for (const { cost } of controls?.unitAbilities.values() ?? []) spend(cost);
    for (const bindings of [controls?.abilities, legacyAbilities]) {
      for (const { keyDown, keyUp } of bindings?.values() ?? []) {
        for (const binding of [keyDown, keyUp]) if (binding?.kind === 'script') spend(binding.cost);
      }
    }
  }
  for (const { itemTypes: items, unitTypes: units } of shops.values())
    for (const goods of [items, units]) for (const { price } of goods.values()) add(price.playerAttributes);
  return changed;
}
