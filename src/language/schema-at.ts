import { cached, type Dictionary } from '../../engine/core/index.ts';
import { type CatalogueOperation, type CatalogueParam, catalogue, type Definition } from '../../engine/index.ts';
import { aboutOperand } from './operands.ts';
import { publishedSchema } from './schema.ts';

/** The keywords that the published schema uses. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Schemas;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
  readonly propertyNames?: Schema;
  readonly properties?: Schemas;
  readonly dependentSchemas?: Schemas;
  readonly patternProperties?: Schemas;
  readonly additionalProperties?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly items?: Schema;
}
type Schemas = Dictionary<Schema>;
type Key = string | number;
/** A definition, or the part of it that says which operations and triggers its host adds. */
type Hosted = Pick<Definition, 'host'>;

/** The parts of the published schema that apply at a path in a definition. */
export interface SchemaAtPath {
  /**
   * The description of the field. An element of a list without a description of its own has the description of the
   * list.
   */
  readonly about: string | undefined;
  /** Members that an object may have there, each with its description. */
  readonly members: ReadonlyMap<string, string | undefined>;
  /** Words that the value may be, each with its description. */
  readonly words: ReadonlyMap<string, string | undefined>;
  /** JSON types that the value may have; empty if any type is allowed. */
  readonly types: readonly string[];
  /** Whether an action or an operand belongs here. */
  readonly syntax: 'action' | 'operand' | undefined;
  /** The parameter that the value is for, if it is an operand of a known operation. */
  readonly param: CatalogueParam | undefined;
}

let loaded: { readonly schema: Schema; readonly defs: Schemas } | undefined;

function published() {
  if (loaded === undefined) {
    const schema: Schema = publishedSchema();
    loaded = { schema, defs: schema.$defs! };
  }
  return loaded;
}

/** The operations by name, cached by host. `language` is the key for games without a host. */
const byName = new WeakMap<object, ReadonlyMap<string, CatalogueOperation>>();
const language = {};

/** The action or function that an object calls, including those of the game's host; undefined for any other value. */
export function operationOf(value: unknown, game: Hosted = {}): CatalogueOperation | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, function: name } = value as { readonly type?: unknown; readonly function?: unknown };
  const { host = language } = game;
  const operations = cached(byName, host, () => operationsByName(game));
  return operations.get(typeof name === 'string' ? `function ${name}` : `action ${String(type)}`);
}

function operationsByName(game: Hosted): Map<string, CatalogueOperation> {
  const { actions, functions } = catalogue(game);
  const named = (kind: string, all: readonly CatalogueOperation[]): [string, CatalogueOperation][] =>
    all.flatMap((each) =>
      [each.type, ...each.aliases].map((name): [string, CatalogueOperation] => [`${kind} ${name}`, each]),
    );
  return new Map([...named('action', actions), ...named('function', functions)]);
}

/**
 * The schema at a path; undefined if the path leads nowhere. The values along the path in `document` tell which
 * operation an operand belongs to.
 */
export function schemaAt(keys: readonly Key[], document: unknown, game?: Hosted): SchemaAtPath | undefined {
  let { schema } = published();
  let about: string | undefined;
  let param: CatalogueParam | undefined;
  let value = document;
  for (const key of keys) {
    const operation = isLanguage(schema) ? operationOf(value, game) : undefined;
    param = operation?.params.find((each) => each.key === key || each.aliases.includes(String(key)));
    const next = fieldOf(schema, key);
    if (next === undefined) return undefined;
    const described = (param && aboutOperand(param, String(key))) ?? next.description;
    about = typeof key === 'number' ? (described ?? about) : described;
    schema = resolved(next);
    value = typeof value === 'object' && value !== null ? (value as Record<Key, unknown>)[key] : undefined;
  }
  const operation = isLanguage(schema) ? operationOf(value, game) : undefined;
  const syntax = !isLanguage(schema) ? undefined : schema === published().defs['Action'] ? 'action' : 'operand';
  return {
    about,
    members: new Map([
      ...Array.from(schema.propertyNames?.examples ?? [], (name) => [String(name), undefined] as const),
      ...Object.entries(membersOf(schema)).map(([name, { description }]) => [name, description] as const),
      ...(operation?.params ?? []).flatMap((each) =>
        [each.key, ...each.aliases].map((name) => [name, aboutOperand(each, name)] as const),
      ),
    ]),
    words: wordsOf(schema),
    types: [schema.type ?? []].flat(),
    syntax,
    param,
  };
}

/** Whether this is one of the schemas of the script language, whose operands depend on the operation. */
function isLanguage(schema: Schema) {
  const { Action, Operand, Calculation } = published().defs;
  return schema === Action || schema === Operand || schema === Calculation;
}

function resolved(schema: Schema): Schema {
  const { $ref, description, ...own } = schema;
  if ($ref === undefined) return schema;
  const named = published().defs[$ref.slice('#/$defs/'.length)]!;
  // Return the same object if nothing is added to it, because `isLanguage` compares schemas by identity.
  return Object.keys(own).length === 0 ? named : { ...named, ...own };
}

/** The members of an object. For a definition in an envelope, they include the metadata fields next to `data`. */
function membersOf({ properties = {}, dependentSchemas = {} }: Schema): Schemas {
  const beside = dependentSchemas['data'];
  return beside === undefined ? properties : { ...membersOf(resolved(beside)), ...properties };
}

function fieldOf(schema: Schema, key: Key): Schema | undefined {
  const { prefixItems = [], items, patternProperties = {}, additionalProperties } = schema;
  if (typeof key === 'number') return prefixItems[key] ?? items ?? additionalProperties;
  const properties = membersOf(schema);
  if (Object.hasOwn(properties, key)) return properties[key];
  const pattern = Object.keys(patternProperties).find((each) => new RegExp(each).test(key));
  return pattern === undefined ? additionalProperties : patternProperties[pattern];
}

function wordsOf(schema: Schema): Map<string, string | undefined> {
  const words = new Map<string, string | undefined>();
  for (const { enum: closed, examples = [], enumDescriptions = [] } of [schema, ...(schema.anyOf ?? [])]) {
    (closed ?? examples).forEach((word, i) => {
      if (typeof word === 'string') words.set(word, enumDescriptions[i]);
    });
  }
  return words;
}
