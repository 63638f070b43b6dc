import { Packr, Unpackr } from 'msgpackr';
import { isInput, isLimits, type JournalRecord } from '../../engine/index.ts';

/**
 * A journal as bytes: eight that say what it is, then one frame for each record: the length of its message and a check sum of it, four bytes
 * each, little-endian, and the message in MessagePack. A frame that is cut short or damaged ends the reading; what stands before it is whole.
 */
const magic = 'RNCTJRN1';
const headBytes = 8;

// Without shared structures, so that each frame can be read by itself.
const packr = new Packr({ useRecords: false });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' });

export function journalStart(): Uint8Array {
  return new TextEncoder().encode(magic);
}

export function frameOf(record: JournalRecord): Uint8Array {
  const { buffer, byteOffset, length } = packr.pack(record);
  const message = new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  const frame = new Uint8Array(headBytes + message.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, message.length, true);
  view.setUint32(4, sumOf(message), true);
  frame.set(message, headBytes);
  return frame;
}

export interface JournalBytes {
  readonly records: readonly JournalRecord[];
  /** Bytes behind the last whole record; 0 for an undamaged file. */
  readonly lostBytes: number;
}

/** Undefined for bytes that are no journal. Never throws. */
export function readJournalBytes(bytes: Uint8Array): JournalBytes | undefined {
  const start = journalStart();
  if (bytes.length < start.length || !start.every((byte, i) => bytes[i] === byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: JournalRecord[] = [];
  let at = start.length;
  while (at + headBytes <= bytes.length) {
    const length = view.getUint32(at, true);
    const end = at + headBytes + length;
    if (end > bytes.length) break;
    const message = bytes.subarray(at + headBytes, end);
    if (view.getUint32(at + 4, true) !== sumOf(message)) break;
    const record = recordOf(message);
    if (record === undefined) break;
    records.push(record);
    at = end;
  }
  return { records, lostBytes: bytes.length - at };
}

/** Undefined for a message that is no record. */
function recordOf(message: Uint8Array): JournalRecord | undefined {
  let record: unknown;
  try {
    record = unpackr.unpack(message);
  } catch {
    return undefined;
  }
  return isRecord(record) ? record : undefined;
}

function isRecord(value: unknown): value is JournalRecord {
  if (value === null || typeof value !== 'object') return false;
  const { kind, tick } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(tick) || (tick as number) < 0) return false;
  const record = value as Record<string, unknown>;
  switch (kind) {
    case 'head':
      return isHead(record);
    case 'inputs':
      return Array.isArray(record['inputs']) && record['inputs'].every(isInput);
    case 'hash':
    case 'end':
      return typeof record['hash'] === 'string';
    case 'snapshot':
      return record['bytes'] instanceof Uint8Array;
    default:
      return false;
  }
}

function isHead(record: Record<string, unknown>): boolean {
  const texts = ['version', 'definitionHash', 'seed', 'dialect'].every((member) => typeof record[member] === 'string');
  const { limits, epochMs, rate, dialect, source } = record;
  return (
    texts &&
    (source === undefined || typeof source === 'string') &&
    (dialect === 'standard' || dialect === 'moddio') &&
    Number.isFinite(epochMs) &&
    Number.isFinite(rate) &&
    isLimits(limits)
  );
}

/** FNV-1a: enough to tell a whole frame from a torn one. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) sum = Math.imul(sum ^ bytes[i]!, 0x01000193);
  return sum >>> 0;
}
