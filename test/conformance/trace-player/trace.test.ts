import { expect, test } from 'vitest';
import { wholeSamples } from './trace.ts';

test('members that a sample leaves out have their last values', () => {
  const [, second] = wholeSamples([
    {
      t: 0,
      units: [{ id: 'u1', x: 1, state: 'idle' }],
      variables: { a: 1, b: 2 },
      players: [{ id: 'p1', name: 'p1' }],
    },
    { t: 0.05, units: [{ id: 'u1', x: 2 }], variables: { b: 3 } },
  ]);
  expect(second!.entities.units.get('u1')).toEqual({ id: 'u1', x: 2, state: 'idle' });
  expect(second!.variables).toEqual({ a: 1, b: 3 });
  expect(second!.entities.players.get('p1')).toEqual({ id: 'p1', name: 'p1' });
});

test('an entity that is not listed is gone; players stay until they are listed again', () => {
  const [, second, third] = wholeSamples([
    { t: 0, units: [{ id: 'u1' }, { id: 'u2' }], players: [{ id: 'p1' }] },
    { t: 0.05, units: [{ id: 'u2' }] },
    { t: 0.1, players: [] },
  ]);
  expect([...second!.entities.units.keys()]).toEqual(['u2']);
  expect([...second!.entities.players.keys()]).toEqual(['p1']);
  expect([...third!.entities.units.keys()]).toEqual([]);
  expect([...third!.entities.players.keys()]).toEqual([]);
});

test('a known value is not a value of another entity', () => {
  const [, second] = wholeSamples([
    { t: 0, units: [{ id: 'u1', state: 'idle' }] },
    { t: 0.05, units: [{ id: 'u2' }] },
  ]);
  expect(second!.entities.units.get('u2')).toEqual({ id: 'u2' });
});
