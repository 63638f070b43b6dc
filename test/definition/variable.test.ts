import { describe, expect, test } from 'vitest';
import { complaints, read } from './support.ts';

function variable(given: object) {
  return read({ variables: { v: given } }).definition.variables.get('v');
}

describe('a variable', () => {
  test.each([
    ['number', { dataType: 'number', default: 0.1 }, 0.1],
    ['number as text', { dataType: 'number', default: '0.999' }, 0.999],
    ['number that is empty', { dataType: 'number', default: '' }, undefined],
    ['number that is null', { dataType: 'number', default: null }, undefined],
    ['boolean', { dataType: 'boolean', default: false }, false],
    ['boolean as text', { dataType: 'boolean', default: 'true' }, true],
    ['string', { dataType: 'string', default: 'preoutbreak' }, 'preoutbreak'],
    ['string as a number', { dataType: 'string', default: 0.5 }, '0.5'],
    ['empty string', { dataType: 'string', default: '' }, ''],
    ['position', { dataType: 'position', default: { x: '5', y: 6 } }, { x: 5, y: 6 }],
    [
      'region',
      { dataType: 'region', default: { x: 1, y: '2', width: '30', height: 40 } },
      { x: 1, y: 2, width: 30, height: 40 },
    ],
    [
      'region without a corner',
      { dataType: 'region', default: { width: 30, height: 40 } },
      { x: 0, y: 0, width: 30, height: 40 },
    ],
    ['player', { dataType: 'player', default: 'computer1' }, 'computer1'],
    ['unit', { dataType: 'unit' }, undefined],
    ['unit with nothing', { dataType: 'unit', default: '' }, undefined],
    ['object', { dataType: 'object', default: { a: { b: [1] } } }, { a: { b: [1] } }],
    ['group', { dataType: 'itemTypeGroup', default: {} }, {}],
    ['no type', { default: 5 }, 5],
  ])('%s', (_name, given, initial) => {
    const normal = variable(given);
    if (typeof initial === 'object') expect(normal?.default).toMatchObject(initial);
    else expect(normal?.default).toBe(initial);
    expect(normal?.hasDefault).toBe(initial !== undefined);
    expect(complaints({ variables: { v: given } })).toEqual([]);
  });

  test('has further fields', () => {
    const given = {
      dataType: 'region',
      default: { x: 0, y: 0, width: 1, height: 1 },
      deleteKey: 'Region1',
      streamMode: '1',
      key: 'other',
      defaultKey: 'k',
    };
    expect(variable(given)).toMatchObject({
      key: 'v',
      pointer: '/data/variables/v',
      dataType: 'region',
      deleteKey: 'Region1',
      streamMode: 1,
      defaultKey: 'k',
    });
  });

  test.each([
    [{ dataType: 'number', default: 'ten' }],
    [{ dataType: 'number', default: {} }],
    [{ dataType: 'boolean', default: 1 }],
    [{ dataType: 'string', default: true }],
    [{ dataType: 'position', default: 5 }],
    [{ dataType: 'region', default: [0, 0, 1, 1] }],
  ])('%j has a default of another type', (given) => {
    expect(complaints({ variables: { v: given } })).toEqual(['wrong-type /data/variables/v/default']);
    expect(variable(given)).toMatchObject({ default: undefined, hasDefault: false });
  });

  test('a default is frozen and leaves the document alone', () => {
    const given = { dataType: 'object', default: { list: [] } };
    const normal = variable(given);
    expect(Object.isFrozen((normal!.default as { list: unknown }).list)).toBe(true);
    expect(Object.isFrozen(given.default.list)).toBe(false);
  });

  test('is declared in several places', () => {
    const variables = { v: { dataType: 'number', default: '1' } };
    const { definition } = read({
      entityTypeVariables: variables,
      playerTypeVariables: variables,
      unitTypes: { u: { variables } },
      itemTypes: { i: { variables }, none: { variables: [] } },
      projectileTypes: { p: { variables } },
      playerTypes: { p: { variables } },
    });
    const { entityTypeVariables, playerTypeVariables, unitTypes, itemTypes, projectileTypes, playerTypes } = definition;
    const types = [unitTypes.get('u'), itemTypes.get('i'), projectileTypes.get('p'), playerTypes.get('p')];
    for (const each of [entityTypeVariables, playerTypeVariables, ...types.map((type) => type?.variables)]) {
      expect(each?.get('v')?.default).toBe(1);
    }
    expect(itemTypes.get('none')?.variables.size).toBe(0);
  });
});
