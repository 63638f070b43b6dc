import { join } from 'node:path';
import { installedClient, isSharedJournal, type RecordStore, RedisRecordStore } from '../../cluster/index.ts';
import type { Machine } from '../../machine/index.ts';
import { FileRecordStore, MemoryRecordStore } from './record-store.ts';

/**
 * Opens the record store that belongs to a journal: in the same Redis, otherwise in the data folder, otherwise in
 * memory.
 */
export async function openRecordStore(
  journal: string | undefined,
  data: string | undefined,
  { disk, clock }: Pick<Machine, 'disk' | 'clock'>,
): Promise<RecordStore> {
  if (isSharedJournal(journal)) return new RedisRecordStore(await installedClient(), journal!, clock);
  return data === undefined ? new MemoryRecordStore(clock) : new FileRecordStore(join(data, 'community'), disk, clock);
}
