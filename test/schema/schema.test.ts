import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MalformedBytes } from '../../engine/core/bytes.ts';
import type { GraphAdapter } from '../../engine/core/graph.ts';
import {
  accepts,
  bytes,
  Checker,
  constant,
  copyOf,
  count,
  decode,
  encode,
  entity,
  type FieldType,
  f64,
  fill,
  flag,
  floats,
  hashOf,
  type Infer,
  i32,
  index,
  json,
  LeafList,
  layoutOf,
  list,
  map,
  oneOf,
  optional,
  type Parts,
  part,
  record,
  type Scope,
  StateReader,
  StateWriter,
  shared,
  table,
  text,
  u8,
  u32,
  valuesByRow,
  variant,
  withCheck,
} from '../../engine/schema/index.ts';
import { runs } from '../support/property.ts';

class Handle {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const handles: GraphAdapter<Handle> = {
  owns: (value): value is Handle => value instanceof Handle,
  save: ({ name }) => [name],
  restore: ([name]) => new Handle(String(name)),
  show: ({ name }) => `@${name}`,
};
const adapters = [handles];

const square = Object.freeze({ shape: 'square' });
const circle = Object.freeze({ shape: 'circle' });
const parts: Parts = {
  numberOf: (object) => [square, circle].indexOf(object as typeof square),
  at: (number) => [square, circle][number],
  isOf: (group, object) => group === 'shape' && parts.numberOf(object as object) >= 0,
};
/** Rows 1 to 4 are units, 5 to 9 items. */
const scope: Scope = {
  sizeOf: (table) => (table === 'row' ? 10 : 3),
  isEntity: (row, kind) => row < 10 && (row === 0 || kind === undefined || row < 5 === (kind === 'unit')),
  parts,
};

const thing = record({
  speed: f64(1),
  level: i32(-1),
  mask: u32(),
  small: u8(),
  age: count(),
  name: text('nobody'),
  alive: flag(true),
  mood: oneOf(['calm', 'angry']),
  holds: entity('item'),
  job: index('job', 'or none'),
  shape: part<object>('shape'),
  nick: optional(text()),
  path: list(f64()),
  marks: map(text(), record({ x: f64(), y: f64() })),
  order: variant('do', { go: { x: f64() }, say: { words: text() } }),
  handle: shared(handles, 'handle'),
  any: json(),
  other: json(),
  cells: floats(),
  flags: bytes(),
  fixed: constant(list(text())),
  columns: table({ kind: u8(), x: f64(), owner: entity('unit') }),
});
type Thing = Infer<typeof thing>;

function filled(): Thing {
  return thing.create({
    speed: -0,
    level: -7,
    mask: 4_000_000_000,
    small: 255,
    age: 2 ** 50,
    name: 'Ada \ud800',
    alive: false,
    mood: 'angry',
    holds: 5,
    job: 2,
    shape: circle,
    nick: 'A',
    path: [1, Number.NaN, Number.NEGATIVE_INFINITY],
    marks: new Map([['home', { x: 1, y: 2 }]]),
    order: { do: 'say', words: 'hi' },
    handle: new Handle('h'),
    any: { deep: [1, 'two', null, undefined, true] },
    other: [square],
    cells: Float64Array.of(0, -0, 1.5),
    flags: Uint8Array.of(0, 0, 7),
    fixed: ['a'],
    columns: { kind: Uint8Array.of(1, 2), x: Float64Array.of(0.5, 0), owner: Float64Array.of(0, 4) },
  });
}

function roundTrip<T>(kind: FieldType<T>, value: T): T {
  const read = decode(kind, encode(kind, value, parts, adapters), parts, adapters);
  kind.check(read, new Checker(scope));
  expect(copyOf(kind, value, parts, adapters)).toStrictEqual(read);
  return read;
}

function digestOf<T>(kind: FieldType<T>, value: T): string {
  return hashOf(kind, value, parts, adapters);
}

function leavesOf(value: unknown): (readonly [string, string])[] {
  const list = new LeafList(parts, adapters);
  list.value('thing', value);
  return list.leaves;
}

describe('a record', () => {
  test('starts with the initial value of each field, with separate lists and maps', () => {
    const [one, two] = [thing.create({ shape: square }), thing.create({ shape: square })];
    expect(one).toMatchObject({
      speed: 1,
      level: -1,
      name: 'nobody',
      alive: true,
      mood: 'calm',
      holds: 0,
      nick: undefined,
    });
    expect(Object.keys(one)).toEqual(Object.keys(thing.fields));
    expect(one.path).not.toBe(two.path);
    expect(one.order).toEqual({ do: 'go', x: 0 });
    expect(one.order).not.toBe(two.order);
    expect(Object.keys(thing.create({ small: 1, speed: 2 }))).toEqual(Object.keys(thing.fields));
  });

  test('round-trips through bytes', () => {
    expect(roundTrip(thing, filled())).toEqual(filled());
    const first = thing.create({ shape: square });
    expect(roundTrip(thing, first)).toEqual(first);
  });

  test('has a hash that depends on every value, and not on the order of members', () => {
    const before = digestOf(thing, filled());
    expect(digestOf(thing, filled())).toBe(before);
    const backwards = Object.fromEntries(Object.entries(filled()).reverse()) as Thing;
    expect(digestOf(thing, backwards)).toBe(before);
    const others: Partial<Thing>[] = [
      { speed: 0 },
      { level: 0 },
      { mask: 1 },
      { small: 1 },
      { age: 1 },
      { name: '' },
      { alive: true },
      { mood: 'calm' },
      { holds: 6 },
      { job: 1 },
      { shape: square },
      { nick: undefined },
      { nick: 'B' },
      { path: [1, Number.NaN] },
      { marks: new Map([['house', { x: 1, y: 2 }]]) },
      { marks: new Map([['home', { x: 1, y: 3 }]]) },
      { order: { do: 'go', x: 0 } },
      { handle: new Handle('g') },
      { handle: undefined },
      { any: undefined },
      { other: [circle] },
      { cells: Float64Array.of(0, 0, 1.5) },
      { flags: Uint8Array.of(0, 1, 7) },
      { fixed: [] },
      { columns: { kind: Uint8Array.of(1, 2), x: Float64Array.of(0.5, 0), owner: Float64Array.of(0, 3) } },
    ];
    expect(new Set(others.flatMap((other) => Object.keys(other)))).toEqual(new Set(Object.keys(thing.fields)));
    for (const other of others) {
      const [[name] = ['']] = Object.entries(other);
      expect(digestOf(thing, { ...filled(), ...other } as Thing), name).not.toBe(before);
      expect(leavesOf({ ...filled(), ...other } as Thing), name).not.toEqual(leavesOf(filled()));
    }
  });

  test('is refused with the path of an invalid value', () => {
    const wrong: [string, Partial<Record<keyof Thing, unknown>>][] = [
      ['speed is not a number.', { speed: '1' }],
      ['level is not a valid i32.', { level: 0.5 }],
      ['mask is not a valid u32.', { mask: -1 }],
      ['small is not a valid u8.', { small: 256 }],
      ['age is not a whole number that is at least 0.', { age: -1 }],
      ['name is not a string.', { name: 1 }],
      ['alive is not true or false.', { alive: 1 }],
      ['mood is not one of calm, angry.', { mood: 'sad' }],
      ['holds is not an entity of kind "item".', { holds: 1 }],
      ['job is not a valid index of "job".', { job: 3 }],
      ['shape is not a shape of the definition.', { shape: {} }],
      ['path is not a list.', { path: {} }],
      ['path/1 is not a number.', { path: [1, null] }],
      ['marks/home/y is not a number.', { marks: new Map([['home', { x: 1 }]]) }],
      ['order is not an object with a known "do".', { order: { do: 'sing' } }],
      ['order/words is not a string.', { order: { do: 'say' } }],
      ['handle is not a handle.', { handle: {} }],
      ['cells is not an array of floats.', { cells: [] }],
      [
        'columns/owner/1 is not an entity of kind "unit".',
        { columns: { ...filled().columns, owner: Float64Array.of(0, 5) } },
      ],
      [
        'columns is a table with columns of different lengths.',
        { columns: { ...filled().columns, x: new Float64Array(3) } },
      ],
      ['This is an object with an unknown member: more.', { more: 1 } as object],
    ];
    const at = new Checker(scope);
    expect(() => thing.check(filled(), at)).not.toThrow();
    for (const [message, change] of wrong) {
      expect(() => thing.check({ ...filled(), ...change }, new Checker(scope)), message).toThrow(
        expect.objectContaining({ message }),
      );
    }
    expect(accepts(list(text()), ['a'])).toBe(true);
    expect(accepts(list(text()), [1])).toBe(false);
    // Outside of a state there are no entities.
    expect(accepts(entity('unit'), 1)).toBe(false);
  });

  test('that cannot be read fails with the reason of its owner', () => {
    const reason = new Error('The reader is closed.');
    const broken = Object.defineProperty({}, 'x', {
      enumerable: true,
      get() {
        throw reason;
      },
    });
    const checker = new Checker(scope);
    expect(() => checker.below('path', { check: (value) => void (value as { x: number }).x }, broken)).toThrow(reason);
  });

  test('lists every value with its path', () => {
    const leaves = new Map(leavesOf(filled()));
    expect(leaves.get('thing/speed')).toBe('-0');
    expect(leaves.get('thing/marks/home/y')).toBe('2');
    expect(leaves.get('thing/columns/owner/1')).toBe('4');
    expect(leaves.get('thing/other/0')).toBe('part 0 of the definition');
    expect(leaves.get('thing/handle')).toBe('@h');
    expect(leaves.get('thing/any/deep/1')).toBe('"two"');
  });

  test('has an layout with every declaration', () => {
    const layout = JSON.stringify(layoutOf(thing));
    expect(JSON.stringify(layoutOf(record({ ...thing.fields })))).toBe(layout);
    const marks = map(text(), record({ x: f64(), y: i32() }));
    expect(JSON.stringify(layoutOf(record({ ...thing.fields, marks })))).not.toBe(layout);
    expect(JSON.stringify(layoutOf(record({ ...thing.fields, holds: entity('unit') })))).not.toBe(layout);
  });
});

test('an object shared by several fields stays shared and is counted once', () => {
  const list: unknown[] = [];
  list.push(list);
  const handle = new Handle('h');
  const one = { ...filled(), any: [list, handle], other: list, handle };
  const read = roundTrip(thing, one);
  const [inner, held] = read.any as [unknown[], Handle];
  expect(read.other).toBe(inner);
  expect(inner[0]).toBe(inner);
  expect(held).toBe(read.handle);
  const twice = { ...filled(), any: [1], other: [1] };
  const once = { ...twice, other: twice.any };
  expect(digestOf(thing, once)).not.toBe(digestOf(thing, twice));
  expect(leavesOf(once)).toContainEqual(['thing/other', 'the same as thing/any']);
});

test('a copy shares nothing mutable with its original, except columns', () => {
  const list: unknown[] = [[1]];
  const ofOne = Object.freeze({ x: 1, y: 2 });
  const value = { ...filled(), any: [list, new Map([['a', list]])], other: list, marks: new Map([['home', ofOne]]) };
  const copy = copyOf(thing, value, parts, adapters);
  expect(copy).toStrictEqual(value);
  const [inner, byName] = copy.any as [unknown[], Map<string, unknown>];
  expect([inner, byName.get('a')]).toEqual([copy.other, copy.other]);
  expect(inner).toBe(copy.other);
  expect(byName.get('a')).toBe(copy.other);
  expect([copy.shape, copy.handle]).toEqual([value.shape, value.handle]);
  expect([copy.shape === value.shape, copy.handle === value.handle]).toEqual([true, true]);
  const mine = objectsIn(copy);
  const shared = [...objectsIn(value)].filter((each) => mine.has(each) && !Object.isFrozen(each));
  expect(new Set(shared)).toEqual(new Set<object>([value.handle!, value.columns, ...Object.values(value.columns)]));
});

/** All objects in a value, typed arrays among them. */
function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (value === null || typeof value !== 'object' || found.has(value)) return found;
  found.add(value);
  if (ArrayBuffer.isView(value)) return found;
  for (const each of value instanceof Map ? value.values() : Object.values(value)) objectsIn(each, found);
  return found;
}

