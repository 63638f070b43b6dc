import { type ByteReader, type ByteWriter, MalformedBytes } from '../../engine/core/bytes.ts';

/** Plain data, as JSON has it. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

const kinds = { null: 0, false: 1, true: 2, number: 3, text: 4, list: 5, object: 6 } as const;

/** Deeper values are refused: both sides walk them by recursion. */
const depthMax = 32;

/** Members that are undefined are left out, as JSON leaves them out; numbers that JSON has not are null. */
export function writeValue(writer: ByteWriter, value: unknown, depth = 0): void {
  switch (typeof value) {
    case 'boolean':
      writer.byte(value ? kinds.true : kinds.false);
      return;
    case 'number':
      if (!Number.isFinite(value)) writer.byte(kinds.null);
      else {
        writer.byte(kinds.number);
        writer.number(value);
      }
      return;
    case 'string':
      writer.byte(kinds.text);
      writer.text(value);
      return;
    case 'object':
      if (value === null || depth >= depthMax) break;
      if (Array.isArray(value)) {
        writer.byte(kinds.list);
        writer.count(value.length);
        for (const member of value) writeValue(writer, member, depth + 1);
      } else {
        const members = Object.entries(value).filter(([key, member]) => member !== undefined && key !== '__proto__');
        writer.byte(kinds.object);
        writer.count(members.length);
        for (const [key, member] of members) {
          writer.text(key);
          writeValue(writer, member, depth + 1);
        }
      }
      return;
  }
  writer.byte(kinds.null);
}

/** Throws `MalformedBytes`. Allocates at most a constant times the bytes that are left. */
export function readValue(reader: ByteReader, depth = 0): Value {
  if (depth > depthMax) throw new MalformedBytes('The value is too deep.');
  switch (reader.byte()) {
    case kinds.null:
      return null;
    case kinds.false:
      return false;
    case kinds.true:
      return true;
    case kinds.number:
      return readFinite(reader);
    case kinds.text:
      return reader.text();
    case kinds.list: {
      const list: Value[] = [];
      for (let rest = reader.countOf(1); rest > 0; rest--) list.push(readValue(reader, depth + 1));
      return list;
    }
    case kinds.object: {
      const members: { [key: string]: Value } = {};
      for (let rest = reader.countOf(2); rest > 0; rest--) {
        const key = reader.text();
        // Set as a member it would be the object's prototype.
        if (key === '__proto__') throw new MalformedBytes('No member can have this name.');
        members[key] = readValue(reader, depth + 1);
      }
      return members;
    }
    default:
      throw new MalformedBytes('No value begins so.');
  }
}

/** Throws `MalformedBytes`, also for NaN and the infinite. */
export function readFinite(reader: ByteReader): number {
  const value = reader.number();
  if (!Number.isFinite(value)) throw new MalformedBytes('The number is not finite.');
  return value;
}
