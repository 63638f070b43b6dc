import { describe, expect, test } from 'vitest';
import { Issues } from '../../engine/core/issue.ts';
import { readDefinition } from '../../engine/definition/read-definition.ts';

function open(document: unknown) {
  const issues = new Issues();
  const definition = readDefinition(document, issues);
  return { definition, complaints: issues.list.map(({ code, pointer }) => `${code} ${pointer}`), issues: issues.list };
}

describe('the three shapes of a document', () => {
  const data = { unitTypes: { hero: { name: 'Hero', inventorySize: 'five' } } };

  test.each([
    ['the answer of the service', { gameJson: { status: 'success', data } }, '/gameJson/data'],
    ['an export of the editor', { title: 'Game', data }, '/data'],
    ['the data alone', data, ''],
  ])('%s', (_name, document, pointer) => {
    const { definition, complaints } = open(document);
    expect(definition?.unitTypes.get('hero')?.name).toBe('Hero');
    expect(definition?.pointer).toBe(pointer);
    expect(definition?.unitTypes.get('hero')?.pointer).toBe(`${pointer}/unitTypes/hero`);
    expect(complaints).toEqual([`wrong-type ${pointer}/unitTypes/hero/inventorySize`]);
  });

  test.each([
    ['the answer of the service', { $schema: './x.json', gameJson: { status: 'success', data } }],
    ['an export of the editor', { $schema: './x.json', data }],
    ['the data alone', { $schema: './x.json', ...data }],
  ])('%s may name its schema', (_name, document) => {
    expect(open(document).complaints.filter((each) => !each.startsWith('wrong-type'))).toEqual([]);
  });

  test('a schema that is no text is told', () => {
    expect(open({ $schema: 5, data: {} }).complaints).toEqual(['wrong-type /$schema']);
  });

  test('metadata beside the data of an export is the metadata of the definition', () => {
    const { definition, complaints } = open({
      title: 'Game',
      frameRate: '15',
      isWorld: false,
      data: { title: 'Inner' },
    });
    expect(complaints).toEqual([]);
    expect(definition?.title).toBe('Inner');
    expect(definition?.defaultData).toMatchObject({ title: 'Game', frameRate: 15, isWorld: false });
  });

  test('metadata in `defaultData` comes before metadata beside the data, field by field', () => {
    const { definition } = open({ frameRate: 15, tier: '2', data: { defaultData: { frameRate: 30, tier: null } } });
    expect(definition?.defaultData.frameRate).toBe(30);
    expect(definition?.defaultData.tier).toBe('2');
  });

  test('issues about metadata point to where it is written', () => {
    const { complaints } = open({ frameRate: [], data: { defaultData: { playCount: 1.5 } } });
    expect(complaints).toEqual(['wrong-type /data/defaultData/playCount', 'wrong-type /frameRate']);
  });

  test('fields beside the data that are no metadata are unknown', () => {
    expect(open({ frameRat: 20, data: {} }).issues).toMatchObject([
      { code: 'unknown-field', pointer: '/frameRat', suggestion: 'frameRate' },
    ]);
  });
});

describe('documents that are refused', () => {
  test.each([
    ['a text', { data: 'none' }, '/data', '"none"'],
    ['an array', { data: [] }, '/data', 'an array'],
    ['null', { data: null }, '/data', 'null'],
  ])('`data` that is %s is told as such', (_name, document, pointer, found) => {
    const { definition, issues } = open(document);
    expect(definition).toBeUndefined();
    expect(issues).toMatchObject([{ code: 'not-a-definition', pointer, found }]);
    expect(issues[0]?.message).toBe(`\`data\` of a game definition must be an object of sections, not ${found}.`);
  });

  test.each([
    ['an export', { data: { data: { unitTypes: {} } } }, '/data/data'],
    ['an answer', { gameJson: { status: 'success', data: { data: {} } } }, '/gameJson/data/data'],
    ['an export, around an array', { data: { data: [] } }, '/data/data'],
  ])('`data` inside of `data` is an error: %s', (_name, document, pointer) => {
    const { definition, issues } = open(document);
    expect(definition).toBeUndefined();
    expect(issues).toMatchObject([
      { code: 'not-a-definition', pointer, message: expect.stringContaining('remove one of them') },
    ]);
  });

  test('`data` beside sections is an unknown field of a game that can be read', () => {
    const { definition, complaints } = open({ data: { data: {}, title: 'T' } });
    expect(definition?.title).toBe('T');
    expect(complaints).toEqual(['unknown-field /data/data']);
  });

  test.each([
    ['dta', { dta: { unitTypes: {} } }],
    ['result', { status: 200, result: { data: {} } }],
  ])('the member `%s` that has the definition is named', (key, document) => {
    const { issues } = open(document);
    expect(issues).toMatchObject([{ code: 'not-a-definition', pointer: '' }]);
    expect(issues[0]?.message).toContain(`seems to be in the member \`${key}\``);
  });

  test('an answer with another status says which', () => {
    const { definition, issues } = open({ gameJson: { status: 'error', data: {} } });
    expect(issues).toMatchObject([{ code: 'status-not-success', pointer: '/gameJson/status', found: '"error"' }]);
    expect(definition).toBeDefined();
  });

  test.each<[what: string, document: unknown, complaints: string[]]>([
    ['a number', 7, ['not-a-definition ']],
    ['null', null, ['not-a-definition ']],
    ['text', 'gameJson', ['not-a-definition ']],
    ['an array', [{ data: {} }], ['not-a-definition ']],
    ['an empty object', {}, ['not-a-definition ']],
    ['an object with other keys', { name: 'package', version: '1.0.0' }, ['not-a-definition ']],
    ['gameJson is no object', { gameJson: 1 }, ['wrong-type /gameJson']],
    ['there is no data', { gameJson: { status: 'success' } }, ['missing-field /gameJson']],
    ['data is no object', { gameJson: { status: 'success', data: [] } }, ['wrong-type /gameJson/data']],
    ['there is neither status nor data', { gameJson: {} }, ['missing-field /gameJson', 'missing-field /gameJson']],
    [
      'the status is wrong and there is no data',
      { gameJson: { status: 404 } },
      ['status-not-success /gameJson/status', 'missing-field /gameJson'],
    ],
  ])('%s', (_name, document, expected) => {
    const { definition, complaints } = open(document);
    expect(definition).toBeUndefined();
    expect(complaints).toEqual(expected);
  });

  test('an answer without a status is read, with an error', () => {
    const { definition, complaints } = open({ gameJson: { data: { title: 'T' } } });
    expect(definition?.title).toBe('T');
    expect(complaints).toEqual(['missing-field /gameJson']);
  });

  test('what lies beside the known keys of an answer is unknown', () => {
    expect(open({ gameJson: { status: 'success', data: {}, time: 1 }, page: 1 }).complaints).toEqual([
      'unknown-field /page',
      'unknown-field /gameJson/time',
    ]);
  });
});
