import { formatValue, UsageError } from '../core/usage-error.ts';
import { Kind, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { requireOptions } from './argument-checks.ts';
import { requireAttribute } from './known-names.ts';

/** A typed array of numbers that the program owns. */
export interface NumberArray {
  readonly BYTES_PER_ELEMENT: number;
  readonly length: number;
  [index: number]: number;
}

/** The arrays that a reader fills. Each gets one number per entity. Values whose array is omitted are not read. */
export interface Columns {
  /** The number of the entity, as `sim.handle` takes it; it can exceed 32 bits. */
  readonly entity?: Float64Array;
  /** Index of the entity's type in `types` of the reader. */
  readonly type?: NumberArray;
  /** Position (px) and angle (radians, 0 up, clockwise) of the centre, with the same values as on a handle. */
  readonly x?: NumberArray;
  readonly y?: NumberArray;
  readonly angle?: NumberArray;
  /** Arrays for values of attributes, by key; NaN for an entity that has no such attribute. */
  readonly attributes?: { readonly [key: string]: NumberArray };
}

/** Reads the entities of a kind into arrays, without allocations. */
export interface ColumnReader {
  /** Keys of the types of the kind. */
  readonly types: readonly string[];
  /** The number of entities that fit: the length of the shortest array. */
  readonly capacity: number;
  /**
   * Overwrites the arrays, oldest entity first, and returns how many entities there are. If that is more than
   * `capacity`, the newest ones were left out.
   */
  read(): number;
}

const members = { entity: 'object', type: 'object', x: 'object', y: 'object', angle: 'object', attributes: 'object' };

export function columnReader(world: World, kind: 'unit' | 'item' | 'projectile', into: Columns): ColumnReader {
  requireOptions(into, members as Record<keyof Columns, 'object'>, 'column');
  const { attributes: attributeArrays = {}, ...arrays } = into;
  const given = [...Object.entries(arrays), ...Object.entries(attributeArrays)].filter(
    ([, array]) => array !== undefined,
  );
  if (given.length === 0)
    throw new UsageError('bad-value', 'A reader of columns needs at least one array to read into.');
  for (const [name, array] of given)
    if (!ArrayBuffer.isView(array))
      throw new UsageError('bad-value', `The column ${name} must be a typed array, not ${formatValue(array)}.`);
  const capacity = Math.min(...given.map(([, { length }]) => length));
  const types = world.types[kind].list;
  const attributes = Object.entries(attributeArrays).map(([key, array]) => {
    requireAttribute(world, key);
    return { array, offsets: types.map((type) => type.attributes.offsets.get(key) ?? -1) };
  });
  const rows = new Int32Array(capacity);
  return {
    types: types.map(({ key }) => key),
    capacity,
    read() {
      const { identity, transform, attributes: blocks } = world.components;
      const { value } = world.attributes;
      let count = 0;
      for (const entity of world.lists[Kind[kind]]!.entries) {
        if (!world.exists(entity)) continue;
        if (count < capacity) {
          rows[count] = rowOf(entity);
          if (into.entity !== undefined) into.entity[count] = entity;
        }
        count++;
      }
      const read = Math.min(count, capacity);
      gather(identity.type, rows, read, into.type);
      gather(transform.x, rows, read, into.x);
      gather(transform.y, rows, read, into.y);
      gather(transform.angle, rows, read, into.angle);
      for (const { array, offsets } of attributes) {
        for (let i = 0; i < read; i++) {
          const offset = offsets[identity.type[rows[i]!]!]!;
          array[i] = offset < 0 ? NaN : value[blocks.start[rows[i]!]! + offset]!;
        }
      }
      return count;
    },
  };
}

function gather(column: ArrayLike<number>, rows: Int32Array, count: number, into: NumberArray | undefined) {
  if (into === undefined) return;
  for (let i = 0; i < count; i++) into[i] = column[rows[i]!]!;
}
