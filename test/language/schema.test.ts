import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { definitionSchema } from '../../engine/index.ts';
import { publishedSchema } from '../../src/language/schema.ts';
import { script, unitType } from '../support/play.ts';
import { sampleOf } from '../support/property.ts';
import { readRealGame, realGames } from '../support/real-games.ts';
import { sampleDocument } from '../support/samples.ts';

type Node = Record<string, unknown>;
const schema = publishedSchema();
const options = { strict: false };
const accepts = new Ajv2020(options).compile(schema);
const acceptsPlain = new Ajv2020(options).compile(definitionSchema());
const validate = new Ajv2020({ ...options, allErrors: true }).compile(schema);
function errorsOf(document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test('every field and operand has a description, with few exceptions', () => {
  const undescribed: string[] = [];
  let fields = 0;
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, member] of Object.entries(node)) {
      walk(member, `${path}/${key}`);
      if (key !== 'properties' || path.endsWith('/properties')) continue;
      for (const [name, field] of Object.entries(member as Record<string, Node>)) {
        fields++;
        if (!/^\S.*[.]$/s.test(String(field['description']))) undescribed.push(`${path}.${name}`);
      }
    }
  };
  walk(schema, '');
  // The name of an operation is described by the operation.
  const where =
    'Describe a field where it is declared, and an operand by `operands` of its row or in src/language/operands.ts.';
  expect(undescribed, where).toEqual(['/$defs/Action.type', '/$defs/Operand.function', '/$defs/Calculation.function']);
  expect(undescribed.length / fields).toBeLessThan(0.05);
});

test.each(['outbreak.json', 'infection.json', 'ray-casting.json', 'team-elimination.json'])('%s is valid', (name) => {
  expect(errorsOf(sampleDocument(name))).toEqual([]);
});

test.each(sampleOf(realGames, 6))('%s is valid if and only if it is without the language in the schema', (file) => {
  const document = readRealGame(file);
  expect(accepts(document)).toBe(acceptsPlain(document));
});

describe('an error message', () => {
  test.each<[string, unknown, string[]]>([
    ['another document', { name: 'package', version: '1' }, [' must NOT be valid']],
    ['a text in place of an envelope', { gameJson: 'x' }, ['/gameJson must be object']],
    [
      'an attribute that is a number',
      { unitTypes: { a: { name: 'A', attributes: { health: 5 } } } },
      ['/unitTypes/a/attributes/health must be object,null,string'],
    ],
  ])('about %s is not cluttered by alternatives', (_what, document, errors) => {
    const found = errorsOf(document).filter((error) => !/must match "(?:then|else)" schema$/.test(error));
    expect(found).toEqual(errors);
  });
});

describe('a language server of an editor', () => {
  const service = getLanguageService({});
  service.configure({ schemas: [{ uri: 'memory://schema.json', fileMatch: ['*'], schema: structuredClone(schema) }] });

  /** The position of `|` in the text. */
  async function at(text: string) {
    const offset = text.indexOf('|');
    const document = TextDocument.create('file:///game.json', 'json', 1, text.replace('|', ''));
    const parsed = service.parseJSONDocument(document);
    const place = document.positionAt(offset);
    const labels = (await service.doComplete(document, place, parsed))?.items.map(({ label }) => label) ?? [];
    const hover = await service.doHover(document, place, parsed);
    return {
      labels,
      hover: JSON.stringify(hover?.contents ?? ''),
      problems: await service.doValidation(document, parsed),
    };
  }
  const inAction = (action: string): string =>
    `{"unitTypes": {}, "scripts": {"a": {"triggers": [], "conditions": [], "actions": [${action}]}}}`;

  test('completes names of actions, with descriptions', async () => {
    const { labels } = await at(inAction('{"type": "|"}'));
    expect(labels).toEqual(expect.arrayContaining(['"moveEntity"', '"createUnitAtPosition"', '"setVariable"']));
    const { hover } = await at(inAction('{"type": "move|Entity"}'));
    expect(hover).toContain('Moves an entity to a position');
  });

  test('completes the operands of an action, and functions in them', async () => {
    const { labels } = await at(inAction('{"type": "moveEntity", "|"}'));
    expect(labels).toEqual(expect.arrayContaining(['entity', 'position']));
    const inside = await at(inAction('{"type": "moveEntity", "entity": {"function": "|"}}'));
    expect(inside.labels).toEqual(expect.arrayContaining(['"getTriggeringUnit"', '"thisEntity"']));
    const nested = await at(inAction('{"type": "condition", "then": [{"type": "destroyEntity", "|"}]}'));
    expect(nested.labels).toContain('entity');
  });

  test('completes triggers, operators and data types', async () => {
    expect(
      (await at('{"unitTypes": {}, "scripts": {"a": {"triggers": [{"type": "|"}], "actions": []}}}')).labels,
    ).toContain('"secondTick"');
    const condition = '{"unitTypes": {}, "scripts": {"a": {"conditions": [{"operator": "|"}, 1, 2], "actions": []}}}';
    expect((await at(condition)).labels).toEqual(expect.arrayContaining(['"=="', '"AND"']));
    expect((await at('{"variables": {"a": {"dataType": "|"}}}')).labels).toContain('"number"');
  });

  test('reports nothing about a valid document, and one sentence about an invalid one', async () => {
    const sound = {
      unitTypes: { a: unitType({ name: 'A' }) },
      scripts: { b: script('secondTick', [{ type: 'endGame' }]) },
    };
    expect((await at(`|${JSON.stringify(sound)}`)).problems).toEqual([]);
    const { problems } = await at('|{"name": "package"}');
    expect(problems.map(({ message }) => message)).toEqual([
      'This is not a game definition: it has no section such as unitTypes, scripts or map.',
    ]);
  });
});
