import { isInput, isLimits } from '../../../engine/index.ts';
import type { RoomIdentity, RoomSnapshot, TickRecord } from '../room/messages.ts';
import type { StoredRoom } from './journal.ts';

/** One tick of one room as it is written down. */
type Row = readonly [
  room: string,
  tick: number,
  atMs: number,
  inputs: TickRecord['inputs'],
  sequences: TickRecord['sequences'],
  hash: string | null,
];

export interface LogRecord {
  readonly room: string;
  readonly record: TickRecord;
}

export function rowOf({ room, record }: LogRecord): Row {
  const { tick, atMs, inputs, sequences, hash } = record;
  return [room, tick, atMs, inputs, sequences, hash ?? null];
}

export function recordOf([room, tick, atMs, inputs, sequences, hash]: Row): LogRecord {
  return { room, record: { tick, atMs, inputs, sequences, hash: hash ?? undefined } };
}

export function isRow(value: unknown): value is Row {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [room, tick, atMs, inputs, sequences, hash] = value;
  return (
    typeof room === 'string' &&
    Number.isSafeInteger(tick) &&
    Number.isFinite(atMs) &&
    Array.isArray(inputs) &&
    inputs.every(isInput) &&
    Array.isArray(sequences) &&
    (hash === null || typeof hash === 'string')
  );
}

export function isIdentity(value: unknown): value is RoomIdentity {
  if (value === null || typeof value !== 'object') return false;
  const { id, slug, version, seed, dialect, limits, epochMs } = value as Partial<RoomIdentity>;
  return (
    [id, slug, version, seed, dialect].every((text) => typeof text === 'string') &&
    isLimits(limits) &&
    Number.isFinite(epochMs)
  );
}

export function isSnapshot(value: unknown): value is RoomSnapshot {
  if (value === null || typeof value !== 'object') return false;
  const { tick, bytes, players } = value as Partial<RoomSnapshot>;
  return Number.isSafeInteger(tick) && bytes instanceof Uint8Array && Array.isArray(players);
}

/**
 * In order of ticks, from records in the order in which they were written. A tick that stands there again is taken as it stands last. The ticks that
 * were behind it are dropped, because the room has gone on without them: ticks before them were lost.
 */
export function inOrder(records: Iterable<TickRecord>): TickRecord[] {
  const ticks: TickRecord[] = [];
  for (const record of records) {
    while (ticks.length > 0 && ticks.at(-1)!.tick >= record.tick) ticks.pop();
    ticks.push(record);
  }
  return ticks;
}

/** A room with those of its ticks that its snapshot does not cover. */
export function storedRoom(
  { room, snapshot }: { readonly room: RoomIdentity; readonly snapshot?: RoomSnapshot | undefined },
  ticks: readonly TickRecord[] = [],
): StoredRoom {
  const after = snapshot?.tick ?? 0;
  return { room, snapshot, ticks: ticks.filter(({ tick }) => tick > after) };
}

/** Byte arrays one behind the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
