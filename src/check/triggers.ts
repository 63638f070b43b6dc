import type { CompiledScript } from '../../engine/tools.ts';
import { firesFor } from '../model/index.ts';

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

/** The names of a script's triggers, for messages. */
export function namesOf(script: CompiledScript): string {
  return script.triggers.map((trigger) => script.triggerTable.types[trigger]!).join(', ');
}
