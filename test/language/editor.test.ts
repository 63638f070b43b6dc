import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getLanguageService, type JSONDocument, TextDocument } from 'vscode-json-languageservice';
import { publishedSchema } from '../../src/language/schema.ts';
import { realGamePath, realGames } from '../support/real-games.ts';
import { samplesFolder } from '../support/samples.ts';
import { keyPlaces } from './places.ts';

const schema = publishedSchema();
const service = getLanguageService({});
service.configure({ schemas: [{ uri: 'memory://schema.json', fileMatch: ['*'], schema: structuredClone(schema) }] });

const samples = ['outbreak', 'infection', 'ray-casting', 'team-elimination'].map(
  (name) => `${samplesFolder}${name}.json`,
);
const largest = 'braains-io-original-2026.json';

function opened(text: string) {
  const document = TextDocument.create('file:///game.json', 'json', 1, text);
  return { document, parsed: service.parseJSONDocument(document) };
}

/** Hovers are Markdown; compares the sentence without its escapes. */
async function hoverAt(document: TextDocument, parsed: JSONDocument, offset: number): Promise<string> {
  const hover = await service.doHover(document, document.positionAt(offset), parsed);
  return String((hover?.contents as string[] | undefined)?.[0] ?? '').replaceAll(/\\([^\w\s])/g, '$1');
}

/** Tests fifty keys, evenly spread: the sentence of each, and that completion proposes the key. */
async function expectHelp(path: string): Promise<void> {
  const { document, parsed } = opened(readFileSync(path, 'utf8'));
  const root = (parsed as unknown as { readonly root: Parameters<typeof keyPlaces>[0] }).root;
  const known = keyPlaces(root, schema).filter(({ sentence }) => sentence !== undefined);
  const places = Array.from({ length: 50 }, (_, index) => known[Math.floor((index * known.length) / 50)]!);
  for (const { key, offset, sentence, isName } of places) {
    const said = await hoverAt(document, parsed, offset + 1);
    // The name of a trigger is followed by its description.
    expect.soft(said.split('\n\n')[0], `${key} at ${offset}`).toBe(sentence);
    const proposed = await service.doComplete(document, document.positionAt(offset + 1), parsed);
    const labels = proposed!.items.map(({ label }) => label);
    if (isName) expect.soft(labels, `at ${offset}`).toContain(key);
  }
}

describe('an editor with a whole game open', () => {
  test.each(samples)('describes and completes fifty places of %s', expectHelp);
  test.skipIf(!realGames.includes(largest))(
    'describes and completes fifty places of the largest real game (skipped where the folder is absent)',
    () => expectHelp(realGamePath(largest)),
    60_000,
  );

  test('finds nothing wrong with a sample', async () => {
    const { document, parsed } = opened(readFileSync(samples[0]!, 'utf8'));
    expect(await service.doValidation(document, parsed)).toEqual([]);
  });
});

describe('an editor', () => {
  async function hovers(marked: string): Promise<string> {
    const offset = marked.indexOf('|');
    const { document, parsed } = opened(marked.replace('|', ''));
    return hoverAt(document, parsed, offset);
  }
  async function proposals(marked: string): Promise<string[]> {
    const offset = marked.indexOf('|');
    const { document, parsed } = opened(marked.replace('|', ''));
    const found = await service.doComplete(document, document.positionAt(offset), parsed);
    return found!.items.map(({ label }) => label);
  }
  const action = (text: string): string => `{"unitTypes": {}, "scripts": {"a": {"actions": [${text}]}}}`;

  test.each([
    ['the number of a field', '{"unitTypes": {"a": {"inventorySize": |5}}}', /inventory/],
    ['the key of a field that refers to something', '{"scripts": {"a": {"par|ent": "b", "actions": []}}}', /folder/],
    ['a number in an action', action('{"type": "setTimeOut", "duration": |500}'), /time to wait, in milliseconds/],
    [
      'a call in an action',
      action('{"type": "moveEntity", "entity": {"function": "this|Entity"}}'),
      /for which this script runs/,
    ],
    ['metadata beside the data', '{"frame|Rate": 20, "data": {"unitTypes": {}}}', /second/],
  ])('explains the field %s', async (_what, marked, sentence) => {
    const said = await hovers(marked);
    expect(said).toMatch(sentence);
    expect(said).not.toMatch(/numeric string|counts? as absent/);
  });

  test('proposes only the operands of the current action', async () => {
    const labels = await proposals(action('{"type": "setTimeOut", "|"}'));
    expect(labels).toEqual(expect.arrayContaining(['duration', 'actions', 'comment']));
    expect(labels).not.toContain('entity');
  });

  test('proposes no operands before the action has a name', async () => {
    expect(await proposals(action('{"|"}'))).toEqual(expect.arrayContaining(['type', 'comment', 'disabled']));
    expect(await proposals(action('{"|"}'))).not.toContain('duration');
  });

  test('proposes keys of players and words of fields', async () => {
    expect(await proposals('{"unitTypes": {"a": {"controls": {"abilities": {"|"}}}}}')).toContain('space');
    expect(await proposals('{"unitTypes": {"a": {"controls": {"movementMethod": "|"}}}}')).toContain('"velocity"');
  });

  test.each([
    ['{"unitTypes": {"a": {"inventorySize": "five"}}}', 'Expected an integer.'],
    ['{"unitTypes": {"a": {"attributes": 5}}}', 'Expected an object or an array.'],
    ['{"unitTypes": {"a": {"bodies": {"b": {"affectedByGravity": "perhaps"}}}}}', 'Expected true or false.'],
    ['{"map": {"type": "world", "width": 1, "height": 1, "layers": []}}', 'Expected one of "map".'],
    ['{"scripts": {"a": {"name": "b"}}}', 'Missing property "actions".'],
  ])('reports one sentence about %s', async (text, message) => {
    const { document, parsed } = opened(text);
    const problems = await service.doValidation(document, parsed);
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });
});
