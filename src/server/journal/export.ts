import { engineVersion } from '../../../engine/core/version.ts';
import type { JournalRecord } from '../../../engine/index.ts';
import { frameOf } from '../../journal/frames.ts';
import { journalStart } from '../../journal/journal-bytes.ts';
import { joined } from './forms.ts';
import type { StoredRoom } from './journal.ts';

/** A room's play as a journal that `reenact replay` reads. `last`: a hash taken after the last tick. */
export function exportJournal(
  { room, snapshot, ticks }: StoredRoom,
  play: { readonly definitionHash: string; readonly rate: number; readonly source: string },
  last: { readonly tick: number; readonly hash: string },
): Uint8Array {
  const { seed, dialect, limits, epochMs } = room;
  const { definitionHash, rate, source } = play;
  const start = snapshot?.tick ?? 0;
  const records: JournalRecord[] = [
    { kind: 'head', version: engineVersion, definitionHash, seed, dialect, limits, epochMs, rate, tick: start, source },
  ];
  if (snapshot !== undefined) records.push({ kind: 'snapshot', tick: start, bytes: snapshot.bytes });
  for (const { tick, inputs, hash } of ticks) {
    if (tick > last.tick) break;
    if (inputs.length > 0) records.push({ kind: 'inputs', tick, inputs });
    if (hash !== undefined) records.push({ kind: 'hash', tick, hash });
  }
  if (last.tick > start) records.push({ kind: 'hash', tick: last.tick, hash: last.hash });
  return joined([journalStart(), ...records.map(frameOf)]);
}
