import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { json, list, Revisions, record, StateDigest, valuesByRow } from '../../engine/schema/index.ts';

interface Row {
  values: unknown[];
}

const noParts = { numberOf: () => -1, at: () => undefined, isOf: () => false };

const rowsMax = 150;
const store = valuesByRow(record({ values: list(json()) }));

const row = fc.nat(rowsMax - 1);
const value = fc.oneof(
  fc.integer(),
  fc.string({ maxLength: 2 }),
  fc.record({ x: fc.integer(), y: fc.integer() }),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const act = fc.oneof(
  fc.record({ is: fc.constant('put' as const), row, values: fc.array(value, { maxLength: 4 }) }),
  fc.record({ is: fc.constant('clear' as const), row }),
  fc.record({ is: fc.constant('changeInside' as const), row, by: fc.integer({ min: 1 }) }),
  fc.record({ is: fc.constant('share' as const), row, with: row }),
  fc.record({ is: fc.constant('reverse' as const) }),
  fc.record({ is: fc.constant('look' as const), rows: fc.integer({ min: 1, max: rowsMax }) }),
);

describe('a digest that remembers rows', () => {
  it('is that of one that has seen nothing before, also of lists and objects that change without a revision', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 5, maxLength: 60 }), (acts) => {
        const values: (Row | undefined)[] = new Array<Row | undefined>(rowsMax).fill(undefined);
        const revisions = new Revisions(new Int32Array(3), new Int32Array(rowsMax));
        const old = new StateDigest(noParts, []);
        const digest = (by: StateDigest, rows: number) => by.of((to) => to.chunks(store, values, rows, revisions));
        for (const each of [...acts, { is: 'look' as const, rows: rowsMax }]) {
          if (each.is === 'look') expect(digest(old, each.rows)).toBe(digest(new StateDigest(noParts, []), each.rows));
          else if (each.is === 'reverse') {
            values.reverse();
            revisions.countAll();
          } else if (each.is === 'changeInside') {
            for (const held of values[each.row]?.values ?? []) {
              if (Array.isArray(held)) held.push(each.by);
              else if (typeof held === 'object') (held as { x: number }).x += each.by;
            }
          } else {
            revisions.count(each.row);
            if (each.is === 'clear') values[each.row] = undefined;
            else if (each.is === 'put') values[each.row] = { values: structuredClone(each.values) };
            else values[each.row] = { values: [...(values[each.with]?.values ?? [])] };
          }
        }
      }),
    );
  });

  it('differs when a list that a row holds differs inside', () => {
    const inner = [1];
    const values: (Row | undefined)[] = [undefined, { values: ['a', inner, 3] }];
    const revisions = new Revisions(new Int32Array(1), new Int32Array(2));
    const digest = new StateDigest(noParts, []);
    const look = () => digest.of((to) => to.chunks(store, values, 2, revisions));
    const before = look();
    inner.push(2);
    const after = look();
    expect(after).not.toBe(before);
    inner.pop();
    expect(look()).toBe(before);
  });
});
