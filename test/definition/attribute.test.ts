import { describe, expect, test } from 'vitest';
import { complaints, read } from './support.ts';

function attribute(given: object) {
  return read({ attributeTypes: { health: given } }).definition.attributeTypes.get('health');
}

describe('an attribute', () => {
  test('in full', () => {
    const given = {
      name: 'Health',
      min: '0',
      max: '100',
      value: '50.5',
      regenerateSpeed: '-.25',
      isVisible: ['centerBar', 'unitBarHostile'],
      displayValue: true,
      showAsHUD: 'false',
      color: 'white',
      decimalPlaces: 2,
      dataType: '',
      showWhen: 'valueChanges',
      keys: 'immunity',
      streamMode: '1',
      dimensions: { width: 97 },
    };
    expect(attribute(given)).toMatchObject({
      ...given,
      key: 'health',
      pointer: '/data/attributeTypes/health',
      min: 0,
      max: 100,
      value: 50.5,
      regenerateSpeed: -0.25,
      showAsHUD: false,
      streamMode: 1,
    });
    expect(complaints({ attributeTypes: { health: given } })).toEqual([]);
  });

  test.each([
    ['nothing', {}, { min: undefined, max: undefined, value: undefined, regenerateSpeed: 0, isVisible: [] }],
    ['a value of null is 0', { value: null }, { value: 0 }],
    ['an empty value is none', { value: '' }, { value: undefined }],
    ['absent bounds', { min: null, max: '' }, { min: undefined, max: undefined }],
    ['no drift', { regenerateSpeed: null }, { regenerateSpeed: 0 }],
    ['visible', { isVisible: true }, { isVisible: ['everywhere'] }],
    ['visible as text', { isVisible: 'true' }, { isVisible: ['everywhere'] }],
    ['hidden', { isVisible: false }, { isVisible: [] }],
    ['hidden by an empty list', { isVisible: [] }, { isVisible: [] }],
    ['decimal places of null', { decimalPlaces: null }, { decimalPlaces: undefined }],
  ])('%s', (_name, given, normal) => {
    expect(attribute(given)).toMatchObject(normal);
  });

  test.each([
    [{ value: 'much' }, 'wrong-type /data/attributeTypes/health/value'],
    [{ value: [] }, 'wrong-type /data/attributeTypes/health/value'],
    [{ min: {} }, 'wrong-type /data/attributeTypes/health/min'],
    [{ isVisible: 3 }, 'wrong-type /data/attributeTypes/health/isVisible'],
    [{ isVisible: [1] }, 'wrong-type /data/attributeTypes/health/isVisible/0'],
    [{ decimalPlaces: 0.5 }, 'wrong-type /data/attributeTypes/health/decimalPlaces'],
    [{ regenerateSped: 1 }, 'unknown-field /data/attributeTypes/health/regenerateSped'],
  ])('%j is wrong', (given, complaint) => {
    expect(complaints({ attributeTypes: { health: given } })).toEqual([complaint]);
  });
});

describe('bounds', () => {
  const at = '/data/attributeTypes/health';
  test.each([
    ['within', { min: 0, max: 10, value: 10 }, []],
    ['below', { min: 0, max: 10, value: -1 }, [['attribute-out-of-bounds', `${at}/value`]]],
    ['above', { min: '0', max: '10', value: '11' }, [['attribute-out-of-bounds', `${at}/value`]]],
    ['above without a min', { max: 10, value: 11 }, [['attribute-out-of-bounds', `${at}/value`]]],
    ['null below a positive min', { min: 1, max: 10, value: null }, [['attribute-out-of-bounds', `${at}/value`]]],
    ['no value', { min: 1, max: 10 }, []],
    ['no bounds', { value: 1000 }, []],
    ['crossed', { min: 10, max: 0, value: 5 }, [['attribute-bounds-crossed', `${at}`]]],
  ])('%s', (_name, given, expected) => {
    const { issues } = read({ attributeTypes: { health: given } });
    expect(issues.map(({ code, pointer }) => [code, pointer])).toEqual(expected);
  });

  test('the attributes of types are looked at, too', () => {
    const attributes = { a: { min: 0, max: 1, value: 2 } };
    const data = {
      unitTypes: { u: { attributes } },
      itemTypes: { i: { attributes } },
      playerTypes: { p: { attributes } },
      factions: { f: { attributes } },
    };
    expect(read(data).issues.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['attribute-out-of-bounds', '/data/unitTypes/u/attributes/a/value'],
      ['attribute-out-of-bounds', '/data/itemTypes/i/attributes/a/value'],
      ['attribute-out-of-bounds', '/data/playerTypes/p/attributes/a/value'],
      ['attribute-out-of-bounds', '/data/factions/f/attributes/a/value'],
    ]);
  });
});
