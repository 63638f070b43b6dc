import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { spellingsOf } from '../../engine/tools.ts';
import { fixIssues } from '../../src/load/fix-issues.ts';
import { isLong } from '../support/property.ts';
import { realGamesFolder } from '../support/real-games.ts';

const samples = fileURLToPath(new URL('../../scenarios/games/', import.meta.url));
const files = [samples, realGamesFolder]
  .filter(existsSync)
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  .filter((path) => path.endsWith('.json'));

/** A definition as the engine sees it, without locations in the document, which change when a member is renamed. */
function normalForm(document: unknown): unknown {
  const { game } = loadDefinition(document);
  return JSON.parse(
    JSON.stringify(game!.definition, (key, value: unknown) => {
      if (key === 'pointer') return undefined;
      return value instanceof Map || (value as { entries?: unknown } | null)?.entries instanceof Function
        ? [...(value as Map<string, unknown>)]
        : value;
    }),
  );
}

describe.each(isLong ? files : files.filter((path) => statSync(path).size < 150_000))('%s', (path) => {
  const text = readFileSync(path, 'utf8');

  test('means the same in current spelling', () => {
    const { text: after, respelt } = fixIssues(text, []);
    expect(respelt.length).toBe(spellingsOf(JSON.parse(text)).length);
    const document: unknown = JSON.parse(after);
    expect(spellingsOf(document)).toEqual([]);
    expect(normalForm(document)).toEqual(normalForm(JSON.parse(text)));
  });
});

test('a text that is meant as text is kept', () => {
  const variables = { lives: { dataType: 'number', default: '3' }, name: { dataType: 'string', default: '3' } };
  expect(spellingsOf({ data: { variables, unitTypes: { hero: { name: '7', baseSpeed: '4' } } } })).toEqual([
    { kind: 'number', pointer: '/data/unitTypes/hero/baseSpeed', right: 4 },
  ]);
});

test('an older name that is overridden is kept', () => {
  const hero = { defaultItems: [{ key: 'axe' }], defaultItem: [{ key: 'bow' }] };
  expect(spellingsOf({ data: { unitTypes: { hero } } })).toEqual([]);
  expect(spellingsOf({ data: { unitTypes: { hero: { defaultItem: [] } } } })).toMatchObject([
    { kind: 'name', right: 'defaultItems' },
  ]);
});
