/**
 * Each kind of part of a definition has one schema. The schema describes both the form of the part in documents (as
 * JSON Schema) and the normal form that the engine uses (as a static type). A rule tells the reader how to convert the
 * first form to the second. Rules are stored under a symbol, so that they do not appear in the published schema.
 *
 * Schemas are plain objects because they are built at every start: a schema library would add several milliseconds.
 */

import type { IssueDetails } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-codes.ts';
import { type Dictionary, defined } from '../core/plain-object.ts';

/** Any JSON value. */
export type Json = unknown;

export const ruleOf: unique symbol = Symbol('rule');
export const nameOf: unique symbol = Symbol('name');

/** A JSON Schema of a value in a document. */
type JsonSchema = object;

declare const normalForm: unique symbol;
export type Schema<T> = JsonSchema & {
  readonly [ruleOf]: SchemaRule;
  readonly [nameOf]?: string;
  /** This member does not exist at run time. It only tells the compiler the type `T` of the normal form. */
  readonly [normalForm]: T;
};
export type Infer<S extends Schema<unknown>> = S[typeof normalForm];

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** The operations that a conversion can perform at the position of its value. */
export interface ReadLocation {
  /** The last key of the path. */
  readonly key: string;
  /** The RFC 6901 pointer of the value, or of the member or element `below` it. */
  pointer(...below: (string | number)[]): string;
  /** Reads a value `below` this one with another schema. */
  read<T>(schema: Schema<T>, raw: Json, ...below: (string | number)[]): T | undefined;
  wrongType(expected: string, raw: Json, ...below: (string | number)[]): void;
  report(code: IssueCode, message: string, details: IssueDetails, ...below: (string | number)[]): void;
}

export type Convert = (value: never, place: ReadLocation, raw: Json) => unknown;

export type SchemaRule = RuleOfKind & {
  /** Returns the value as the reference interprets it; undefined if that does not differ (`reference-reading.ts`). */
  readonly inReference?: (raw: Json) => unknown;
};

type RuleOfKind =
  | {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly min: number;
      readonly max: number;
      readonly expected: string;
      /**
       * Whether a finite number outside the range is reported but kept, because engines use such a number although no
       * author can intend it.
       */
      readonly isKept?: boolean;
      /**
       * Whether a numeric string has another meaning than the number, so that such a string is not reported as a legacy
       * spelling.
       */
      readonly isTextKept?: boolean;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'string' }
  /** The key of another part of the definition. "" means no reference; if `none` is set, so does the word "none". */
  | { readonly kind: 'key'; readonly none: boolean }
  /** One of a set of words. Other words are a warning if the set is open, otherwise an error. */
  | { readonly kind: 'enum'; readonly words: ReadonlySet<string>; readonly open: boolean; readonly expected: string }
  /**
   * JSON that is kept by reference, neither copied nor frozen. For scripts, which can be megabytes and are read once,
   * by the compiler.
   */
  | { readonly kind: 'raw'; readonly only: readonly JsonType[] }
  /** JSON that is copied and deeply frozen. */
  | { readonly kind: 'json' }
  | {
      readonly kind: 'object';
      /** The fields that are read from each key of the document. One key can feed several fields. */
      readonly byKey: ReadonlyMap<string, readonly FieldRule[]>;
      readonly required: readonly string[];
      /** A normal form with all fields absent. Copying it gives all objects one hidden class. */
      readonly template: Dictionary;
      /** Whether the normal form has its own `key` and `pointer`. */
      readonly located: boolean;
    }
  | { readonly kind: 'array'; readonly of: SchemaRule }
  | {
      readonly kind: 'map';
      readonly of: SchemaRule;
      readonly arrays: boolean;
      readonly accepts: ((raw: Json) => boolean) | undefined;
      readonly renamed: ReadonlyMap<string, string> | undefined;
    }
  /** Replaces any value by this one. */
  | { readonly kind: 'constant'; readonly value: unknown }
  /** Chooses a rule by the JSON type of the value. */
  | {
      readonly kind: 'shapes';
      readonly byJsonType: { readonly [T in JsonType]?: SchemaRule };
      readonly expected: string;
    }
  | { readonly kind: 'convert'; readonly of: SchemaRule; readonly convert: Convert };

export interface FieldRule {
  readonly name: string;
  readonly of: SchemaRule;
  /** The keys of which this key is a legacy spelling. They take precedence if they have a value. */
  readonly after: readonly string[];
}

/** A field of an object with options. `T` is the type of the field in the normal form. */
export interface Field<T> {
  readonly schema: Schema<unknown>;
  readonly options: FieldOptions<T>;
  readonly fallback: T;
  readonly required: boolean;
}

/**
 * A sentence for authors that describes the field, and its schema. The sentence is data because editors and the
 * published schema show it.
 */
