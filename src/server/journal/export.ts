import { engineVersion } from '../../../engine/core/index.ts';
import type { JournalHead, JournalRecord } from '../../../engine/index.ts';
import { joined, type RoomIdentity, type StoredRoom } from '../../cluster/index.ts';
import { frameOf, journalStart } from '../../journal/index.ts';

/** The members of a journal's head that a room's identity lacks. */
interface Play {
  readonly definitionHash: string;
  readonly rate: number;
  readonly source: string;
}

/** The head of a room's journal that starts at a tick. */
function journalHead({ seed, dialect, limits, epochMs }: RoomIdentity, play: Play, tick: number): JournalHead {
  return { version: engineVersion, seed, dialect, limits, epochMs, tick, ...play };
}

/** Converts a stored room to a journal file for `reenact replay`. `last` is the hash after the last tick. */
export function exportJournal(
  { room, snapshot, ticks }: StoredRoom,
  play: Play,
  last: { readonly tick: number; readonly hash: string },
): Uint8Array {
  const start = snapshot?.tick ?? 0;
  const records: JournalRecord[] = [{ kind: 'head', ...journalHead(room, play, start) }];
  if (snapshot !== undefined) records.push({ kind: 'snapshot', tick: start, bytes: snapshot.bytes });
  for (const { tick, inputs, hash } of ticks) {
    if (tick > last.tick) break;
    if (inputs.length > 0) records.push({ kind: 'inputs', tick, inputs });
    if (hash !== undefined) records.push({ kind: 'hash', tick, hash });
  }
  if (last.tick > start) records.push({ kind: 'hash', tick: last.tick, hash: last.hash });
  return joined([journalStart(), ...records.map(frameOf)]);
}
