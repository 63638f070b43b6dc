import { isRecord } from '../../engine/core/index.ts';
import { isInput, isLimits } from '../../engine/index.ts';
import type { RoomIdentity, RoomSnapshot, StoredRoom, TickRecord } from './stored-room.ts';

/** One tick of a room in the form in which it is stored. */
type Row = readonly [
  room: string,
  tick: number,
  atMs: number,
  inputs: TickRecord['inputs'],
  sequences: TickRecord['sequences'],
  hash: string | null,
  renewed: NonNullable<TickRecord['renewed']>,
];

export interface LogRecord {
  readonly room: string;
  readonly record: TickRecord;
}

export function encodeRecord({ room, record }: LogRecord): Row {
  const { tick, atMs, inputs, sequences, hash, renewed } = record;
  return [room, tick, atMs, inputs, sequences, hash ?? null, renewed ?? []];
}

export function decodeRecord([room, tick, atMs, inputs, sequences, hash, renewed]: Row): LogRecord {
  return { room, record: { tick, atMs, inputs, sequences, hash: hash ?? undefined, renewed } };
}

export function isRow(value: unknown): value is Row {
  if (!Array.isArray(value)) return false;
  const [room, tick, atMs, inputs, sequences, hash, renewed = []] = value;
  return (
    typeof room === 'string' &&
    Number.isSafeInteger(tick) &&
    Number.isFinite(atMs) &&
    Array.isArray(inputs) &&
    inputs.every(isInput) &&
    Array.isArray(sequences) &&
    (hash === null || typeof hash === 'string') &&
    Array.isArray(renewed)
  );
}

export function isIdentity(value: unknown): value is RoomIdentity {
  if (!isRecord(value)) return false;
  const { id, slug, version, seed, dialect, limits, epochMs } = value;
  return (
    [id, slug, version, seed, dialect].every((text) => typeof text === 'string') &&
    isLimits(limits) &&
    Number.isFinite(epochMs)
  );
}

export function isSnapshot(value: unknown): value is RoomSnapshot {
  if (!isRecord(value)) return false;
  const { tick, bytes, players } = value;
  return Number.isSafeInteger(tick) && bytes instanceof Uint8Array && Array.isArray(players);
}

/**
 * Orders records by tick. The records are given in the order in which they were written. If a tick occurs again, the
 * later record counts, and all earlier records from that tick on are dropped: ticks had been lost, and the room was
 * resumed from before them.
 */
export function withoutReplacedTicks(records: Iterable<TickRecord>): TickRecord[] {
  const ticks: TickRecord[] = [];
  for (const record of records) {
    while (ticks.length > 0 && ticks.at(-1)!.tick >= record.tick) ticks.pop();
    ticks.push(record);
  }
  return ticks;
}

/** A stored room with only the ticks after its snapshot. */
export function storedRoom(
  { room, snapshot }: { readonly room: RoomIdentity; readonly snapshot?: RoomSnapshot | undefined },
  ticks: readonly TickRecord[] = [],
): StoredRoom {
  const after = snapshot?.tick ?? 0;
  return { room, snapshot, ticks: ticks.filter(({ tick }) => tick > after) };
}

export { joined } from '../journal/index.ts';
