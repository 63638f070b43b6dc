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
