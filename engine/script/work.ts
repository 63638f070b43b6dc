import type { ScriptContext } from './context.ts';

/**
 * The work of a function on long texts or many entities counts as several actions, about in proportion to its time. The budget of a tick is in
 * actions, so that running out is the same on every machine.
 */

const charactersPerAction = 128;
const jsonCharactersPerAction = 16;
const entitiesPerAction = 8;

/** A text was gone through or put together. */
export function countCharacters({ runtime }: ScriptContext, length: number): void {
  if (length >= charactersPerAction) runtime.charge(Math.floor(length / charactersPerAction));
}

/** JSON was read or written. */
export function countJson({ runtime }: ScriptContext, length: number): void {
  if (length >= jsonCharactersPerAction) runtime.charge(Math.floor(length / jsonCharactersPerAction));
}

/** So many members of an object were compared: an action for each, small as it is, so that many small objects count too. */
export function countMembers({ runtime }: ScriptContext, count: number): void {
  runtime.charge(count);
}

/** So many entities were looked at. */
export function countEntities({ runtime }: ScriptContext, count: number): void {
  if (count >= entitiesPerAction) runtime.charge(Math.floor(count / entitiesPerAction));
}
