import { type Play, script } from './play.ts';

type Json = Record<string, unknown>;

/** A variable to which scripts append words, in order. */
export const trailVariable: Json = { trail: { dataType: 'string', default: '' } };

export const variable = (name: string): Json => ({ function: 'getVariable', variableName: name });

/** An action that appends a word to the trail: a text, or an operand that returns one. */
export function note(word: unknown): Json {
  const spaced = { function: 'concat', textA: word, textB: ' ' };
  const value = { function: 'concat', textA: variable('trail'), textB: spaced };
  return { type: 'setVariable', variableName: 'trail', value };
}

/** A script that appends a word at each of these triggers. */
export function noting(word: unknown, ...triggers: string[]): Json {
  return script(triggers, [note(word)]);
}

/** The words appended by the scripts, in order. */
export function trailOf(play: Play): string {
  return String(play.variable('trail') ?? '').trim();
}

/** The id of the entity whose script runs: `u1`. */
export const ownId: Json = { function: 'getEntityId', entity: { function: 'thisEntity' } };

/** A word with the id of the entity whose script runs: `u1:word`. */
export function own(word: string): Json {
  return { function: 'concat', textA: ownId, textB: `:${word}` };
}
