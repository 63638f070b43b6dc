import { expect, test } from 'vitest';
import { plainCopy } from '../../../engine/rules/client/plain.ts';
import { EntityRef } from '../../../engine/world/entity.ts';

/** Data that leave the game: saved data, requests, messages to clients. */

test.each<[value: unknown, copy: unknown]>([
  [undefined, null],
  [null, null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  [0, 0],
  ['', ''],
  [false, false],
  [new EntityRef(0, 'unit', 'u7'), 'u7'],
  [
    { at: [1, undefined, new EntityRef(0, 'item', 'i2')], none: undefined },
    { at: [1, null, 'i2'], none: null },
  ],
])('%j is sent as %j', (value, copy) => {
  expect(plainCopy(value)).toEqual(copy);
});

test('a plain copy shares no object with the game', () => {
  const inside = { a: 1 };
  const copy = plainCopy({ inside }) as { inside: object };
  expect(copy.inside).toEqual(inside);
  expect(copy.inside).not.toBe(inside);
});

test('a member named `__proto__` is copied as an ordinary member', () => {
  const copy = plainCopy(JSON.parse('{"__proto__": {"a": 1}}')) as object;
  expect(Object.hasOwn(copy, '__proto__')).toBe(true);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test('an object that contains itself is copied to a limited depth', () => {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  expect(JSON.stringify(plainCopy(self))).toMatch(/^(\{"self":){50}null\}{50}$/);
});

test('objects that grow exponentially are copied up to a size limit', () => {
  let held: unknown = 1;
  for (let level = 0; level < 45; level++) held = { a: held, b: held };
  const copy = plainCopy(held) as Record<string, unknown>;
  expect(Object.keys(copy)).toEqual(['a', 'b']);
  expect(copy['b']).toBeNull();
});
