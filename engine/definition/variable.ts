import { type Written, withWritten } from './reference-reading.ts';
import {
  boolean,
  convert,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  integer,
  type Json,
  json,
  makeSchema,
  map,
  notNegative,
  number,
  object,
  type ReadLocation,
  ruleOf,
  type SchemaRule,
  string,
  stringOrNumber,
} from './schema.ts';
import { coordinates } from './shared-fields.ts';

const rectangle = object({
  ...coordinates,
  width: ['The width.', defaulted(notNegative, 0)],
  height: ['The height.', defaulted(notNegative, 0)],
  z: ['The height.', number],
  depth: ['The drawing depth; larger numbers are drawn in front.', number],
  inside: ['The colour with which clients fill the region.', string],
  key: ['The id of the entry, the same as its key.', string],
  ...ignoredFields({
    alpha: 'The opacity, from 0 (invisible) to 1 (opaque).',
    create: 'Used by the editor only.',
    outside: 'The colour of the outline of the region.',
    videoChatEnabled: 'Whether players in the region share video chat.',
  }),
});
const point = object({
  ...coordinates,
  z: ['The height.', number],
  ...ignoredFields({ key: 'The id of the entry, the same as its key.' }),
});

type NumberRule = Extract<SchemaRule, { kind: 'number' }>;
/**
 * A number. A numeric string is not a mere legacy spelling, because in some dialects the variable starts as the string
 * (`writtenDefault`).
 */
const startingNumber = makeSchema<number>(number, { ...(number[ruleOf] as NumberRule), isTextKept: true });

/** A variable (specification, Variable; reference: variables#data-types). */
const declared = entry('Variable', 'A variable, with its type and initial value.', {
  /**
   * `number`, `string`, `boolean`, `position`, `region`, `unit`, `player`, `itemTypeGroup` and others; unknown ones are
   * allowed.
   */
  dataType: ['The type of the value.', defaulted(string, '')],
  /**
   * Depending on `dataType`: a number, string or boolean, `{x, y}`, `{x, y, width, height}`, a key, or any JSON. The
   * value is frozen.
   */
  default: ['The initial value.', json],
  streamMode: ['Whether clients receive the value: 1 and 4 mean yes.', integer],
  defaultKey: ['Used by the editor only.', string],
  deleteKey: ['Used by the editor only.', string],
});

/** A variable. Its `key` is its name. */
export interface VariableDefinition extends Infer<typeof declared>, Written {
  /**
   * False if the variable has no default, or if the default is `null` or invalid. `""` is a default only for strings.
   */
  readonly hasDefault: boolean;
  /**
   * The default as the document gives it, if a number or boolean is given as a string, or a string as a number;
   * otherwise undefined.
   */
  readonly writtenDefault: string | number | undefined;
}

const variable = convert(declared, (value, place, raw): VariableDefinition => {
  const initial = value.default === undefined ? undefined : defaultOf(value.dataType, value.default, place);
  const isConverted = initial !== undefined && typeof initial !== typeof value.default;
  const writtenDefault = isConverted ? (value.default as string | number) : undefined;
  return withWritten({ ...value, default: initial, hasDefault: initial !== undefined, writtenDefault }, raw);
});

export const variables = map(variable, { arrays: true });

function defaultOf(dataType: string, initial: Json, place: ReadLocation): Json {
  switch (dataType) {
    case 'number':
      return place.read(startingNumber, initial, 'default');
    case 'boolean':
      // A number is not a valid default of a boolean variable, although flags accept numbers (reference:
      // variables#defaults).
      if (typeof initial !== 'number') return place.read(boolean, initial, 'default');
      place.wrongType('true or false', initial, 'default');
      return undefined;
    case 'string':
      return place.read(stringOrNumber, initial, 'default');
    case 'position':
      return withoutAbsent(place.read(point, initial, 'default'));
    case 'region':
      return withoutAbsent(place.read(rectangle, initial, 'default'));
    default:
      return initial === '' ? undefined : initial;
  }
}

/** Removes members that are undefined, because scripts can count and iterate the members of a value. */
function withoutAbsent(value: Record<string, unknown> | undefined): Json {
  if (value === undefined) return undefined;
  return Object.freeze(Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)));
}

/** Data types that the engines or editors have (reference: variables#data-types). */
export const dataTypes: ReadonlySet<string> = new Set(
  'number string boolean position region object array color time any unit item projectile player debris sensor entity attribute script particleEmitter unitType itemType projectileType playerType attributeType particleType entityType variableType animationType bodyType state animation sound music shop dialogue unitGroup itemGroup projectileGroup playerGroup entityGroup regionGroup debrisGroup unitTypeGroup itemTypeGroup projectileTypeGroup playerTypeGroup particle ability buff quest video image body key model timer stringGroup'.split(
    ' ',
  ),
);
