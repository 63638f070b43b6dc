/**
 * Strict schemas of files, tool calls and bodies of requests: one declaration gives the type, the JSON Schema and the
 * check, which refuses unknown members.
 */

// Declaring a schema:
export {
  anyOf,
  anything,
  array,
  boolean,
  type Fields,
  type Infer,
  integer,
  number,
  object,
  optional,
  pair,
  record,
  type Schema,
  string,
  validate,
  words,
} from './json-schema.ts';

// Checking a value, and reporting errors:
export { checkAgainst, errorTexts, type Path, type Report } from './schema-errors.ts';
