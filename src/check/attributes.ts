import { literalText, type Node } from '../../engine/index.ts';
import type { AttributeDefinition } from '../../engine/tools.ts';
import { readOf } from '../model/index.ts';
import type { GameContext } from './context.ts';
import { listIn } from './nodes.ts';

/** How the game uses attributes, by key. An undefined key stands for a computed one. */
interface AttributeUses {
  /** All declarations of each attribute. */
  readonly declared: ReadonlyMap<string, readonly AttributeDefinition[]>;
  readonly changedByScripts: ReadonlySet<string | undefined>;
  /** The attributes whose bounds scripts set. */
  readonly movedByScripts: ReadonlySet<string | undefined>;
  /** The attributes that scripts or built-in rules change. */
  readonly changed: ReadonlySet<string | undefined>;
  /** The operand at which scripts first read each attribute. */
  readonly readAt: ReadonlyMap<string, Node>;
}

/** The attributes that all types declare. */
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
      // Restoring saved values and resetting do not count: the value must have been changed by something else before.
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
