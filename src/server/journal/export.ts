import { engineVersion } from '../../../engine/core/index.ts';
import type { JournalRecord } from '../../../engine/index.ts';
import { joined, type StoredRoom } from '../../cluster/index.ts';
import { frameOf, journalStart } from '../../journal/index.ts';

/** The members of a journal's head that a stored room lacks. */
interface PlayedRoom {
  readonly definition: { readonly hash: string; readonly slug: string };
  readonly rate: number;
}

/** Converts a stored room to a journal file for `reenact replay`. `last` is the hash after the last tick. */
export function exportJournal(
  { room, snapshot, ticks }: StoredRoom,
  { definition: { hash: definitionHash, slug: source }, rate }: PlayedRoom,
  last: { readonly tick: number; readonly hash: string },
): Uint8Array {
  const start = snapshot?.tick ?? 0;
  const { seed, dialect, limits, epochMs } = room;
  const about = { seed, dialect, limits, epochMs, definitionHash, rate, source };
  const records: JournalRecord[] = [{ kind: 'head', version: engineVersion, tick: start, ...about }];
  if (snapshot !== undefined) records.push({ kind: 'snapshot', tick: start, bytes: snapshot.bytes });
  for (const { tick, inputs, hash } of ticks) {
    if (tick > last.tick) break;
    if (inputs.length > 0) records.push({ kind: 'inputs', tick, inputs });
    if (hash !== undefined) records.push({ kind: 'hash', tick, hash });
  }
  if (last.tick > start) records.push({ kind: 'hash', tick: last.tick, hash: last.hash });
  return joined([journalStart(), ...records.map(frameOf)]);
}
