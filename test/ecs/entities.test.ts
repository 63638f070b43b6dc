import { expect, test } from 'vitest';
import { EntityTable, Rows } from '../../engine/ecs/entities.ts';
import { generationOf, noEntity, rowOf } from '../../engine/ecs/entity.ts';

function tableOf(rows: number): EntityTable {
  return new EntityTable(Rows.store.create(rows));
}
const nobody = (): boolean => false;
const nothing = (): void => {};

test('row 0 is never used', () => {
  const table = tableOf(3);
  expect(rowOf(table.create())).toBe(1);
  expect(table.exists(noEntity)).toBe(false);
  expect(table.remembers(noEntity)).toBe(false);
});

test('a released entity no longer exists but is remembered; its row is reused with another generation', () => {
  const table = tableOf(3);
  const first = table.create();
  table.release(first);
  expect([table.exists(first), table.remembers(first), table.count]).toEqual([false, true, 0]);
  const other = table.create();
  expect(rowOf(other)).toBe(2);
  expect(table.hasRoom).toBe(false);
  table.freeReleased(1, nobody, nothing);
  expect([table.remembers(first), table.order.entries]).toEqual([false, [other]]);
  const second = table.create();
  expect([rowOf(second), generationOf(second)]).toEqual([rowOf(first), 1]);
  expect(table.exists(first)).toBe(false);
  expect(table.order.entries).toEqual([other, second]);
});

test('held entities stay remembered and are checked again', () => {
  const table = tableOf(4);
  const [held, free] = [table.create(), table.create()];
  for (const entity of [held, free]) table.release(entity);
  const cleared: number[] = [];
  const clear = (row: number): void => void cleared.push(row);
  table.freeReleased(2, (entity) => entity === held, clear);
  expect([cleared, table.leaving, table.order.entries]).toEqual([[rowOf(free)], [held], []]);
  table.freeReleased(1, nobody, clear);
  expect([cleared, table.freeRows]).toEqual([
    [rowOf(free), rowOf(held)],
    [rowOf(free), rowOf(held)],
  ]);
});

test('a released entity cannot be released again', () => {
  const table = tableOf(3);
  const entity = table.create();
  table.release(entity);
  expect(() => table.release(entity)).toThrow('only an existing entity can be released');
});
