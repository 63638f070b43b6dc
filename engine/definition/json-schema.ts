import { metadata } from './metadata.ts';
import { type Json, nameOf, type Schema } from './schema.ts';
import { sectionKeys, sections } from './sections.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (draft 2020-12) of a game definition in its three document shapes. It accepts what the reader accepts without an error
 * of type or value; sizes of map layers and references between parts are beyond it. Fields it does not name are allowed: the reader
 * reports them as information.
 */
export function definitionSchema(): Record<string, Json> {
  const defs: Record<string, Json> = {};
  const data = publish(sections, defs);
  const beside = publish(metadata, defs);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Game definition',
    description: 'One playable game: entity types, scripts, variables, map, shops, settings and metadata.',
    anyOf: [
      {
        description: 'As the service answers.',
        type: 'object',
        required: ['gameJson'],
        properties: {
          gameJson: {
            type: 'object',
            required: ['status', 'data'],
            properties: { status: { const: 'success' }, data: { $ref: '#/$defs/Data' } },
          },
        },
      },
      {
        description: 'As the editor exports: metadata beside the data.',
        type: 'object',
        required: ['data'],
        properties: { gameJson: false, data: { $ref: '#/$defs/Data' } },
        allOf: [beside],
      },
      {
        description: 'The data alone.',
        properties: { gameJson: false, data: { not: { type: 'object' } } },
        allOf: [{ $ref: '#/$defs/Data' }],
        anyOf: [...sectionKeys].map((key) => ({ required: [key] })),
      },
    ],
    $defs: {
      Data: { description: 'The definition proper: its sections.', type: 'object', allOf: [data] },
      ...defs,
    },
  };
}

/** A plain copy without anything of ours; named schemas move to `defs` and leave a reference. */
function publish(schema: Node | Schema<unknown>, defs: Record<string, Json>): Json {
  const name = (schema as Partial<Schema<unknown>>)[nameOf];
  if (name === undefined) return copy(schema as Node, defs);
  if (!Object.hasOwn(defs, name)) {
    defs[name] = {};
    defs[name] = copy(schema as unknown as Node, defs);
  }
  return { $ref: `#/$defs/${name}` };
}

function copy(node: Node, defs: Record<string, Json>): Json {
  const out: Record<string, Json> = {};
  for (const key of Object.keys(node)) out[key] = copyValue(node[key], defs);
  return out;
}

function copyValue(value: unknown, defs: Record<string, Json>): Json {
  if (Array.isArray(value)) return value.map((each) => copyValue(each, defs));
  return typeof value === 'object' && value !== null ? publish(value as Node, defs) : value;
}
