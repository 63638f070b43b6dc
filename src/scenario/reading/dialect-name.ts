import { type DialectName, dialectNamed } from '../../../engine/index.ts';
import { type Schema, validate } from '../../schema/index.ts';

/** The name of a dialect, optionally with exceptions. */
export const dialectName = (description: string): Schema<DialectName> => ({
  type: 'string',
  examples: ['standard', 'moddio', 'moddio except lastKeyWins'],
  description,
  [validate]: problemOf,
});

function problemOf(name: unknown): string | undefined {
  try {
    dialectNamed(name);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
