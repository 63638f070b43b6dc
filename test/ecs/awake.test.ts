import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AwakeList } from '../../engine/ecs/awake.ts';
import { type Entity, makeEntity, rowOf } from '../../engine/ecs/entity.ts';
import { runs } from '../support/property.ts';

const capacity = 5000;

/** The simplest implementation: each pass checks every entity in turn. */
class PlainList {
  entries: Entity[] = [];
  readonly awake = new Set<Entity>();
  readonly gone = new Set<Entity>();
}

type Step =
  | readonly ['add', number]
  | readonly ['moveToEnd' | 'destroy' | 'wake' | 'rest', number]
  | readonly ['compact' | 'pass' | 'restore'];

const index = fc.nat({ max: 3000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant('add' as const), fc.constantFrom(1, 2, 40, 1500)),
  fc.tuple(fc.constantFrom('moveToEnd' as const, 'destroy' as const, 'wake' as const, 'rest' as const), index),
  fc.tuple(fc.constant('rest' as const), index),
  fc.tuple(fc.constantFrom('compact' as const, 'pass' as const, 'restore' as const)),
);

test('a pass visits the awake entities, newest first, after any sequence of operations', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let list = new AwakeList(capacity);
      const plain = new PlainList();
      let row = 1;
      const isAlive = (entity: Entity) => !plain.gone.has(entity);
      const some = (number: number) => plain.entries[number % Math.max(1, plain.entries.length)];
      const positionOf = (entity: Entity) => list.entries.indexOf(entity);
      const compact = () => {
        list.compact(isAlive);
        plain.entries = plain.entries.filter(isAlive);
      };
      for (const each of steps) {
        const [what] = each;
        const entity = each.length === 2 && what !== 'add' ? some(each[1]) : undefined;
        if (what === 'add') {
          for (let i = 0; i < each[1] && row < capacity; i++) {
            const made = makeEntity(row++, 0);
            list.add(made);
            plain.entries.push(made);
            plain.awake.add(made);
          }
        } else if (what === 'compact') {
          compact();
        } else if (what === 'restore') {
          const copy = new AwakeList(capacity);
          copy.restore(list.entries, list.tombstones);
          list = copy;
          for (const each of plain.entries) plain.awake.add(each);
        } else if (entity !== undefined && isAlive(entity)) {
          if (what === 'wake') {
            list.wake(entity);
            plain.awake.add(entity);
          } else if (what === 'rest') {
            list.rest(positionOf(entity), Number.POSITIVE_INFINITY);
            plain.awake.delete(entity);
          } else if (what === 'moveToEnd') {
            list.moveToEnd(entity);
            plain.awake.add(entity);
            plain.entries = [...plain.entries.filter((other) => other !== entity), entity];
          } else {
            list.leaveTombstone(entity);
            plain.gone.add(entity);
          }
        }
        const met: Entity[] = [];
        for (let at = list.lastAwake(list.entries.length); at >= 0; at = list.lastAwake(at)) {
          if (isAlive(list.entries[at]!)) met.push(list.entries[at]!);
        }
        expect(list.entries).toEqual(plain.entries);
        expect(met).toEqual(plain.entries.filter((one) => isAlive(one) && plain.awake.has(one)).reverse());
      }
    }),
    runs(60),
  );
});

function listOf(count: number): { list: AwakeList; entities: Entity[] } {
  const list = new AwakeList(capacity);
  const entities = Array.from({ length: count }, (_, i) => makeEntity(i + 1, 0));
  for (const entity of entities) list.add(entity);
  return { list, entities };
}

test('moving an entity to the end wakes no other, and destroyed entities after it are still removed', () => {
  const { list, entities } = listOf(5);
  list.rest(1, Number.POSITIVE_INFINITY);
  list.leaveTombstone(entities[2]!);
  list.moveToEnd(entities[0]!);
  expect(entities.map((entity) => list.isAwake(entity))).toEqual([true, false, true, true, true]);
  list.compact((entity) => entity !== entities[2]);
  expect(list.entries).toEqual([entities[1], entities[3], entities[4], entities[0]]);
  expect(list.lastAwake(1)).toBe(-1);
  // One that stands in another place since then can still be woken.
  list.rest(1, Number.POSITIVE_INFINITY);
  expect(list.isAwake(entities[3]!)).toBe(false);
  list.wake(entities[3]!);
  expect(list.lastAwake(2)).toBe(1);
});

test('a pass visits older entities that wake during it, but no newer ones and no new ones', () => {
  const { list, entities } = listOf(100);
  for (let at = 0; at < 100; at++) if (at !== 50) list.rest(at, Number.POSITIVE_INFINITY);
  const met: number[] = [];
  for (let at = list.lastAwake(list.entries.length); at >= 0; at = list.lastAwake(at)) {
    met.push(at);
    if (at !== 50) continue;
    list.wake(entities[3]!);
    list.wake(entities[80]!);
    list.add(makeEntity(200, 0));
  }
  expect(met).toEqual([50, 3]);
});

test('entities asleep until a time wake at that time, and not before', () => {
  const { list, entities } = listOf(40);
  entities.forEach((_, at) => {
    list.rest(at, at % 10 === 0 ? 100 + at : Number.POSITIVE_INFINITY);
  });
  const awakeAt = (nowMs: number) => {
    list.wakeDue(nowMs);
    return entities.filter((entity) => list.isAwake(entity)).map(rowOf);
  };
  expect(awakeAt(99)).toEqual([]);
  expect(awakeAt(110)).toEqual([1, 11]);
  expect(awakeAt(119)).toEqual([1, 11]);
  expect(awakeAt(1000)).toEqual([1, 11, 21, 31]);
});

test('waking an entity that no longer exists wakes no other', () => {
  const { list, entities } = listOf(2);
  list.leaveTombstone(entities[0]!);
  list.compact((entity) => entity !== entities[0]);
  list.rest(0, Number.POSITIVE_INFINITY);
  list.wake(entities[0]!);
  list.wake(makeEntity(rowOf(entities[1]!), 7));
  list.wake(0);
  expect(list.lastAwake(list.entries.length)).toBe(-1);
});
