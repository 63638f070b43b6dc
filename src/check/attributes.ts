import { literalText, type Node } from '../../engine/index.ts';
import {
  type AttributeDefinition,
  attributesChangedBy,
  changesOf,
  projectileTypesOf,
  readOf,
} from '../../engine/internal.ts';
import type { GameContext } from './context.ts';
import { listIn } from './nodes.ts';

/** What becomes of attributes, by key; undefined stands for a computed key. */
interface AttributeUses {
  /** All declarations of each. */
  readonly declared: ReadonlyMap<string, readonly AttributeDefinition[]>;
  readonly changedByScripts: ReadonlySet<string | undefined>;
  /** Those whose bounds scripts set. */
  readonly movedByScripts: ReadonlySet<string | undefined>;
  /** Those that change without a script, too: by regeneration, damage, bonuses, costs and prices. */
  readonly changed: ReadonlySet<string | undefined>;
  /** Where scripts first read each. */
  readonly readAt: ReadonlyMap<string, Node>;
}

export function attributeUsesOf({ definition, scripts }: GameContext): AttributeUses {
  const { unitTypes, itemTypes, playerTypes, factions, abilities, shops } = definition;
  const declared = new Map<string, AttributeDefinition[]>();
  for (const types of [unitTypes, itemTypes, projectileTypesOf(definition), playerTypes, factions])
    for (const { attributes } of types.values()) for (const [key, each] of attributes) listIn(declared, key).push(each);
  const changedByScripts = new Set<string | undefined>();
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

  const changed = new Set<string | undefined>(changedByScripts);
  const add = (...amounts: (ReadonlyMap<string, unknown> | undefined)[]): void => {
    for (const each of amounts) for (const key of each?.keys() ?? []) changed.add(key);
  };
  type Spent = {
    readonly unitAttributes: ReadonlyMap<string, unknown>;
    readonly playerAttributes: ReadonlyMap<string, unknown>;
  };
  const spend = (spent: Spent | undefined): void => add(spent?.unitAttributes, spent?.playerAttributes);
  for (const [key, all] of declared) if (all.some(({ regenerateSpeed }) => regenerateSpeed !== 0)) changed.add(key);
  for (const { damage, bonus, cost, price } of itemTypes.values()) {
    spend(damage);
    for (const each of [bonus?.consume, bonus?.passive]) add(each?.unitAttribute, each?.playerAttribute);
    spend(cost);
    add(price?.playerAttributes);
  }
  for (const { cost } of abilities.values()) spend(cost);
  for (const { controls, legacyAbilities, price } of unitTypes.values()) {
    add(price?.playerAttributes);
    for (const { cost } of controls?.unitAbilities.values() ?? []) spend(cost);
    for (const bindings of [controls?.abilities, legacyAbilities])
      for (const { keyDown, keyUp } of bindings?.values() ?? [])
        for (const binding of [keyDown, keyUp]) if (binding?.kind === 'script') spend(binding.cost);
  }
  for (const { itemTypes: items, unitTypes: units } of shops.values())
    for (const { price } of [...items.values(), ...units.values()]) add(price.playerAttributes);
  return { declared, changedByScripts, movedByScripts, changed, readAt };
}
