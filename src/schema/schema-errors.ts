import { type Dictionary, isRecord } from '../../engine/core/index.ts';
import { closestWord } from '../text/index.ts';
import { type Schema, type SchemaType, validate } from './json-schema.ts';

export type Path = readonly (string | number)[];
/** Receives an error. Returns undefined, so that a function that checks a value can end with `return report(…)`. */
export type Report = (path: Path, message: string) => undefined;

interface SchemaError {
  readonly path: Path;
  /** The error message; or, if the value has the wrong form, the accepted forms and the value. */
  readonly wrong: string | { readonly forms: readonly string[]; readonly value: unknown };
}

/**
 * Checks a value and reports each error once, at its position. If the schema has alternatives, reports the errors of
 * the alternative that was probably meant.
 */
export function checkAgainst(schema: Schema, value: unknown, path: Path, report: Report): undefined {
  for (const { path: place, wrong } of errorsOf(schema, value, path)) {
    report(
      place,
      typeof wrong === 'string' ? wrong : `Expected ${wrong.forms.join(' or ')}; found ${shown(wrong.value)}.`,
    );
  }
}

/** The errors of a value, each with its path: `check.severity: Expected an object; found 3.` */
export function errorTexts(schema: Schema, value: unknown): readonly string[] {
  const texts: string[] = [];
  checkAgainst(schema, value, [], (path, message) => {
    texts.push(path.length === 0 ? message : `${path.join('.')}: ${message}`);
    return undefined;
  });
  return texts;
}

function errorsOf(schema: Schema, value: unknown, path: Path): SchemaError[] {
  const { type = [], anyOf } = schema;
  const types = [type].flat();
  if (anyOf !== undefined) return ofAlternatives(anyOf, value, path);
  if (types.length > 0 && !types.some((each) => isOfType(each, value))) {
    return [
      otherForm(
        types.map((each) => typeTexts[each]),
        value,
        path,
      ),
    ];
  }
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) {
    return [
      otherForm(
        schema.enum.map((word) => JSON.stringify(word)),
        value,
        path,
      ),
    ];
  }
  const wrong = schema[validate]?.(value);
  if (wrong !== undefined) return [{ path, wrong }];
  if (Array.isArray(value)) return ofList(schema, value, path);
  if (isRecord(value)) return ofMap(schema, value, path);
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value === 'string') return ofText(schema, value, path);
  if (typeof value !== 'number' || (value >= minimum && value <= maximum)) return [];
  return [limit(value < minimum ? `be >= ${minimum}` : `be <= ${maximum}`, value, path)];
}

function otherForm(forms: readonly string[], value: unknown, path: Path): SchemaError {
  return { path, wrong: { forms, value } };
}

/**
 * The errors if no alternative accepts the value. If the value has the form of an alternative, only the errors inside
 * it are reported, because the alternatives of another form were probably not meant.
 */
function ofAlternatives(alternatives: readonly Schema[], value: unknown, path: Path): SchemaError[] {
  const errors: SchemaError[] = [];
  for (const alternative of alternatives) {
    const found = errorsOf(alternative, value, path);
    if (found.length === 0) return [];
    errors.push(...found);
  }
  const inside: SchemaError[] = [];
  const forms = new Set<string>();
  for (const error of errors) {
    if (typeof error.wrong === 'string' || error.path !== path) inside.push(error);
    else for (const form of error.wrong.forms) forms.add(form);
  }
  return inside.length > 0 ? inside : [otherForm([...forms], value, path)];
}

function ofText(
  { minLength = 0, maxLength = Infinity, pattern = '' }: Schema,
  value: string,
  path: Path,
): SchemaError[] {
  if (value.length < minLength) return [limit(`have at least ${minLength} characters`, value, path)];
  if (value.length > maxLength) return [limit(`have at most ${maxLength} characters`, value, path)];
  return new RegExp(pattern).test(value) ? [] : [limit(`match ${pattern}`, value, path)];
}

function ofList(
  { items, minItems = 0, maxItems = Infinity }: Schema,
  value: readonly unknown[],
  path: Path,
): SchemaError[] {
  const errors = items === undefined ? [] : value.flatMap((each, i) => errorsOf(items, each, [...path, i]));
  if (value.length < minItems) errors.push(limit(`not have fewer than ${minItems} items`, value, path));
  if (value.length > maxItems) errors.push(limit(`not have more than ${maxItems} items`, value, path));
  return errors;
}

function ofMap(schema: Schema, value: Dictionary, path: Path): SchemaError[] {
  const { required = [], properties = {}, additionalProperties: others, propertyNames = {} } = schema;
  const { maxProperties = Infinity } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const errors: SchemaError[] = missing.map((name) => ({ path, wrong: `\`${name}\` is missing.` }));
  if (Object.keys(value).length > maxProperties)
    errors.push(limit(`not have more than ${maxProperties} members`, value, path));
  for (const [name, each] of Object.entries(value)) {
    errors.push(...errorsOf(propertyNames, name, [...path, name]));
    const of = Object.hasOwn(properties, name) ? properties[name] : others;
    if (of === false) {
      const meant = closestWord(name, Object.keys(properties));
      const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
      errors.push({ path: [...path, name], wrong: `\`${name}\` is not allowed here.${hint}` });
    } else if (of !== undefined) errors.push(...errorsOf(of, each, [...path, name]));
  }
  return errors;
}

function limit(must: string, value: unknown, path: Path): SchemaError {
  return { path, wrong: `Must ${must}; found ${shown(value)}.` };
}

function isOfType(type: SchemaType, value: unknown) {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}

/** Names of JSON types for people who do not program. */
const typeTexts: Readonly<Record<SchemaType, string>> = {
  array: 'a list',
  object: 'a map',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

function shown(value: unknown) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
