/**
 * Schemas of files, tool calls and bodies of requests that must be written exactly: one declaration gives the type, the
 * JSON Schema and the check.
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