type Described<S> = readonly [about: string, schema: S];
type Fields = Dictionary<Described<Schema<unknown> | Field<unknown>>>;
type FieldValue<D> =
  D extends Described<infer F>
    ? F extends Field<infer T>
      ? T
      : F extends Schema<infer T>
        ? T | undefined
        : never
    : never;
type ObjectOf<F extends Fields> = { readonly [K in keyof F]: FieldValue<F[K]> };

/** Members that every entry of a keyed collection has. */
export interface Located {
  /** The key of the entry in the collection, with legacy spellings resolved. */
  readonly key: string;
  /** RFC 6901 pointer into the original document. */
  readonly pointer: string;
}

interface FieldOptions<T> {
  /** Key in the document, if it differs from the name in the normal form. */
  readonly from?: string;
  /**
   * Legacy keys, tried in order if the key is absent. A legacy key whose value has another form has its own description
   * and schema.
   */
  readonly legacyKeys?: Dictionary<Described<Schema<T>>> | readonly string[];
}

/**
 * A copy of `schema` that is read by `rule`. Keeps the name of a named schema, because both look the same when
 * published.
 */
export function makeSchema<T>(schema: JsonSchema, rule: SchemaRule): Schema<T> {
  const made = { ...schema };
  Object.defineProperty(made, ruleOf, { value: rule });
  const name = (schema as Partial<Schema<T>>)[nameOf];
  if (name !== undefined) Object.defineProperty(made, nameOf, { value: name });
  return made as Schema<T>;
}

/** A field that is `undefined` if absent, with options. */
export function field<T>(schema: Schema<T>, options: FieldOptions<T>): Field<T | undefined> {
  return { schema, options, fallback: undefined, required: false };
}

/** A field with a default, used if it is absent or invalid. */
export function defaulted<T>(schema: Schema<T>, fallback: NoInfer<T>, options: FieldOptions<T> = {}): Field<T> {
  return { schema, options, fallback, required: false };
}

/** A field whose absence is an error. The field then has the value `fallback`. */
export function required<T>(schema: Schema<T>, fallback: NoInfer<T>, options: FieldOptions<T> = {}): Field<T> {
  return { schema, options, fallback, required: true };
}

/** Gives a schema a description, and a name under which it is published once and shared. */
export function named<T>(name: string, description: string, schema: Schema<T>): Schema<T> {
  const made = { ...schema, description };
  Object.defineProperty(made, ruleOf, { value: schema[ruleOf] });
  Object.defineProperty(made, nameOf, { value: name });
  return made;
}

const text: JsonSchema = { type: 'string' };
const nullOnly: JsonSchema = { type: 'null' };

