import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type CatalogueOperation, catalogue } from '../../engine/index.ts';

const { actions, functions, triggers } = catalogue();
const operations = [...actions, ...functions];

test('every operation is listed once, under its own name', () => {
  for (const list of [actions, functions, triggers]) {
    const names = list.flatMap(({ type, aliases }) => [type, ...aliases]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  }
});

test('every operation has a family; functions say what they give, actions give nothing', () => {
  expect(operations.filter(({ family }) => family === '').map(({ type }) => type)).toEqual([]);
  expect(actions.filter(({ returns }) => returns !== undefined).map(({ type }) => type)).toEqual([]);
  expect(functions.filter(({ returns }) => returns === undefined).map(({ type }) => type)).toEqual([]);
});

test('what is inert says why, and nothing else does', () => {
  for (const { type, status, why } of operations) expect(why !== undefined, type).toBe(status === 'inert');
});

test('an operation as the catalogue shows it', () => {
  expect(actions.find(({ type }) => type === 'repeatWithDelay')).toEqual({
    type: 'repeatWithDelay',
    status: 'world',
    family: 'control-flow',
    params: [
      { key: 'count', type: 'number', optional: false, aliases: [] },
      { key: 'number', type: 'number', optional: true, aliases: ['delay'] },
      { key: 'actions', type: 'actions', optional: true, aliases: [] },
    ],
    aliases: [],
  });
  expect(triggers.find(({ type }) => type === 'entityTouchesItem')).toEqual({
    type: 'entityTouchesItem',
    scopes: ['unit', 'item', 'projectile'],
    delivery: 'direct',
    tells: ['item'],
    tellsSometimes: ['unit', 'projectile'],
    aliases: [],
  });
});

test('it is plain data', () => {
  expect(JSON.parse(JSON.stringify(catalogue()))).toEqual(catalogue());
});

// What the reference engines and their editors know, where that is at hand.
const folder = fileURLToPath(new URL('../../../shared/reference/', import.meta.url));
interface ReferenceRow {
  readonly type?: string;
  readonly function?: string;
  readonly aliases?: readonly string[];
  readonly legacyNames?: readonly string[];
  readonly params?: readonly { readonly key: string }[];
}

function rows(file: string): readonly ReferenceRow[] {
  return JSON.parse(readFileSync(`${folder}${file}.json`, 'utf8')) as ReferenceRow[];
}

function nameOf(row: ReferenceRow): string {
  return row.type ?? row.function ?? '';
}

describe.skipIf(!existsSync(folder))('compared with the reference', () => {
  test.each([
    ['actions', actions],
    ['functions', functions],
    ['triggers', triggers],
  ] as const)('none of its %s is missing, and there are no others', (file, ours) => {
    const here = new Set(ours.flatMap(({ type, aliases }) => [type, ...aliases]));
    const there = new Set(
      rows(file).flatMap((row) => [nameOf(row), ...(row.aliases ?? []), ...(row.legacyNames ?? [])]),
    );
    expect([...there].filter((name) => !here.has(name))).toEqual([]);
    expect([...here].filter((name) => !there.has(name))).toEqual([]);
  });

  test.each([
    ['actions', actions],
    ['functions', functions],
  ] as const)('the parameters of its %s are read', (file, ours: readonly CatalogueOperation[]) => {
    const unread: string[] = [];
    for (const row of rows(file)) {
      const own = ours.find(({ type, aliases }) => type === nameOf(row) || aliases.includes(nameOf(row)));
      const keys = own?.params.flatMap(({ key, aliases }) => [key, ...aliases]) ?? [];
      for (const { key } of row.params ?? []) {
        // `position.x` is a member of the parameter `position`.
        if (!keys.includes(key.split('.')[0]!)) unread.push(`${nameOf(row)}.${key}`);
      }
    }
    expect(unread).toEqual([]);
  });
});
