import type { typeOf } from '../../../../engine/tools.ts';

type Type = NonNullable<ReturnType<typeof typeOf>>;
type AttributeDefinition = Type['attributes']['definitions'][number];

/** An attribute of a type that is sent to clients. */
export interface SentAttribute {
  readonly key: string;
  /** The row of the attribute, relative to the first row of the entity's attributes. */
  readonly offset: number;
  /** Whether only the owner's client receives the attribute. */
  readonly own: boolean;
}
/** A variable of a type that is sent to clients. */
export interface SentVariable {
  readonly name: string;
  readonly slot: number;
}

/**
 * The attributes of a type that clients receive, each extended with `more(definition)`. The score is sent to everybody.
 */
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

/**
 * The variables of a type that clients receive. `byDefault` decides whether those without a `streamMode` are included.
 */
export function sentVariables({ variables: { names, definitions } }: Type, byDefault: boolean): SentVariable[] {
  return names.flatMap((name, slot) => {
    const { streamMode } = definitions[slot]!;
    const isSent = streamMode === undefined ? byDefault : audienceOf(streamMode) === 'everybody';
    return isSent ? [{ name, slot }] : [];
  });
}

/** Which clients receive an attribute or a variable (reference: variables#stream-mode). */
export function audienceOf(streamMode: number | undefined): 'everybody' | 'owner' | 'nobody' {
  if (streamMode === undefined || streamMode === 1 || streamMode === 4) return 'everybody';
  return streamMode === 3 ? 'owner' : 'nobody';
}