test('decoding fills existing objects', () => {
  const live = filled();
  const { path, marks, columns } = live;
  const { x } = columns;
  const read = roundTrip(thing, { ...filled(), speed: 9, path: [5], marks: new Map([['away', { x: 0, y: 0 }]]) });
  expect(fill(thing, live, read)).toBe(live);
  expect(live).toEqual(read);
  expect([live.path, live.marks, live.columns, live.columns.x]).toEqual([path, marks, columns, x]);
  expect(live.path === path && live.marks === marks && live.columns.x === x).toBe(true);
});

test('a kind can be narrowed', () => {
  const even = withCheck(count(), 'odd', (value) => value % 2 === 0);
  expect(() => even.check(4, new Checker(scope))).not.toThrow();
  expect(() => even.check(3, new Checker(scope))).toThrow('This is odd.');
  expect(() => even.check('3', new Checker(scope))).toThrow('This is not a number.');
});

test('values by row are written for rows that have one', () => {
  const points = valuesByRow(record({ points: f64() }));
  const store: { points: number }[] = points.create(10) as never;
  points.start(store, 1);
  store[3] = { points: 4 };
  const used = [1, 3];
  const to = new StateWriter(parts, adapters);
  points.write(store, to, used);
  const read = points.read(new StateReader(to.whole(), parts, adapters), used);
  expect([...read]).toEqual([undefined, { points: 0 }, undefined, { points: 4 }]);
  expect(() => points.check(new Array(11), new Checker(scope))).toThrow('This is not a list with a value per row.');
  expect(() => points.check([undefined, {}], new Checker(scope))).toThrow('1/points is not a number.');
  points.clear(store, 3);
  points.clear(store, 30);
  expect([store.length, store[3], points.show(store, 1)]).toEqual([4, undefined, { points: 0 }]);
});

