import { join } from 'node:path';
import { installedClient, isSharedJournal, RedisRecordStore } from '../../cluster/index.ts';
import type { Machine } from '../../machine/index.ts';
import { FileRecordStore, MemoryRecordStore, type WatchedStore } from '../../store/index.ts';

/**
 * Opens the record store that belongs to a journal: in the Redis of the journal if there is one, otherwise in the data
 * folder, otherwise in memory.
 */
export async function openRecordStore(
  journal: string | undefined,
  data: string | undefined,
  machine: Machine,
): Promise<WatchedStore> {
  const { clock } = machine;
  if (isSharedJournal(journal)) return new RedisRecordStore(await installedClient(), journal!, clock);
  return data === undefined ? new MemoryRecordStore(clock) : new FileRecordStore(join(data, 'community'), machine);
}
