import type { Definition, ScriptNode } from '../../engine/index.ts';
import { type AttributeDefinition, type CompiledScript, typesByKind } from '../../engine/tools.ts';
import { firesFor } from '../model/index.ts';

/**
 * Triggers for an attribute of any entity that reaches a bound. Those for the script's own entity start with `entity`.
 */
export const attributeTrigger = /^(unit|item|projectile|player|entity)Attribute(BecomesZero|BecomesFull)$/;

/** The types whose attributes fire an attribute trigger for a script. `of`: the first word of the trigger. */
export function attributeOwners(
  definition: Definition,
  owner: ScriptNode['owner'],
  of: string,
): readonly { readonly attributes: ReadonlyMap<string, AttributeDefinition> }[] {
  const all = typesByKind(definition);
  if (of !== 'entity') return [...all[of as keyof typeof all].values()];
  return owner.kind === 'game' ? [] : [[...all[owner.kind].values()][owner.type]!];
}

/** How messages name the scripts of an owner. */
export const kindNames = {
  game: 'a global script',
  unit: 'a script of a unit type',
  item: 'a script of an item type',
  projectile: 'a script of a projectile type',
} as const;

/** Whether a script has triggers, none of which ever fires for its kind of script. */
export function isDeaf({ triggers: listed, triggerTable, owner }: CompiledScript): boolean {
  return listed.length > 0 && !listed.some((trigger) => firesFor(triggerTable, trigger, owner));
}

/** Whether a script has a trigger that only clients fire, so that it is meant for clients. */
export function isForClients(script: CompiledScript): boolean {
  return script.triggers.some(
    (trigger) => script.triggerTable.rows[script.triggerTable.types[trigger]!].delivery === 'never',
  );
}
