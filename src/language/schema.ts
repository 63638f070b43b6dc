import type { Dictionary } from '../../engine/core/index.ts';
import { type CatalogueOperation, catalogue, definitionSchema } from '../../engine/index.ts';
import { dataTypes, keyNames } from '../../engine/tools.ts';
import { operandTypes } from '../check/index.ts';
import { exampleOf } from './example.ts';
import { aboutOperand } from './operands.ts';

type Node = { [key: string]: unknown };

/**
 * The JSON Schema of definitions including the script language: operations, triggers and conditions by name, with their
 * operands, and a description of every field. It accepts what `definitionSchema` accepts; unknown names are left for
 * `check` to report.
 *
 * Two properties keep editors fast. The path to a value in a script contains no `if`, `anyOf` or the like, because
 * language servers walk only plain keywords to the cursor (see `definitionSchema`). And the schema of an operation
 * describes only its own operands; the language server finds it by the `const` with the operation's name.
 */
export function publishedSchema(): Node {
  const schema = definitionSchema() as Node;
  const defs = schema['$defs'] as Record<string, Node>;
  nameScripts(defs['Script']!);
  nameWords(defs);
  for (const node of [schema, ...Object.values(defs)]) explainMistakes(node);
  const envelope = schema['then'] as Node;
  envelope['errorMessage'] = 'This is not a game definition: it has no section such as unitTypes, scripts or map.';
  Object.assign(defs, languageDefs());
  return schema;
}

// Words to choose from:

/**
 * A schema that suggests words, each with its description. Other strings are accepted and left for `check` to report.
 */
function words(list: Iterable<string>, about?: (word: string) => string): Node {
  const named = [...list];
  const descriptions = about === undefined ? {} : { enumDescriptions: named.map(about) };
  return { anyOf: [{ enum: named, ...descriptions }, {}] };
}

function nameWords(defs: Record<string, Node>) {
  propertiesOf(defs['Variable']!)['dataType']!['examples'] = [...dataTypes];
  propertiesOf(defs['Controls']!)['abilities']!['propertyNames'] = { examples: [...keyNames] };
}

function nameScripts(script: Node) {
  const { triggers, actions, conditions } = propertiesOf(script);
  const names = new Map(
    catalogue().triggers.flatMap((each) => [each.type, ...each.aliases].map((name) => [name, each])),
  );
  Object.assign(
    propertiesOf(triggers!['items'] as Node)['type']!,
    words(names.keys(), (name) => names.get(name)!.about),
  );
  actions!['items'] = reference('Action', 'An action of the script.');
  conditions!['$ref'] = '#/$defs/Operand';
}

function propertiesOf(node: Node): Record<string, Node> {
  return node['properties'] as Record<string, Node>;
}

/** Adds the message for a value of the wrong type to each field. */
function explainMistakes(node: Node) {
  const { properties, items, additionalProperties } = node as {
    readonly properties?: Record<string, Node>;
    readonly items?: Node;
    readonly additionalProperties?: Node;
  };
  if ('pattern' in node) node['errorMessage'] = `Expected ${expected(node)}.`;
  for (const below of [...Object.values(properties ?? {}), items, additionalProperties])
    if (below !== undefined) explainMistakes(below);
}

function expected({ type, examples }: Node) {
  const articles: Dictionary<string> = {
    object: 'an object',
    array: 'an array',
    number: 'a number',
    integer: 'an integer',
  };
  if (examples !== undefined) return `one of ${(examples as string[]).map((word) => `"${word}"`).join(', ')}`;
  const types = type as readonly string[];
  return types.includes('boolean') ? 'true or false' : types.flatMap((each) => articles[each] ?? []).join(' or ');
}

// The script language:

const operators = ['==', '!=', '<', '<=', '>', '>=', 'AND', 'OR'];
const calculations = ['+', '-', '*', '/', '%'];

