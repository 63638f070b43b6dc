import { isDialectName, isInput, isLimits, type JournalRecord } from '../../engine/index.ts';
import { frameOf, readFrames } from './frames.ts';

/** The file format of journals: eight magic bytes, then a frame per record. */
const magic = 'RNCTJRN1';

export function journalStart(): Uint8Array {
  return new TextEncoder().encode(magic);
}

/** The bytes of a whole journal. */
export function journalBytes(records: Iterable<JournalRecord>): Uint8Array {
  const parts = [journalStart(), ...Array.from(records, frameOf)];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

interface JournalBytes {
  readonly records: readonly JournalRecord[];
  /** The number of bytes after the last complete record; 0 for an undamaged file. */
  readonly lostBytes: number;
}

/** Undefined if the bytes are not a journal. Never throws. */
export function readJournalBytes(bytes: Uint8Array): JournalBytes | undefined {
  const start = journalStart();
  if (bytes.length < start.length || !start.every((byte, i) => bytes[i] === byte)) return undefined;
  const { messages, lostBytes } = readFrames(bytes, start.length, isJournalRecord);
  return { records: messages, lostBytes };
}

function isJournalRecord(value: unknown): value is JournalRecord {
  if (value === null || typeof value !== 'object') return false;
  const { kind, tick } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(tick) || (tick as number) < 0) return false;
  const record = value as Record<string, unknown>;
  switch (kind) {
    case 'head':
      return isJournalHead(record);
    case 'inputs':
      return Array.isArray(record['inputs']) && record['inputs'].every(isInput);
    case 'hash':
    case 'end':
      return typeof record['hash'] === 'string';
    case 'snapshot':
      return record['bytes'] instanceof Uint8Array;
    case 'edited':
      return record['bytes'] instanceof Uint8Array && (record['by'] === undefined || typeof record['by'] === 'string');
    default:
      return false;
  }
}

/** Whether a value has the members of a head; the caller must check that its tick is a number. */
export function isJournalHead(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const record = value as Record<string, unknown>;
  const texts = ['version', 'definitionHash', 'seed', 'dialect'].every((member) => typeof record[member] === 'string');
  const { limits, epochMs, rate, dialect, source } = record;
  return (
    texts &&
    (source === undefined || typeof source === 'string') &&
    isDialectName(dialect) &&
    Number.isFinite(epochMs) &&
    Number.isFinite(rate) &&
    (rate as number) > 0 &&
    isLimits(limits)
  );
}
