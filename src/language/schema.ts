import { type CatalogueOperation, catalogue, definitionSchema } from '../../engine/index.ts';
import { dataTypes, keyNames, operandTypes } from '../../engine/internal.ts';
import { exampleOf } from './example.ts';
import { aboutField } from './fields.ts';
import { aboutOperation, aboutTrigger } from './sentences.ts';

type Node = { [key: string]: unknown };

/**
 * The JSON Schema of definitions with the language of scripts. It has operations, triggers and conditions by their names, with their
 * operands, and a description of every field. It accepts what `definitionSchema` accepts: unknown names are for `check` to report.
 */
export function publishedSchema(): Node {
  const schema = definitionSchema() as Node;
  const defs = schema['$defs'] as Record<string, Node>;
  withoutNoise(schema, true);
  nameScripts(defs['Script']!);
  nameWords(defs);
  describe(schema, '');
  for (const [name, node] of Object.entries(defs)) describe(node, name);
  Object.assign(defs, languageDefs());
  return { ...schema, ...shapes(schema) };
}

// Shapes of documents.

/** One of the three shapes by what a document has, so that a wrong one gets the errors of its own shape only. */
function shapes({ anyOf }: Node): Node {
  const [answered, exported, bare] = anyOf as [Node, Node, Node];
  const sections = (bare['anyOf'] as { readonly required: readonly string[] }[]).map(({ required }) => required[0]);
  return {
    anyOf: undefined,
    if: { type: 'object', required: ['gameJson'] },
    then: answered,
    else: {
      if: { type: 'object', required: ['data'], properties: { data: { type: 'object' } } },
      then: exported,
      else: {
        description: bare['description'],
        allOf: [
          {
            $comment: 'The data alone has one of the sections of a definition.',
            not: { type: 'object', propertyNames: { not: { enum: sections } } },
            errorMessage: 'This is no game definition: it has none of its sections, such as unitTypes, scripts or map.',
          },
          ...(bare['allOf'] as Node[]),
        ],
      },
    },
  };
}

/**
 * Alternatives of different types are distinguished by conditions. A wrong value then gets the errors of the alternative that it is meant
 * to be, the last that is described, and no others.
 */
