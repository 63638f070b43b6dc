import { isRecord } from '../../engine/core/index.ts';
import { isDialectName, isInput, isLimits, type JournalRecord } from '../../engine/index.ts';
import { isEdit } from '../../engine/tools.ts';
import { frameOf, joined, readFrames } from './frames.ts';

/** The file format of journals: eight magic bytes, then a frame per record. */
const magic = 'RNCTJRN2';

export function journalStart(): Uint8Array {
  return new TextEncoder().encode(magic);
}

/** The bytes of a whole journal. */
export function journalBytes(records: Iterable<JournalRecord>): Uint8Array {
  return joined([journalStart(), ...Array.from(records, frameOf)]);
}

/**
 * Reads a journal; undefined if the bytes are not one. `lostBytes` is the number of bytes after the last complete
 * record, 0 for an undamaged file. Never throws.
 */
export function readJournalBytes(bytes: Uint8Array) {
  const start = journalStart();
  if (bytes.length < start.length || !start.every((byte, i) => bytes[i] === byte)) return undefined;
  const { messages, lostBytes } = readFrames(bytes, start.length, isJournalRecord);
  return { records: messages, lostBytes };
}

function isJournalRecord(value: unknown): value is JournalRecord {
  if (!isRecord(value)) return false;
  const { kind, tick, inputs, hash, bytes } = value;
  if (!Number.isSafeInteger(tick) || (tick as number) < 0) return false;
  switch (kind) {
    case 'head':
      return isJournalHead(value);
    case 'inputs':
      return Array.isArray(inputs) && inputs.every(isInput);
    case 'hash':
    case 'end':
      return typeof hash === 'string';
    case 'snapshot':
      return bytes instanceof Uint8Array;
    case 'edit':
      return isEdit(value);
    default:
      return false;
  }
}

/** Whether a value has the members of a head; the caller must check that its tick is a number. */
export function isJournalHead(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { version, definitionHash, seed, limits, epochMs, rate, dialect, source } = value;
  return (
    [version, definitionHash, seed].every((each) => typeof each === 'string') &&
    (source === undefined || typeof source === 'string') &&
    isDialectName(dialect) &&
    Number.isFinite(epochMs) &&
    Number.isFinite(rate) &&
    (rate as number) > 0 &&
    isLimits(limits)
  );
}
