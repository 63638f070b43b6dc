import { expect, test } from 'vitest';
import { clientValues } from '../../../engine/script/values/client.ts';
import { vocabulary } from '../../../engine/tools.ts';
import { testValues } from './harness.ts';

testValues('clients', clientValues, {
  getCameraPosition: [[{}, undefined]],
  getCameraWidth: [[{}, undefined]],
  getCameraHeight: [[{}, undefined]],
  getUIElementProperty: [[{ elementId: 'a', key: 'b' }, undefined]],
});

test('every function without a value on the server has a reason', () => {
  const inert = [...vocabulary.values].filter(([, { why }]) => why !== undefined);
  expect(inert.length).toBeGreaterThan(0);
  expect(inert.filter(([, { why }]) => !why?.endsWith('.')).map(([type]) => type)).toEqual([]);
});
