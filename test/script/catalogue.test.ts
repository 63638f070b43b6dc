import { expect, test } from 'vitest';
import { catalogue } from '../../engine/index.ts';

const { actions, functions, triggers } = catalogue();
const operations = [...actions, ...functions];

test('every operation is listed once, under its own name', () => {
  for (const list of [actions, functions, triggers]) {
    const names = list.flatMap(({ type, aliases }) => [type, ...aliases]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  }
});

test('every operation has a family; functions have a result type, actions have none', () => {
  expect(operations.filter(({ family }) => family === '').map(({ type }) => type)).toEqual([]);
  expect(actions.filter(({ returns }) => returns !== undefined).map(({ type }) => type)).toEqual([]);
  expect(functions.filter(({ returns }) => returns === undefined).map(({ type }) => type)).toEqual([]);
});

test('exactly the inert operations have a reason', () => {
  for (const { type, status, why } of operations) expect(why !== undefined, type).toBe(status === 'inert');
});

test('the catalogue has the whole entry of an operation', () => {
  expect(actions.find(({ type }) => type === 'repeatWithDelay')).toEqual({
    type: 'repeatWithDelay',
    about: expect.stringContaining('Runs the actions `count` times'),
    example: { number: 1000 },
    status: 'world',
    family: 'control-flow',
    params: [
      { key: 'count', type: 'number', optional: false, demanded: false, aliases: [] },
      {
        key: 'number',
        type: 'number',
        about: 'The time between two iterations, in milliseconds.',
        optional: true,
        demanded: false,
        aliases: ['delay'],
      },
      {
        key: 'actions',
        type: 'actions',
        about: 'The actions that run in each iteration.',
        optional: true,
        demanded: false,
        aliases: [],
      },
    ],
    aliases: [],
  });
  expect(triggers.find(({ type }) => type === 'entityTouchesItem')).toEqual({
    type: 'entityTouchesItem',
    about: 'This entity begins to touch an item.',
    scopes: ['unit', 'item', 'projectile'],
    delivery: 'direct',
    tells: ['item'],
    tellsSometimes: ['unit', 'projectile'],
    aliases: [],
  });
});

test('the catalogue is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(catalogue()))).toEqual(catalogue());
});
