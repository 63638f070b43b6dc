import { expect, test } from 'vitest';
import { withChanges } from '../../src/load/changed.ts';

const data = { unitTypes: { zombie: { speed: 5, 'a/b': 1 } }, tiles: [1, 2, 3] };

test.each([
  ['the bare data', data, (each: never) => each],
  ['an export', { title: 'x', data }, ({ data: inner }: { data: unknown }) => inner],
  [
    'an envelope',
    { gameJson: { status: 'success', data } },
    ({ gameJson }: { gameJson: { data: unknown } }) => gameJson.data,
  ],
])('changing a member of %s leaves the original unchanged', (_, document, inside) => {
  const before = structuredClone(document);
  const after = withChanges(document, [
    { path: 'unitTypes.zombie.speed', value: 9 },
    { path: '/unitTypes/zombie/a~1b', value: null },
    { path: 'tiles.1', value: 'x' },
  ]);
  expect(inside(after as never)).toEqual({ unitTypes: { zombie: { speed: 9, 'a/b': null } }, tiles: [1, 'x', 3] });
  expect(document).toEqual(before);
});

test.each([
  ['unitTypes.zombi.speed', '"zombi" does not exist. Did you mean "zombie"?'],
  ['tiles.3', '"3" does not exist'],
  ['unitTypes.zombie.speed.max', '"max" does not exist'],
  ['constructor', '"constructor" does not exist'],
])('an invalid path is refused: %s', (path, why) => {
  expect(() => withChanges(data, [{ path, value: 1 }])).toThrow(why);
});
