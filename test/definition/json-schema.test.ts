import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { Issues } from '../../engine/core/issue.ts';
import { definitionSchema } from '../../engine/definition/json-schema.ts';
import { readDefinition } from '../../engine/definition/read-definition.ts';
import { readRealGame, realGames } from '../support/real-games.ts';

const schema = definitionSchema();
const accepts = new Ajv2020({ strict: false }).compile(schema);

/** Whether the reader accepts types and values, as far as a JSON Schema can express that. */
function readable(document: unknown): boolean {
  const issues = new Issues();
  readDefinition(document, issues);
  return !issues.list.some(({ code, severity }) => severity === 'error' && code !== 'map-size-mismatch');
}

describe('the published schema', () => {
  test('is plain JSON of draft 2020-12', () => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(JSON.stringify(schema)).not.toMatch(/"~|Symbol|"rule"/);
  });

  test('describes the nouns, and every reference in it leads somewhere', () => {
    const defs = schema['$defs'] as Record<string, { $comment?: string }>;
    for (const name of [
      'UnitType',
      'ItemType',
      'ProjectileType',
      'PlayerType',
      'Attribute',
      'Variable',
      'Script',
      'Body',
      'Shop',
      'Map',
      'Settings',
      'Metadata',
      'Role',
    ]) {
      expect(defs[name]?.$comment).toBeTruthy();
    }
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(100);
    for (const name of new Set(references)) expect(defs).toHaveProperty([name]);
  });

  const data = { unitTypes: { hero: { inventorySize: '5' } } };
  test.each<[string, unknown, boolean]>([
    ['an answer', { gameJson: { status: 'success', data } }, true],
    ['an export', { title: 'T', frameRate: '15', data }, true],
    ['bare data', data, true],
    ['empty data', { data: {} }, true],
    ['nothing', {}, false],
    ['something else', { name: 'package' }, false],
    ['an array', [], false],
    ['another status', { gameJson: { status: 'error', data } }, false],
    ['an answer without data', { gameJson: { status: 'success' } }, false],
    ['a wrong type', { data: { unitTypes: { hero: { inventorySize: 'five' } } } }, false],
    ['a wrong type beside the data', { frameRate: 'fast', data }, false],
    ['a wrong type in bare data', { unitTypes: [] }, false],
    ['a value out of range', { data: { roles: [{ type: 9 }] } }, false],
    ['a flag as 0', { data: { unitTypes: { u: { bodies: { b: { affectedByGravity: 0 } } } } } }, true],
    ['a flag as 2', { data: { unitTypes: { u: { bodies: { b: { affectedByGravity: 2 } } } } } }, false],
    ['a word outside a closed set', { data: { map: { type: 'world', width: 0, height: 0, layers: [] } } }, false],
    ['a missing field', { data: { map: { type: 'map', width: 0, height: 0 } } }, false],
    ['an unknown word of an open set', { data: { unitTypes: { u: { ai: { idleBehaviour: 'dance' } } } } }, true],
    ['an unknown field', { data: { unitTypes: { u: { shoeSize: 44 } } } }, true],
    [
      'null and "" where nothing is',
      { data: { shops: null, settings: '', unitTypes: { u: { ai: null, price: '' } } } },
      true,
    ],
    [
      'alternating shapes',
      { data: { itemTypes: { a: { damage: 5 }, b: { damage: { unitAttributes: {} } }, c: { hits: [] } } } },
      true,
    ],
    [
      'legacy spellings',
      { data: { unitTypes: { u: { body: { collidesWith: { unit: true } }, defaultItem: [{ key: 'axe' }] } } } },
      true,
    ],
    ['a script without actions', { data: { scripts: { a: { name: 'a' } } } }, false],
    ['a script with a wrong name', { data: { scripts: { a: { name: 5, actions: [] } } } }, false],
    ['a folder of scripts', { data: { scripts: { a: { folderName: 'a', parent: null } } } }, true],
    ['a legacy spelling of another type', { data: { unitTypes: { u: { body: 'big' } } } }, false],
  ])('%s', (_name, document, right) => {
    expect(accepts(document)).toBe(right);
    expect(readable(document)).toBe(right);
  });

  test('is flat: nothing that leads deeper into a document stands in a condition or among alternatives', () => {
    const deeper = ['$ref', 'items', 'additionalProperties', 'patternProperties', 'prefixItems'];
    const found: string[] = [];
    const walk = (node: unknown, path: string, isConditional: boolean): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, member] of Object.entries(node)) {
        if (isConditional && deeper.includes(key)) found.push(`${path}/${key}`);
        const isBelow = isConditional || ['if', 'then', 'else', 'anyOf', 'oneOf', 'allOf', 'not'].includes(key);
        walk(member, `${path}/${key}`, isBelow);
      }
    };
    walk(schema, '', false);
    expect(found).toEqual([]);
  });

  test.skipIf(realGames.length === 0)(
    'agrees with the reader about real games (skipped where the folder is absent)',
    () => {
      for (const name of realGames) {
        const document = readRealGame(name);
        expect(accepts(document), name).toBe(readable(document));
      }
    },
  );
});
