import type { typeOf } from '../../../engine/internal.ts';

type Type = NonNullable<ReturnType<typeof typeOf>>;
type AttributeDefinition = Type['attributes']['definitions'][number];

/** An attribute or a variable of a type that goes to clients. */
export interface SentAttribute {
  readonly key: string;
  /** Row after the first row of the entity's attributes. */
  readonly offset: number;
  /** Only its owner gets it. */
  readonly own: boolean;
}
export interface SentVariable {
  readonly name: string;
  readonly slot: number;
}

/** The attributes of a type that clients get, each with what `more` says of it. Everybody gets the score. */
export function sentAttributes<T extends object>(
  { attributes: { keys, definitions } }: Type,
  score: string | undefined,
  more: (definition: AttributeDefinition) => T,
): (SentAttribute & T)[] {
  return keys.flatMap((key, offset) => {
    const definition = definitions[offset]!;
    const audience = key === score ? 'everybody' : audienceOf(definition.streamMode);
    return audience === 'nobody' ? [] : [{ key, offset, own: audience === 'owner', ...more(definition) }];
  });
}

/** The variables of a type that clients get; `byDefault`: also those that do not say so. */
export function sentVariables({ variables: { names, definitions } }: Type, byDefault: boolean): SentVariable[] {
  return names.flatMap((name, slot) => {
    const { streamMode } = definitions[slot]!;
    const isSent = streamMode === undefined ? byDefault : audienceOf(streamMode) === 'everybody';
    return isSent ? [{ name, slot }] : [];
  });
}

/** Which clients get an attribute or a variable (reference: variables#stream-mode). */
function audienceOf(streamMode: number | undefined): 'everybody' | 'owner' | 'nobody' {
  if (streamMode === undefined || streamMode === 1 || streamMode === 4) return 'everybody';
  return streamMode === 3 ? 'owner' : 'nobody';
}
