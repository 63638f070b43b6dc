import { type ByteReader, type ByteWriter, MalformedBytes } from '../../../../engine/core/index.ts';
import { readValue, type Value, writeValue } from '../encoding/value.ts';
import { idLetters, type Section, sections } from '../frames/frame-layout.ts';

type Details = { readonly [member: string]: unknown };

/**
 * Marks an entity id that is sent as a string. Other ids are sent as one number that combines the digits of the id with
 * the entity's kind.
 */
const textMark = 0;

/**
 * Writes the details of an `effect` event compactly, because these events are frequent: for example, each key press
 * that starts or stops a unit's move causes one. Layout: the effect, the entity id, the remaining members. If one of
 * the first two is missing: a null, then the whole object.
 */
export function writeEffect(writer: ByteWriter, details: Details) {
  const { entityId, effect, ...more } = details;
  if (typeof entityId !== 'string' || typeof effect !== 'string') {
    writeValue(writer, null);
    writeValue(writer, details);
    return;
  }
  writeValue(writer, effect);
  writeId(writer, entityId);
  const hasMore = Object.values(more).some((value) => value !== undefined);
  writeValue(writer, hasMore ? more : null);
}

export function readEffect(reader: ByteReader): Value {
  const effect = readValue(reader);
  if (effect === null) return readValue(reader);
  if (typeof effect !== 'string') throw new MalformedBytes('An effect must be a string.');
  const entityId = readId(reader);
  const more = readValue(reader);
  if (more !== null && (typeof more !== 'object' || Array.isArray(more))) {
    throw new MalformedBytes('The remaining members of an effect must be an object.');
  }
  return { ...(more as { readonly [member: string]: Value } | null), entityId, effect };
}

function writeId(writer: ByteWriter, id: string) {
  const section = sections.findIndex((each) => idLetters[each] === id[0]);
  const digits = id.slice(1);
  if (section < 0 || !/^[1-9]\d{0,9}$/.test(digits)) {
    writer.count(textMark);
    writer.text(id);
    return;
  }
  writer.count(Number(digits) * sections.length + section);
}

function readId(reader: ByteReader) {
  const number = reader.count();
  if (number === textMark) return reader.text();
  const section: Section = sections[number % sections.length]!;
  return `${idLetters[section]}${Math.floor(number / sections.length)}`;
}
