import type { Dictionary } from '../core/plain-object.ts';
import { metadata } from './metadata.ts';
import { type Json, nameOf, type Schema } from './schema.ts';
import { sectionKeys, sections } from './sections.ts';

type Node = Dictionary<Json>;
type Defs = Record<string, Node>;
type Given = Node & Partial<Schema<unknown>>;

/**
 * The JSON Schema (draft 2020-12) of a game definition in its three document shapes. The schema accepts what the reader
 * accepts without an error about a type or value. The schema does not check sizes of map layers or references between
 * parts, and it allows unknown fields, which the reader reports as information.
 *
 * The schema is flat for the sake of editors. Alternatives are merged into one schema with a list of types, and
 * keywords that lead deeper into the document never occur inside `anyOf`, `allOf` or `if`: below those, the language
 * server of an editor validates the whole rest of the document even for a question about one position. Named schemas
 * have their description as `$comment`, and each reference has its own `description`, because the language server would
 * otherwise show the description of the named schema instead of that of the field.
 */
export function definitionSchema(): Record<string, Json> {
  const defs: Defs = {};
  const { properties } = flat(sections, defs);
  defs['Data'] = { $comment: 'The sections of a game.', properties };
  const data = { description: 'The game definition itself.', $ref: '#/$defs/Data' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Game definition',
    description: 'One playable game: entity types, scripts, variables, map, shops, settings and metadata.',
    type: 'object',
    properties: {
      gameJson: {
        description: 'The envelope that the service puts around the definition.',
        type: 'object',
        required: ['status', 'data'],
        properties: {
          status: { description: 'Whether the service could answer.', const: 'success' },
          data: { type: 'object', ...data },
        },
      },
      data,
      ...(properties as Node),
    },
    dependentSchemas: { data: published(metadata as Given, defs) },
    if: {
      $comment: 'Without an envelope, the document is the data and has at least one section.',
      not: {
        anyOf: [
          { required: ['gameJson'] },
          { required: ['data'], properties: { data: { description: data.description, type: 'object' } } },
        ],
      },
    },
    then: { not: { propertyNames: { not: { enum: [...sectionKeys] } } } },
    $defs: defs,
  };
}

/** A plain copy without the internal symbols. Named schemas are moved to `defs` and replaced by references. */
function published(given: Given, defs: Defs): Node {
  const named = given[nameOf] === undefined ? nounAmong(given) : given;
  if (named === undefined) return flat(given, defs);
  const name = named[nameOf]!;
  const { description } = named;
  const { description: _, ...schema } = flat(given, defs);
  const made = { $comment: description, ...schema };
  if (!Object.hasOwn(defs, name)) defs[name] = made;
  else if (!same(defs[name], made)) throw new Error(`Two schemas are called ${name}.`);
  return { description, $ref: `#/$defs/${name}` };
}

/**
 * The named schema among alternatives, such as `Ability` in "an ability or the key of one". The alternatives are
 * published under its name.
 */
function nounAmong(given: Given): Given | undefined {
  return alternativesOf(given)?.find((each) => /^[A-Z]/.test(each[nameOf] ?? ''));
}

function alternativesOf(given: Node): readonly Given[] | undefined {
  return given['anyOf'] as readonly Given[] | undefined;
}

/** Merges the alternatives of `anyOf` into one schema. */
function flat(given: Given, defs: Defs): Node {
  const { anyOf: _, type, properties, ...others } = given;
  const copied: Record<string, Json> = type === undefined ? {} : { type };
  if (properties !== undefined) {
    const fields = Object.entries(properties as Record<string, readonly [about: string, Given]>);
    copied['properties'] = Object.fromEntries(
      fields.map(([key, [description, field]]) => [key, { ...published(field, defs), description }]),
    );
  }
  for (const [key, value] of Object.entries(others)) copied[key] = copy(value, defs);
  const alternatives = alternativesOf(given);
  if (alternatives === undefined) return copied;
  return { ...alternatives.map((each) => typed(flat(each, defs))).reduce(union), ...copied };
}

function copy(value: Json, defs: Defs): Json {
  if (Array.isArray(value)) return value.map((each) => copy(each, defs));
  return typeof value === 'object' && value !== null ? published(value as Given, defs) : value;
}

// The functions below merge alternatives into one schema.

/**
 * The keywords that restrict values of each type. A keyword ignores values of other types, so one schema can combine
 * the keywords of several types.
 */
const keywordsOf: Dictionary<readonly string[]> = {
  number: ['minimum', 'maximum'],
  string: ['enum', 'examples', 'pattern'],
  array: ['items'],
  object: ['properties', 'additionalProperties', 'required'],
};

const typesOf = ({ type }: Node): readonly string[] => (Array.isArray(type) ? type : [type as string]);
const same = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);

/** Prepares an alternative for merging: drops its description, and turns a constant string into a pattern. */
function typed({ description: _, const: text, ...given }: Node): Node {
  if (text !== undefined) return { ...given, pattern: `^${text}$` };
  return given['type'] === undefined ? { ...given, type: ['string'] } : given;
}

function union(a: Node, b: Node): Node {
  const types = [...new Set([...typesOf(a), ...typesOf(b)])];
  const united: Record<string, Json> = {
    type: types.filter((type) => type !== 'integer' || !types.includes('number')),
  };
  for (const type of Object.keys(keywordsOf)) {
    const ofA = restrictions(a, type);
    const ofB = restrictions(b, type);
    if (ofA === undefined || ofB === undefined || same(ofA, ofB)) Object.assign(united, ofA, ofB);
    else if (type === 'string') Object.assign(united, textUnion(ofA, ofB));
    else if (type === 'object') Object.assign(united, objectUnion(ofA, ofB));
    else throw new Error(`Two alternatives of type "${type}" differ and cannot be merged into one schema.`);
  }
  return united;
}

/** The keywords of a schema that restrict values of a type; undefined if the schema does not accept the type. */
function restrictions(node: Node, type: string): Node | undefined {
  if (!typesOf(node).some((each) => each === type || (each === 'integer' && type === 'number'))) return undefined;
  const entries = keywordsOf[type]!.map((keyword) => [keyword, node[keyword]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Merges two schemas of strings. Enumerated words become examples if other strings are allowed, too. */
function textUnion(a: Node, b: Node): Node {
  const words = [a, b].flatMap(({ enum: closed, examples }) => (closed ?? examples ?? []) as readonly string[]);
  const examples = words.length === 0 ? {} : { examples: words };
  const patterns = [a, b].map(({ enum: closed, pattern }) =>
    closed === undefined ? pattern : `^(${(closed as readonly string[]).join('|')})$`,
  );
  return patterns.includes(undefined) ? examples : { ...examples, pattern: [...new Set(patterns)].join('|') };
}

/** Whether a schema consists only of a description, so that the field accepts any value. */
const isIgnored = ({ description: _, ...schema }: Node) => Object.keys(schema).length === 0;

/**
 * Merges two object schemas, such as those of entries of one collection. If one does not describe a field, the other's
 * description is used.
 */
function objectUnion(a: Node, b: Node): Node {
  const properties = { ...(a['properties'] as Record<string, Node>) };
  for (const [key, field] of Object.entries(b['properties'] as Record<string, Node>)) {
    const other = properties[key];
    if (other === undefined || isIgnored(other)) properties[key] = field;
    else if (!isIgnored(field) && !same(other, field)) throw new Error(`Alternatives for ${key} differ.`);
  }
  return { properties };
}