test('rows of a table start with initial values and are cleared to zeros', () => {
  const places = table({ x: f64(), scale: f64(1), owner: i32(-1), hidden: u8() });
  const columns = places.create(3);
  places.start(columns, 1);
  columns.hidden[1] = 1;
  expect(places.names.map((name) => columns[name][1])).toEqual([0, 1, -1, 1]);
  places.clear(columns, 1);
  expect(places.names.map((name) => columns[name][1])).toEqual([0, 0, 0, 0]);
  expect(places.slice(columns, 2).scale.buffer).toBe(columns.scale.buffer);
});

test('numbers and graphs of any form round-trip', () => {
  const { double, integer, string, jsonValue } = fc;
  fc.assert(
    fc.property(
      fc.array(fc.oneof(double(), integer(), fc.maxSafeInteger())),
      string({ unit: 'binary' }),
      jsonValue(),
      (path, name, any) => {
        const value = { ...filled(), path, name, any };
        const read = roundTrip(thing, value);
        expect(read.path.every((number, i) => Object.is(number, path[i]))).toBe(true);
        expect([read.name, read.any]).toEqual([name, any]);
        expect(digestOf(thing, read)).toBe(digestOf(thing, value));
      },
    ),
  );
});

test('arbitrary bytes are refused, or are a valid value', () => {
  const written = encode(thing, filled(), parts, adapters).slice();
  let refused = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(written.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }),
      (changes) => {
        const changed = written.slice();
        for (const [at, byte] of changes) changed[at] = byte;
        try {
          const value = decode(thing, changed, parts, adapters);
          thing.check(value, new Checker(scope));
          expect(digestOf(thing, value)).toHaveLength(16);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBytes);
          refused++;
        }
      },
    ),
    runs(500),
  );
  expect(refused).toBeGreaterThan(50);
  for (let length = 0; length < written.length; length++) {
    expect(() => decode(thing, written.slice(0, length), parts, adapters)).toThrow(MalformedBytes);
  }
});
