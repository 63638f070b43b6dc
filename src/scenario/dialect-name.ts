import { type DialectName, dialectNamed } from '../../engine/index.ts';
import { type Schema, wrongWith } from './json-schema.ts';

/** The name of a dialect, with its exceptions if it has any. */
export const dialectName = (description: string): Schema<DialectName> => ({
  type: 'string',
  examples: ['standard', 'moddio', 'moddio except lastKeyWins'],
  description,
  [wrongWith]: problemOf,
});

function problemOf(name: unknown): string | undefined {
  try {
    dialectNamed(name);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
