import {
  boolean,
  convert,
  defaulted,
  entry,
  type Infer,
  integer,
  type Json,
  json,
  loose,
  make,
  map,
  number,
  object,
  type ReadLocation,
  ruleOf,
  type SchemaRule,
  string,
} from './schema.ts';

const rectangle = object({
  x: defaulted(number, 0),
  y: defaulted(number, 0),
  width: defaulted(number, 0),
  height: defaulted(number, 0),
  z: number,
  depth: number,
  inside: string,
  key: string,
  ...loose('alpha', 'create', 'outside', 'videoChatEnabled'),
});
const point = object({ x: defaulted(number, 0), y: defaulted(number, 0), z: number, ...loose('key') });

type NumberRule = Extract<SchemaRule, { kind: 'number' }>;
/** Where a text is kept as it is, a variable of numbers starts with the text (`textDefault`). */
const startingNumber = make<number>(number, { ...(number[ruleOf] as NumberRule), isTextKept: true });

/** Specification, Variable; reference: variables#data-types. */
const declared = entry('Variable', 'A variable: its type and its starting value.', {
  /** `number`, `string`, `boolean`, `position`, `region`, `unit`, `player`, `itemTypeGroup` ...; the set is open. */
  dataType: defaulted(string, ''),
  /** Frozen. A number, string or boolean, `{x, y}`, `{x, y, width, height}`, a key, or any JSON, as `dataType` says. */
  default: json,
  streamMode: integer,
  defaultKey: string,
  deleteKey: string,
});

/** Its `key` is the name under which it is declared. */
export interface VariableDefinition extends Infer<typeof declared> {
  /** False when there is no default or it is `null` (or unusable); a default of `""` counts for strings only. */
  readonly hasDefault: boolean;
  /** The default as it was written, where that is a text and the variable a number; else undefined. */
  readonly textDefault: string | undefined;
}

const variable = convert(declared, (value, place): VariableDefinition => {
  const initial = value.default === undefined ? undefined : defaultOf(value.dataType, value.default, place);
  const isText = value.dataType === 'number' && typeof value.default === 'string' && initial !== undefined;
  const textDefault = isText ? (value.default as string) : undefined;
  return Object.freeze({ ...value, default: initial, hasDefault: initial !== undefined, textDefault });
});

export const variables = map(variable, { arrays: true });

function defaultOf(dataType: string, initial: Json, place: ReadLocation): Json {
  switch (dataType) {
    case 'number':
      return place.read(startingNumber, initial, 'default');
    case 'boolean':
      // A flag may be written as a number, the value of a variable is of its type (reference: variables#defaults).
      if (typeof initial !== 'number') return place.read(boolean, initial, 'default');
      place.wrongType('true or false', initial, 'default');
      return undefined;
    case 'string':
      return place.read(string, initial, 'default');
    case 'position':
      return withoutAbsent(place.read(point, initial, 'default'));
    case 'region':
      return withoutAbsent(place.read(rectangle, initial, 'default'));
    default:
      return initial === '' ? undefined : initial;
  }
}

/** Scripts count and walk the members of a value: those that were not given must not be there. */
function withoutAbsent(value: Record<string, unknown> | undefined): Json {
  if (value === undefined) return undefined;
  return Object.freeze(Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)));
}
