import { describe, expect, test } from 'vitest';
import { type CatalogueOperation, catalogue } from '../../engine/index.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

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
      { key: 'count', type: 'number', optional: false, demanded: false, aliases: [] },
      { key: 'number', type: 'number', optional: true, demanded: false, aliases: ['delay'] },
      { key: 'actions', type: 'actions', optional: true, demanded: false, aliases: [] },
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

/**
 * The words of the reference engines of 2022 and 2024 and of their editors: actions and functions with the names of their operands, and triggers.
 * Every alias stands for itself.
 */
describe('compared with the vocabulary of the reference', () => {
  test.each([
    ['actions', actions, Object.keys(vocabulary.actions)],
    ['functions', functions, Object.keys(vocabulary.functions)],
    ['triggers', triggers, vocabulary.triggers],
  ] as const)('none of its %s is missing, and there are no others', (_, ours, there) => {
    const here = ours.flatMap(({ type, aliases }) => [type, ...aliases]);
    expect(here.toSorted()).toEqual([...there].toSorted());
  });

  test.each([
    ['actions', actions, vocabulary.actions],
    ['functions', functions, vocabulary.functions],
  ] as const)('the parameters of its %s are read', (_, ours: readonly CatalogueOperation[], there) => {
    const unread: string[] = [];
    for (const [name, operands] of Object.entries(there)) {
      const own = ours.find(({ type, aliases }) => type === name || aliases.includes(name));
      const keys = own?.params.flatMap(({ key, aliases }) => [key, ...aliases]) ?? [];
      for (const key of operands.split(' ')) if (key !== '' && !keys.includes(key)) unread.push(`${name}.${key}`);
    }
    expect(unread).toEqual([]);
  });
});