function languageDefs(): Record<string, Node> {
  const { actions, functions } = catalogue();
  const deeper = valuesBelow([...actions, ...functions]);
  const call = { ...operation('function', functions), ...deeper };
  const defs: Record<string, Node> = {
    Action: { $comment: 'An action of a script.', ...operation('type', actions), ...deeper },
    Actions: { $comment: 'Actions, run in order.', items: reference('Action', 'An action of the list.') },
    Operand: {
      $comment: 'A value, a function call, or a condition.',
      ...call,
      ...sides('Operand', {
        operator: { description: 'The comparison operator.', ...words(operators) },
        operandType: { description: 'The type of the two operands.', ...words(operandTypes) },
      }),
    },
    Calculation: {
      $comment: 'A number, a function call, or a calculation.',
      ...call,
      ...sides('Calculation', { operator: { description: 'The arithmetic operator.', ...words(calculations) } }),
    },
  };
  for (const [key, operations] of [
    ['type', actions],
    ['function', functions],
  ] as const) {
    const list = operations.flatMap((each) =>
      [each.type, ...each.aliases].map((name) => [nameOfDef(key, name), operands(key, name, each)] as const),
    );
    defs[operationsOf[key]] = {
      $comment: 'One schema per name.',
      anyOf: list.map(([name]) => ({ $ref: `#/$defs/${name}` })),
    };
    Object.assign(defs, Object.fromEntries(list));
  }
  return defs;
}

type NameKey = 'type' | 'function';
const operationsOf = { type: 'ActionsByName', function: 'FunctionsByName' } as const;
const nameOfDef = (key: NameKey, name: string) => `${key === 'type' ? 'action' : 'function'}-${name}`;

function reference(name: string, description: string): Node {
  return { description, $ref: `#/$defs/${name}` };
}

/**
 * An object that names an operation. The empty alternative accepts unknown names. The object itself has no description,
 * because a language server shows the first description that it finds, and this must be the description of the
 * operation.
 */
function operation(key: NameKey, operations: readonly CatalogueOperation[]): Node {
  const named = operations.flatMap((each) => [each.type, ...each.aliases].map((name) => ({ name, about: each.about })));
  return {
    properties: {
      [key]: {
        ...words(named.map(({ name }) => name)),
        defaultSnippets: named.map(({ name, about }) => ({
          label: JSON.stringify(name),
          description: about,
          body: name,
        })),
      },
      ...(key === 'type'
        ? {
            disabled: { description: 'Whether the action is skipped.' },
            comment: { description: 'A comment for readers.' },
          }
        : {}),
    },
    dependentSchemas: { [key]: { anyOf: [{}, { $ref: `#/$defs/${operationsOf[key]}` }] } },
  };
}

/** Describes the operands of an operation, but not their values. */
function operands(key: NameKey, name: string, operation: CatalogueOperation): Node {
  const described: Record<string, Node> = { [key]: { description: operation.about, const: name } };
  for (const param of operation.params) {
    for (const spelling of [param.key, ...param.aliases])
      described[spelling] = { description: aboutOperand(param, spelling) };
  }
  return {
    $comment: operation.about,
    properties: described,
    ...(name === operation.type && { examples: [exampleOf(operation)] }),
  };
}

/** Schemas for the values of operands, shared by all operations: the kind of an operand follows from its key. */
function valuesBelow(operations: readonly CatalogueOperation[]): Node {
  const keysOf = (kind: string) => [
    ...new Set(
      operations.flatMap(({ params }) =>
        params.filter(({ type }) => type === kind).flatMap(({ key, aliases }) => [key, ...aliases]),
      ),
    ),
  ];
  const pattern = (kind: string) => `^(${keysOf(kind).join('|')})$`;
  return {
    patternProperties: {
      [pattern('actions')]: { $ref: '#/$defs/Actions' },
      [pattern('calculation')]: { $ref: '#/$defs/Calculation' },
    },
    additionalProperties: { $ref: '#/$defs/Operand' },
  };
}

/** A schema of `[head, left, right]`, where either side may be another such list. */
function sides(name: string, head: Record<string, Node>): Node {
  return {
    prefixItems: [{ description: 'The operator.', properties: head }],
    items: reference(name, 'The left or right operand.'),
  };
}
