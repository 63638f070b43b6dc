import { join } from 'node:path';
import { isSharedJournal } from '../base/options.ts';
import { installedClient } from '../journal/redis/connection.ts';
import type { Machine } from '../machine/machine.ts';
import { RedisShelf } from './redis-shelf.ts';
import { FileShelf, MemoryShelf, type Shelf } from './shelf.ts';

/** Opens the shelf beside a journal: in the same Redis, else in the data folder, else in memory. */
export async function openShelf(
  journal: string | undefined,
  data: string | undefined,
  { disk, clock }: Pick<Machine, 'disk' | 'clock'>,
): Promise<Shelf> {
  if (isSharedJournal(journal)) return new RedisShelf(await installedClient(), journal!, clock);
  return data === undefined ? new MemoryShelf(clock) : new FileShelf(join(data, 'community'), disk, clock);
}
