import { type ByteReader, type ByteWriter, MalformedBytes } from '../../../../engine/core/index.ts';

/** Plain JSON data. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

const kinds = { null: 0, false: 1, true: 2, number: 3, text: 4, list: 5, object: 6, word: 7 } as const;

/**
 * Strings that are frequent in events, as member names or values. Each is sent as its index. A change here requires a
 * new protocol version.
 */
export const words: readonly string[] = [
  // Member names.
  'op entityId effect unitId playerId playerIds fromPlayerId toPlayerId text value target timeMs result',
  'itemTypeId unitTypeId shopId modal label dismissible mode color position x y width height soundId',
  'musicId volume particleTypeId animationId opacity depth flip scale teleport camera dialogueId layer gid',
  'html key url state flags items data scriptId message elementId className id',
  // Values.
  'update show hide updateForTime open close response purchase not_affordable inventory_full system player',
  'input custom unit world dynamic create destroy move idle none attack attacked use empty reload play',
  'playAt stop emitOnce start top center center-lg scoreboard track stopTracking',
  // Members that override an entity's appearance.
  'labelColor isInvisible isNameLabelHidden alpha inside',
].flatMap((line) => line.split(' '));
const wordIndices: ReadonlyMap<string, number> = new Map(words.map((word, index) => [word, index]));

/** Values nested deeper than this are refused, because both sides walk them recursively. */
export const valueDepthMax = 32;

/** Like `JSON.stringify`, omits undefined members and writes NaN and the infinities as null. */
export function writeValue(writer: ByteWriter, value: unknown, depth = 0) {
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
      writeText(writer, value);
      return;
    case 'object':
      if (value === null || depth >= valueDepthMax) break;
      if (Array.isArray(value)) {
        writer.byte(kinds.list);
        writer.count(value.length);
        for (const member of value) writeValue(writer, member, depth + 1);
      } else {
        const members = Object.entries(value).filter(([key, member]) => member !== undefined && key !== '__proto__');
        writer.byte(kinds.object);
        writer.count(members.length);
        for (const [key, member] of members) {
          writeName(writer, key);
          writeValue(writer, member, depth + 1);
        }
      }
      return;
  }
  writer.byte(kinds.null);
}

function writeText(writer: ByteWriter, text: string) {
  const index = wordIndices.get(text);
  writer.byte(index === undefined ? kinds.text : kinds.word);
  if (index === undefined) writer.text(text);
  else writer.count(index);
}

/** Writes the index of a word + 1, or 0 and the string. */
function writeName(writer: ByteWriter, name: string) {
  const index = wordIndices.get(name);
  writer.count(index === undefined ? 0 : index + 1);
  if (index === undefined) writer.text(name);
}

function readWord(index: number) {
  const word = words[index];
  if (word === undefined) throw new MalformedBytes(`Unknown word index ${index}.`);
  return word;
}

/**
 * Reads a value. Throws `MalformedBytes`. The memory that it allocates is proportional to the bytes left, even if the
 * counts in them are larger.
 */
export function readValue(reader: ByteReader, depth = 0): Value {
  if (depth > valueDepthMax) throw new MalformedBytes('The value is nested too deeply.');
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
    case kinds.word:
      return readWord(reader.count());
    case kinds.list: {
      const list: Value[] = [];
      for (let rest = reader.countOf(1); rest > 0; rest--) list.push(readValue(reader, depth + 1));
      return list;
    }
    case kinds.object: {
      const members: { [key: string]: Value } = {};
      for (let rest = reader.countOf(2); rest > 0; rest--) {
        const index = reader.count();
        const key = index === 0 ? reader.text() : readWord(index - 1);
        // Assigning to a member of this name would set the prototype of the object.
        if (key === '__proto__') throw new MalformedBytes('A member cannot be called __proto__.');
        members[key] = readValue(reader, depth + 1);
      }
      return members;
    }
    default:
      throw new MalformedBytes('Unknown kind of value.');
  }
}

/** Reads a finite number. Throws `MalformedBytes`, also for NaN and the infinities. */
export function readFinite(reader: ByteReader): number {
  const value = reader.number();
  if (!Number.isFinite(value)) throw new MalformedBytes('The number is not finite.');
  return value;
}
