import { literalText, type Node } from '../../engine/index.ts';
import type { AttributeDefinition } from '../../engine/tools.ts';
import { readOf } from '../model/index.ts';
import type { GameContext } from './context.ts';
import { listIn } from './nodes.ts';

/** What becomes of attributes, by key; undefined stands for a computed key. */
interface AttributeUses {
  /** All declarations of each. */
  readonly declared: ReadonlyMap<string, readonly AttributeDefinition[]>;
  readonly changedByScripts: ReadonlySet<string | undefined>;
  /** Those whose bounds scripts set. */
  readonly movedByScripts: ReadonlySet<string | undefined>;
  /** Those that change without a script, too. */
  readonly changed: ReadonlySet<string | undefined>;
  /** Where scripts first read each. */
  readonly readAt: ReadonlyMap<string, Node>;
}

/** The attributes that types declare. */
export function attributesOfTypes({ definition, entityTypes }: GameContext): readonly AttributeDefinition[] {
  const { playerTypes, factions } = definition;
  const types = [...entityTypes, ...playerTypes.values(), ...factions.values()];
  return types.flatMap(({ attributes }) => [...attributes.values()]);
}

export function attributeUsesOf({ scripts, changes, model, once }: GameContext): AttributeUses {
  const declared = new Map<string, AttributeDefinition[]>();
  for (const each of once(attributesOfTypes)) listIn(declared, each.key).push(each);
  const changedByScripts = new Set<string | undefined>();
  const movedByScripts = new Set<string | undefined>();
  for (const kind of ['attribute', 'attributeMin', 'attributeMax', 'attributeRate', 'buffs'] as const) {
    for (const { aspect, key, isWhole } of changes(kind)) {
      // Saved values and resets are of attributes that something else changes.
      if (isWhole && aspect === 'attribute') continue;
      changedByScripts.add(key);
      if (aspect === 'attributeMin' || aspect === 'attributeMax') movedByScripts.add(key);
    }
  }
  const readAt = new Map<string, Node>();
  for (const { calls } of scripts) {
    for (const node of calls) {
      const { key: parameter } = readOf(node, 'attribute') ?? {};
      if (parameter === undefined) continue;
      const operand = node.operand(parameter);
      const key = literalText(operand);
      if (key !== undefined && !readAt.has(key)) readAt.set(key, operand);
    }
  }
  const changed = new Set([...changedByScripts, ...model.attributeRules.map(({ key }) => key)]);
  return { declared, changedByScripts, movedByScripts, changed, readAt };
}
