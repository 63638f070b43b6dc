import type { Dictionary } from '../../engine/core/index.ts';

/**
 * JSON Schemas (draft 2020-12) as plain objects that carry the TypeScript type of the values that they accept. They are
 * used for scenarios, calls of tools, settings, and the bodies of requests. Not to be confused with
 * `engine/definition/schema.ts`, whose reader tolerates and converts older spellings: these values must be written
 * exactly as the schema says.
 */

declare const accepted: unique symbol;

/**
 * A function under this key validates a value of the right type: it returns an error message, or undefined if the value
 * is valid.
 */
export const validate: unique symbol = Symbol('wrong with');

export type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

export interface Schema<T = unknown> extends Notes {
  readonly [validate]?: (value: unknown) => string | undefined;
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly enum?: readonly string[];
  readonly examples?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Dictionary<Schema>;
  readonly additionalProperties?: false | Schema;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  /** This member is never set. It exists only to carry the type. */
  readonly [accepted]?: T;
}
export type Infer<S extends Schema> = S extends Schema<infer T> ? T : never;

/** Members that every schema may have. Symbol keys are for our own use; they are not part of the published JSON. */
interface Notes {
  readonly description?: string;
  readonly [note: symbol]: unknown;
}

/** An optional key of an object. */
interface Optional<T = unknown> {
  readonly optional: Schema<T>;
}
export type Fields = Dictionary<Schema | Optional>;
type ObjectOf<F extends Fields> = {
  [K in keyof F as F[K] extends Optional ? never : K]: F[K] extends Schema<infer T> ? T : never;
} & { [K in keyof F as F[K] extends Optional ? K : never]?: F[K] extends Optional<infer T> ? T : never };

export interface ObjectSchema<T = unknown> extends Schema<T> {
  readonly properties: Dictionary<Schema>;
}

export const optional = <T>(schema: Schema<T>): Optional<T> => ({ optional: schema });

export const anything = (notes: Notes = {}): Schema<unknown> => notes;
export const string = (notes: Notes & Pick<Schema, 'minLength' | 'maxLength'> = {}): Schema<string> => ({
  type: 'string',
  ...notes,
});
interface Bounds extends Notes {
  readonly minimum?: number;
  readonly maximum?: number;
}
export const number = (notes: Bounds = {}): Schema<number> => ({ type: 'number', ...notes });
export const integer = (notes: Bounds = {}): Schema<number> => ({ type: 'integer', ...notes });
export const boolean = (notes: Notes = {}): Schema<boolean> => ({ type: 'boolean', ...notes });
export const words = <const W extends string>(options: readonly W[], notes: Notes = {}): Schema<W> => ({
  type: 'string',
  enum: options,
  ...notes,
});

export const array = <T>(items: Schema<T>, notes: Notes & Pick<Schema, 'minItems' | 'maxItems'> = {}): Schema<T[]> => ({
  type: 'array',
  items,
  ...notes,
});
export const pair = <T>(items: Schema<T>, notes: Notes = {}): Schema<[T, T]> => ({
  type: 'array',
  items,
  minItems: 2,
  maxItems: 2,
  ...notes,
});

/** An object with arbitrary keys. */
export const record = <T>(
  values: Schema<T>,
  notes: Notes & Pick<Schema, 'propertyNames' | 'maxProperties'> = {},
): Schema<Record<string, T>> => ({
  type: 'object',
  additionalProperties: values,
  ...notes,
});

/** An object with exactly these keys. */
export function object<const F extends Fields>(fields: F, notes: Notes = {}): ObjectSchema<ObjectOf<F>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(entries.map(([name, field]) => [name, isOptional(field) ? field.optional : field])),
    additionalProperties: false,
    ...notes,
  };
}

function isOptional(field: Schema | Optional): field is Optional {
  return 'optional' in field;
}

export const anyOf = <const S extends readonly Schema[]>(
  alternatives: S,
  notes: Notes = {},
): Schema<Infer<S[number]>> => ({
  anyOf: alternatives,
  ...notes,
});
