import { type ByteReader, type ByteWriter, MalformedBytes } from '../../../engine/core/bytes.ts';
import { idLetters, type Section, sections } from './frame-layout.ts';
import { readValue, type Value, writeValue } from './value.ts';

type Details = { readonly [member: string]: unknown };

/** The first byte of an entity that is a text; below it, the number after the letter and the kind. */
const textMark = 0;

/**
 * The details of the event `effect`, of which units send many: each press of a key that makes one move or stand is an effect. The effect as a
 * value, the entity, and what else there is. Details without these two are a null and an object.
 */
export function writeEffect(writer: ByteWriter, details: Details): void {
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
  if (typeof effect !== 'string') throw new MalformedBytes('An effect is a text.');
  const entityId = readId(reader);
  const more = readValue(reader);
  if (more !== null && (typeof more !== 'object' || Array.isArray(more))) {
    throw new MalformedBytes('What else there is of an effect has names.');
  }
  return { ...(more as { readonly [member: string]: Value } | null), entityId, effect };
}

function writeId(writer: ByteWriter, id: string): void {
  const section = sections.findIndex((each) => idLetters[each] === id[0]);
  const digits = id.slice(1);
  if (section < 0 || !/^[1-9]\d{0,9}$/.test(digits)) {
    writer.count(textMark);
    writer.text(id);
    return;
  }
  writer.count(Number(digits) * sections.length + section);
}

function readId(reader: ByteReader): string {
  const number = reader.count();
  if (number === textMark) return reader.text();
  const section: Section = sections[number % sections.length]!;
  return `${idLetters[section]}${Math.floor(number / sections.length)}`;
}
