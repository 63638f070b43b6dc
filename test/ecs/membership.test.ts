import { expect, test } from 'vitest';
import { component, type Tag, tag } from '../../engine/ecs/component.ts';
import { ComponentSet } from '../../engine/ecs/component-set.ts';
import { EntityTable, Rows } from '../../engine/ecs/entities.ts';
import { type Entity, rowOf } from '../../engine/ecs/entity.ts';
import { Membership } from '../../engine/ecs/membership.ts';
import { f64, list, record, text } from '../../engine/schema/index.ts';

const Place = component('place', { x: f64(), scale: f64(1) });
const Burning = component('burning', { since: f64(-1) });
const Frozen = tag('frozen');
const set = new ComponentSet({ rows: Rows, place: Place, burning: Burning, frozen: Frozen });

function world() {
  const stores = set.create(20);
  const table = new EntityTable(stores.rows);
  const membership = new Membership(set, table, stores.rows);
  return {
    stores,
    table,
    membership,
    make(...components: readonly Tag[]): Entity {
      const entity = table.create();
      membership.begin(entity, set.maskOf(...components));
      return entity;
    },
    end(entity: Entity): void {
      table.release(entity);
      membership.end(entity);
    },
  };
}

test('an entity has its initial components, and can gain and lose components', () => {
  const { stores, membership, make } = world();
  const entity = make(Place, Frozen);
  const row = rowOf(entity);
  const has = () => [Place, Burning, Frozen].map((each) => membership.has(entity, each));
  expect(has()).toEqual([true, false, true]);
  membership.add(entity, Burning, stores.burning);
  expect([...has(), stores.burning.since[row]]).toEqual([true, true, true, -1]);
  stores.burning.since[row] = 5;
  membership.add(entity, Burning, stores.burning);
  expect(stores.burning.since[row]).toBe(5);
  membership.remove(entity, Burning, stores.burning);
  expect([...has(), stores.burning.since[row]]).toEqual([true, false, true, 0]);
  membership.remove(entity, Burning, stores.burning);
  expect(has()).toEqual([true, false, true]);
});

test('an entity that no longer exists has no components and cannot get any', () => {
  const { stores, membership, make, end } = world();
  const entity = make(Place);
  end(entity);
  expect(membership.has(entity, Place)).toBe(false);
  expect(() => membership.add(entity, Burning, stores.burning)).toThrow('only an existing entity gets components');
});

test('a query stays up to date, oldest first, and equal queries are shared', () => {
  const { stores, table, membership, make, end } = world();
  const [a, b, c] = [make(Place), make(Place, Frozen), make(Place, Burning)] as const;
  const burning = membership.query(Place, Burning);
  expect(burning.entries).toEqual([c]);
  expect(membership.query(Burning, Place)).toBe(burning);
  membership.add(a, Burning, stores.burning);
  const d = make(Burning, Place);
  make(Burning);
  membership.add(b, Burning, stores.burning);
  expect(burning.entries).toEqual([a, b, c, d]);
  membership.remove(c, Burning, stores.burning);
  end(b);
  expect([burning.entries, burning.tombstones]).toEqual([[a, b, d], 1]);
  membership.compact();
  expect(burning.entries).toEqual([a, d]);
  expect(membership.query(Frozen).entries).toEqual([]);
  expect(table.order.entries.length).toBe(5);
});

test('a component is listed once in a set, under its own name', () => {
  expect(() => new ComponentSet({ rows: Rows, other: Place })).toThrow(
    'component other is listed once, under its own name',
  );
  expect(() => set.maskOf(tag('unknown'))).toThrow('unknown is a component of this world');
});

test('a component can be a value for each entity that has it', () => {
  const Bag = component('bag', record({ label: text('empty'), things: list(f64()) }));
  const set = new ComponentSet({ rows: Rows, place: Place, bag: Bag });
  const stores = set.create(20);
  const table = new EntityTable(stores.rows);
  const membership = new Membership(set, table, stores.rows);
  const [a, b] = [table.create(), table.create()];
  for (const entity of [a, b]) membership.begin(entity, set.maskOf(Place));
  membership.add(b, Bag, stores.bag);
  expect([stores.bag[rowOf(a)], stores.bag[rowOf(b)]]).toEqual([undefined, { label: 'empty', things: [] }]);
  expect(set.valuesOf(stores, rowOf(b))).toEqual([
    ['rows', { generation: 0, life: 1, serial: 2, ...set.maskOf(Place, Bag) }],
    ['place', { x: 0, scale: 0 }],
    ['bag', { label: 'empty', things: [] }],
  ]);
  membership.remove(b, Bag, stores.bag);
  expect([stores.bag[rowOf(b)], membership.has(b, Bag)]).toEqual([undefined, false]);
});

test('columns are replaced when rows run out, without losing values', () => {
  const stores = set.create(2);
  const table = new EntityTable(stores.rows, 9);
  const { place } = stores;
  const { x } = place;
  for (let i = 0; i < 8; i++) {
    set.reserve(stores, table.rowsNeeded);
    stores.place.x[rowOf(table.create())] = i;
  }
  expect([table.hasRoom, stores.place === place, stores.place.x === x]).toEqual([false, true, false]);
  expect([...stores.place.x.subarray(0, 9)]).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7]);
  expect(Array.from(set.slice(stores, table.rowsUsed).rows.serial)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});