export function anyOf(alternatives: readonly JsonSchema[]): JsonSchema {
  return { anyOf: alternatives };
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** The values `null` and "", which count as absent except where a string is expected. */
const nothing = named(
  'absent',
  'null and the empty string count as absent.',
  makeSchema<undefined>(anyOf([nullOnly, { type: 'string', const: '' }]), { kind: 'raw', only: [] }),
);

const numericText = '^\\s*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?\\s*$';
const integerText = '^\\s*[+-]?[0-9]+(\\.0*)?\\s*$';

interface NumberOptions {
  readonly min?: number;
  readonly max?: number;
}

function numeric(name: string, description: string, integer: boolean, options: NumberOptions): Schema<number> {
  const min = options.min ?? -Infinity;
  const max = options.max ?? Infinity;
  const bounds = defined({ minimum: options.min, maximum: options.max });
  const one = integer ? 'an integer' : 'a number';
  const expected =
    options.min === undefined && options.max === undefined
      ? one
      : `${one} ${options.max === undefined ? `from ${min}` : options.min === undefined ? `up to ${max}` : `in ${min}..${max}`}`;
  const literal = integer ? { type: 'integer', ...bounds } : { type: 'number', ...bounds };
  const schema = makeSchema<number>(
    anyOf([literal, { type: 'string', pattern: integer ? integerText : numericText }, nothing]),
    {
      kind: 'number',
      integer,
      min,
      max,
      expected,
    },
  );
  return options.min === undefined && options.max === undefined ? named(name, description, schema) : schema;
}

/** A finite number. Numeric strings are converted; `null` and `""` count as absent. */
export const number = numeric('number', 'A number or a numeric string; null and "" count as absent.', false, {});
export const integer = numeric('integer', 'An integer or a numeric string; null and "" count as absent.', true, {});
export function numberIn(options: NumberOptions): Schema<number> {
  return numeric('number', '', false, options);
}
export function integerIn(options: NumberOptions): Schema<number> {
  return numeric('integer', '', true, options);
}

/**
 * A number that makes sense only within a range. A number outside the range is reported but kept, because engines use
 * it. The published schema accepts every number.
 */
function meant(of: Schema<number>, expected: string, min: number, max = Infinity): Schema<number> {
  return makeSchema<number>(of, { ...of[ruleOf], min, max, expected, isKept: true } as SchemaRule);
}

export const notNegative = meant(number, '0 or more', 0);
export const positive = meant(number, 'more than 0', Number.MIN_VALUE);
export const share = meant(number, '0 to 1', 0, 1);
export const wholeNotNegative = meant(integer, '0 or more', 0);
export const wholePositive = meant(integer, '1 or more', 1);
/** Ticks per second. No engine runs at more than 240. */
export const tickRate = meant(number, '1 to 240', 1, 240);

export const boolean = named(
  'boolean',
  'true or false, which can also be written as a string, or as 1 or 0; null and "" count as absent.',
  makeSchema<boolean>(
    { type: ['boolean', 'integer', 'string', 'null'], minimum: 0, maximum: 1, pattern: '^(true|false|0|1)?$' },
    { kind: 'boolean' },
  ),
);

export const string = named(
  'string',
  'A string; null counts as absent.',
  makeSchema<string>(anyOf([text, nullOnly]), { kind: 'string' }),
);

/** The key of something else in the definition. `""` means none. */
export const key = named(
  'key',
  'The key of something else in the definition; null and "" mean none.',
  makeSchema<string>(anyOf([text, nullOnly]), { kind: 'key', none: false }),
);

/** Like `key`, but the word `none` also means none. */
export const keyOrNone = named(
  'keyOrNone',
  'The key of something else in the definition; null, "" and "none" mean none.',
  makeSchema<string>(anyOf([text, nullOnly]), { kind: 'key', none: true }),
);

/**
 * One of the words that the specification shows. Because the specification's list may be incomplete, another word is
 * only a warning; such a word counts as absent.
 */
export function openEnum<const W extends string>(words: readonly W[]): Schema<W> {
  return enumOf(words, true, [text, nullOnly]);
}

/** One of a closed set of words. Another word is an error and counts as absent. */
export function closedEnum<const W extends string>(words: readonly W[]): Schema<W> {
  return enumOf(words, false, [nothing]);
}

function enumOf<W extends string>(words: readonly W[], open: boolean, others: Parameters<typeof anyOf>[0]): Schema<W> {
  return makeSchema<W>(anyOf([{ enum: [...words] }, ...others]), {
    kind: 'enum',
    words: new Set<string>(words),
    open,
    expected: `one of ${words.map((each) => `"${each}"`).join(', ')}`,
  });
}

/** JSON that is kept by reference, neither copied nor frozen. */
export const raw = makeSchema<Json>({}, { kind: 'raw', only: [] });
export const rawArray = makeSchema<readonly Json[]>(anyOf([arrayOf({}), nothing]), {
  kind: 'raw',
  only: ['array'],
});

export const rawObject = makeSchema<Dictionary<Json>>(anyOf([{ type: 'object', properties: {} }, nothing]), {
  kind: 'raw',
  only: ['object'],
});
/** An object or an array, usually empty. */
export const rawCollection = makeSchema<Json>(anyOf([{ type: 'object', properties: {} }, arrayOf({}), nothing]), {
  kind: 'raw',
  only: ['object', 'array'],
});

/** JSON that may be passed to scripts: a frozen copy. */
export const json = makeSchema<Json>({}, { kind: 'json' });

/**
 * Fields that occur in games but that no engine reads, or that only affect looks. Listing them prevents reports of
 * unknown fields. Their values are kept as they are.
 */
export function ignoredFields<K extends string>(
  abouts: Readonly<Record<K, string>>,
): { readonly [P in K]: Described<Schema<Json>> } {
  const fields: Record<string, Described<Schema<Json>>> = {};
  for (const name in abouts) fields[name] = [abouts[name], raw];
  return fields as { readonly [P in K]: Described<Schema<Json>> };
}

function objectRule(fields: Fields, located: boolean): { schema: JsonSchema; rule: SchemaRule } {
  const byKey = new Map<string, FieldRule[]>();
  const properties: Record<string, Described<JsonSchema>> = {};
  const needed: string[] = [];
  const fallbacks: [string, unknown][] = [];
  const listen = (key: string, described: Described<Schema<unknown>>, name: string, after: readonly string[]) => {
    properties[key] ??= described;
    const rule = { name, of: described[1][ruleOf], after };
    const others = byKey.get(key);
    if (others === undefined) byKey.set(key, [rule]);
    else others.push(rule);
  };
  if (located) {
    properties['key'] = ['The id of the entry, the same as its key.', text];
    byKey.set('key', []);
    fallbacks.push(['key', ''], ['pointer', '']);
  }
  for (const name of Object.keys(fields)) {
    const [about, given] = fields[name]!;
    const full: Field<unknown> = isField(given) ? given : field(given, {});
    const { from = name, legacyKeys = [] } = full.options;
    listen(from, [about, full.schema], name, []);
    const before = [from];
    const spellings = isNames(legacyKeys)
      ? legacyKeys.map((key) => [key, [`Older name of \`${from}\`.`, full.schema]] as const)
      : Object.entries(legacyKeys);
    for (const [legacyKey, described] of spellings) {
      listen(legacyKey, described, name, [...before]);
      before.push(legacyKey);
    }
    if (full.required) needed.push(from);
    fallbacks.push([name, Object.freeze(full.fallback)]);
  }
  const whole = { type: 'object', properties, ...(needed.length !== 0 && { required: needed }) };
  const schema = anyOf([whole, nothing]);
  return { schema, rule: { kind: 'object', byKey, required: needed, template: fastObject(fallbacks), located } };
}

function isNames(keys: Dictionary | readonly string[]): keys is readonly string[] {
  return Array.isArray(keys);
}

/**
 * Creates an object that V8 keeps in its fast form, whatever the number of properties. An object with many properties
 * that is built key by key becomes a hash table, and so do its copies: reading a document and accessing the result
 * would be several times slower.
 */
function fastObject(entries: readonly (readonly [string, unknown])[]): Dictionary {
  const made: Record<string, unknown> = JSON.parse(
    `{${entries.map(([name]) => `${JSON.stringify(name)}:null`).join(',')}}`,
  );
  for (const [name, value] of entries) made[name] = value;
  return made;
}

function isField(given: Schema<unknown> | Field<unknown>): given is Field<unknown> {
  return 'schema' in given && 'fallback' in given;
}

export function object<const F extends Fields>(fields: F): Schema<ObjectOf<F>> {
  const { schema, rule } = objectRule(fields, false);
  return makeSchema<ObjectOf<F>>(schema, rule);
}

/** An entry of a keyed collection. Its normal form includes its `key` and `pointer`. */
export function entry<const F extends Fields>(
  name: string,
  description: string,
  fields: F,
): Schema<ObjectOf<F> & Located> {
  const { schema, rule } = objectRule(fields, true);
  return named(name, description, makeSchema<ObjectOf<F> & Located>(schema, rule));
}

export function array<T>(of: Schema<T>): Schema<readonly T[]> {
  return makeSchema<readonly T[]>(anyOf([arrayOf(of), nothing]), { kind: 'array', of: of[ruleOf] });
}

interface MapOptions {
  /** Accepts an array as a map keyed by index. Documents have `[]` for empty collections. */
  readonly arrays?: boolean;
  /** Returns false for entries that another map reads; this map skips such entries without an issue. */
  readonly accepts?: (raw: Json) => boolean;
  /** Legacy spellings of certain keys. The current spelling wins if both occur. */
  readonly renamed?: Dictionary<string>;
  /** The published schema of an entry, if it differs from that of `of`. */
  readonly published?: JsonSchema;
}

/**
 * An object keyed by id. Keeps the order of the document (integer-like keys first, as in every JavaScript engine;
 * reference: scripts#trigger-index).
 */
export function map<T>(of: Schema<T>, options: MapOptions = {}): Schema<ReadonlyMap<string, T>> {
  const entries = options.published ?? of;
  const keyed = { type: 'object', additionalProperties: entries };
  const alternatives: JsonSchema[] = options.arrays ? [keyed, arrayOf(entries), nothing] : [keyed, nothing];
  return makeSchema<ReadonlyMap<string, T>>(anyOf(alternatives), {
    kind: 'map',
    of: of[ruleOf],
    arrays: options.arrays ?? false,
    accepts: options.accepts,
    renamed: options.renamed === undefined ? undefined : new Map(Object.entries(options.renamed)),
  });
}

/** Reads with `of`, then converts the normal form. */
export function convert<A, B>(of: Schema<A>, change: (value: A, place: ReadLocation, raw: Json) => B): Schema<B> {
  return makeSchema<B>(of, { kind: 'convert', of: of[ruleOf], convert: change as Convert });
}

type ShapesOf<T> = { readonly [J in JsonType]?: Schema<T> };

/** Alternative forms of one field, distinguished by their JSON type and converted to one normal form. */
export function shapes<T>(expected: string, alternatives: ShapesOf<T>): Schema<T> {
  const rules: { [J in JsonType]?: SchemaRule } = {};
  const schemas: JsonSchema[] = [];
  for (const type of Object.keys(alternatives) as JsonType[]) {
    const schema = alternatives[type]!;
    rules[type] = schema[ruleOf];
    schemas.push(schema);
  }
  return makeSchema<T>(anyOf([...schemas, nothing]), { kind: 'shapes', byJsonType: rules, expected });
}

/** A string; some documents write a number instead. */
export const stringOrNumber = shapes<string>('a string', { string, number: convert(number, String) });
