import { describe, expect, test } from 'vitest';
import { comparison } from '../../engine/script/compiling/condition.ts';
import { EntityRef } from '../../engine/world/entity.ts';

/**
 * The comparisons of the reference engines are those of JavaScript, after two conversions (reference:
 * conditions#entities, conditions#equality). They are implemented here as described; ours must give the same result for
 * everything that scripts can compare.
 */

interface Told {
  readonly _id: string;
}
const place = { x: 1 };
const list = [1];

/** Values that we compare, and their counterparts in the reference; only entities differ. */
const values: readonly (readonly [ours: unknown, theirs: unknown])[] = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  -1,
  5,
  0.1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  '',
  ' ',
  '0',
  '1',
  '5',
  '10',
  '9',
  'x',
  'u1',
  'true',
  'false',
  'null',
  'undefined',
  '1,2',
  '[object Object]',
  place,
  {},
  [],
  list,
  [1],
  [null],
  ['5'],
  [1, 2],
  [[1]],
  [{}],
].map((value) => [value, value] as const);

const entities = ['u1', 'u2'].map((id, i) => [new EntityRef(i + 1, 'unit', id), { _id: id }] as const);
const all = [...values, ...entities, [place, place] as const, [list, list] as const];

/** Two entities are compared by id. */
function normal(left: unknown, right: unknown): [unknown, unknown] {
  const a = (left as Told | null | undefined)?._id;
  const b = (right as Told | null | undefined)?._id;
  return a !== undefined && b !== undefined ? [a, b] : [left, right];
}

function written(side: unknown): unknown {
  const present = side ?? false;
  return typeof present === 'object' ? present : JSON.stringify(present);
}

type Compare = (a: never, b: never) => boolean;
const told: Readonly<Record<string, Compare>> = {
  // biome-ignore lint/suspicious/noDoubleEquals: it is what the reference does.
  '==': (a, b) => written(a) == written(b),
  // biome-ignore lint/suspicious/noDoubleEquals: it is what the reference does.
  '!=': (a, b) => a != b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

describe.each(Object.keys(told))('`%s` in moddio', (operator) => {
  const ours = comparison(operator, '', 'reference')!;

  test.each(all)('with %j on the left', (left, theirLeft) => {
    const differing = all.filter(([right, theirRight]) => {
      const [a, b] = normal(theirLeft, theirRight);
      return ours(left, right) !== told[operator]!(a as never, b as never);
    });
    expect(differing.map(([right]) => right)).toEqual([]);
  });
});
