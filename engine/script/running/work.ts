import type { ScriptContext } from './context.ts';

/**
 * Charges the budget of the tick for functions that work on long strings or many entities: such a call counts as
 * several actions, roughly in proportion to its time. The budget is counted in actions rather than time, so that it
 * runs out at the same point on every machine.
 */

const charactersPerAction = 128;
const jsonCharactersPerAction = 16;
const entitiesPerAction = 8;

/** Charges for scanning or building a string of this length (UTF-16 code units). */
export function countCharacters({ runtime }: ScriptContext, length: number): void {
  if (length >= charactersPerAction) runtime.charge(Math.floor(length / charactersPerAction));
}

/** Charges for parsing or printing a JSON text of this length (UTF-16 code units). */
export function countJson({ runtime }: ScriptContext, length: number): void {
  if (length >= jsonCharactersPerAction) runtime.charge(Math.floor(length / jsonCharactersPerAction));
}

/** Charges one action per compared member of an object, so that many small objects count, too. */
export function countMembers({ runtime }: ScriptContext, count: number): void {
  runtime.charge(count);
}

/** Charges for visiting entities. */
export function countEntities({ runtime }: ScriptContext, count: number): void {
  if (count >= entitiesPerAction) runtime.charge(Math.floor(count / entitiesPerAction));
}