function withoutNoise(node: unknown, isRoot = false): void {
  if (Array.isArray(node)) {
    for (const each of node) withoutNoise(each);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const given = node as Node;
  for (const member of Object.values(given)) withoutNoise(member);
  const { anyOf } = given;
  if (isRoot || !Array.isArray(anyOf)) return;
  const alternatives = anyOf as Node[];
  const isAbsent = ({ $ref }: Node): boolean => $ref === '#/$defs/absent';
  const absent = alternatives.find(isAbsent);
  const typed = alternatives.filter((each) => !isAbsent(each));
  if (!typed.every(({ type }) => type === 'array' || type === 'object') || typed.length === 0) return;
  delete given['anyOf'];
  const [first, second] = [...typed].sort((a, b) => String(a['type']).localeCompare(String(b['type'])));
  const meant: Node = second === undefined ? first! : { if: { type: first!['type'] }, then: first, else: second };
  if (absent === undefined) Object.assign(given, meant);
  else Object.assign(given, { if: absent, then: true, else: meant });
}

// Words.

/** Words to choose from; another text is for `check` to report. */
function words(list: Iterable<string>): Node[] {
  return [{ enum: [...list] }, { type: 'string' }];
}

function nameWords(defs: Record<string, Node>): void {
  const dataType = propertiesOf(defs['Variable']!)['dataType'] as Node;
  propertiesOf(defs['Variable']!)['dataType'] = { anyOf: [{ enum: [...dataTypes] }, dataType] };
  const abilities = findProperty(defs['Controls']!, 'abilities');
  if (abilities !== undefined) abilities['propertyNames'] = { anyOf: words(keyNames) };
}

function nameScripts(script: Node): void {
  const properties = propertiesOf(script);
  const trigger = findProperty(properties['triggers'] as Node, 'type')!;
  const { triggers } = catalogue();
  trigger['anyOf'] = [
    ...triggers.flatMap((each) =>
      [each.type, ...each.aliases].map((name) => ({ const: name, description: aboutTrigger(each) })),
    ),
    { $ref: '#/$defs/string' },
  ];
  delete trigger['$ref'];
  properties['conditions'] = { $ref: '#/$defs/Condition' };
  const actions = properties['actions'] as Node;
  const list = (actions['else'] ?? actions) as Node;
  list['items'] = { $ref: '#/$defs/Action' };
}

/** The properties of the object that a schema describes, whatever is around it. */
function propertiesOf(node: Node): Record<string, unknown> {
  const object = (node['else'] ?? node) as Node;
  return object['properties'] as Record<string, unknown>;
}

/** The schema of a property anywhere below. */
function findProperty(node: unknown, name: string): Node | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const properties = (node as Node)['properties'] as Record<string, Node> | undefined;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  for (const member of Object.values(node)) {
    const found = findProperty(member, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Says what each field is that says nothing of itself. */
function describe(node: unknown, noun: string): void {
  if (Array.isArray(node)) for (const each of node) describe(each, noun);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { properties } = node as { readonly properties?: Record<string, Node | boolean> };
  for (const [name, field] of Object.entries(properties ?? {})) {
    if (typeof field === 'object' && field['description'] === undefined) field['description'] = aboutField(noun, name);
  }
  for (const [key, member] of Object.entries(node)) if (key !== '$defs') describe(member, noun);
}

// The language.

const operators = ['==', '!=', '<', '<=', '>', '>=', 'AND', 'OR'];

/** Kinds of operands are named by their first words in references. */
const kindName = (kind: string): string => `operand ${kind}`.replaceAll(/[^A-Za-z]+/g, '-');

function languageDefs(): Record<string, Node> {
  const { actions, functions } = catalogue();
  const kinds = new Set([...actions, ...functions].flatMap(({ params }) => params.map(({ type }) => type)));
  const defs: Record<string, Node> = {
    Action: operationDef('type', 'What a script does.', 'action', actions, {
      disabled: { description: 'It is passed over.' },
      comment: { description: 'A remark for readers.' },
    }),
    Operand: operationDef('function', 'A value, or a call of a function that gives one.', 'function', functions, {}),
    Condition: {
      description:
        'A comparison `[{"operandType", "operator"}, left, right]`; with AND and OR both sides are conditions.',
      prefixItems: [
        {
          description: 'How the sides are compared.',
          properties: {
            operator: { description: 'Of the comparison.', anyOf: words(operators) },
            operandType: { description: 'What the sides are.', anyOf: words(operandTypes) },
          },
        },
      ],
      items: { anyOf: [{ type: 'array', $ref: '#/$defs/Condition' }, { $ref: '#/$defs/Operand' }] },
    },
  };
  for (const kind of kinds) defs[kindName(kind)] = operandDef(kind);
  for (const operation of actions) defs[`action ${operation.type}`.replace(' ', '-')] = operandsDef(operation);
  for (const operation of functions) defs[`function ${operation.type}`.replace(' ', '-')] = operandsDef(operation);
  return defs;
}

/** An object that names an operation; its operands follow from the name. */
function operationDef(
  key: string,
  description: string,
  prefix: string,
  operations: readonly CatalogueOperation[],
  more: Record<string, Node>,
): Node {
  return {
    description,
    properties: {
      [key]: {
        description: 'Its name.',
        anyOf: [
          ...operations.flatMap((each) =>
            [each.type, ...each.aliases].map((name) => ({ const: name, description: aboutOperation(each) })),
          ),
          {},
        ],
      },
      ...more,
    },
    allOf: operations.map((each) => ({
      if: { type: 'object', required: [key], properties: { [key]: { enum: [each.type, ...each.aliases] } } },
      then: { $ref: `#/$defs/${prefix}-${each.type}` },
    })),
  };
}

function operandsDef(operation: CatalogueOperation): Node {
  const properties: Record<string, Node> = {};
  for (const { key, type, optional, aliases } of operation.params) {
    const about = `${type}${optional ? ', may be left out' : ''}`;
    properties[key] = { description: about, $ref: `#/$defs/${kindName(type)}` };
    for (const alias of aliases)
      properties[alias] = { description: `${about}; older spelling of ${key}`, $ref: `#/$defs/${kindName(type)}` };
  }
  return { description: aboutOperation(operation), properties, examples: [exampleOf(operation)] };
}

function operandDef(kind: string): Node {
  if (kind === 'actions') return { description: 'Actions, one after the other.', items: { $ref: '#/$defs/Action' } };
  if (kind === 'condition') return { $ref: '#/$defs/Condition', description: 'A condition.' };
  if (kind === 'calculation') {
    return {
      description: 'A calculation `[{"operator"}, left, right]`; each side is a number or a calculation.',
      prefixItems: [
        { properties: { operator: { description: 'Of the calculation.', anyOf: words(['+', '-', '*', '/', '%']) } } },
      ],
      items: { anyOf: [{ type: 'array', $ref: '#/$defs/operand-calculation' }, { $ref: '#/$defs/Operand' }] },
    };
  }
  return { description: `${kind}: a value, or a call of a function that gives one.`, $ref: '#/$defs/Operand' };
}
