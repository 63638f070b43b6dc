import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import {
  isSentinelUrl,
  isSharedJournal,
  NoJournal,
  RedisJournal,
  type RoomJournal,
  requireDatabaseUrl,
  ServerError,
} from '../cluster/index.ts';
import type { Machine } from '../machine/index.ts';
import type { SyncPolicy } from './base/options.ts';
import { FileJournal } from './journal/files.ts';

/** How long rooms are kept that no process takes over, ms. */
const orphanMs = 24 * 3600 * 1000;

type SharedOptions = Parameters<typeof RedisJournal.open>[0];

interface JournalOptions
  extends Pick<SharedOptions, 'leaseMs' | 'publicUrl' | 'storeMark' | 'takes' | 'listener' | 'onNotice'> {
  /**
   * The journal: `off`, `file:FOLDER`, `redis://…`, `rediss://…`, `redis-sentinel://…`. Default: a folder within
   * `data`, or `off` without `data`.
   */
  readonly journal: string | undefined;
  readonly data: string | undefined;
  readonly sync: SyncPolicy;
  /**
   * The number of Redis replicas that must have a write before it is acknowledged. Default: 1 with sentinels, otherwise
   * none.
   */
  readonly replicas: number | undefined;
  readonly secret: Uint8Array;
  readonly machine: Machine;
}

/** Opens the journal that the options describe. Rejects with `ServerError`. */
export async function openJournal(options: JournalOptions): Promise<RoomJournal> {
  const { journal, data, sync, replicas, secret, machine, ...shared } = options;
  requireJournalUrl(journal);
  if (isSharedJournal(journal)) {
    return RedisJournal.open({
      ...shared,
      url: journal!,
      replicas: replicas ?? (isSentinelUrl(journal) ? 1 : 0),
      orphanMs,
      sealOf: (text) => createHmac('sha256', secret).update(`reenact-process ${text}`).digest('hex'),
      machine,
    });
  }
  const folder = journalFolder(journal, data);
  return folder === undefined ? new NoJournal() : FileJournal.open({ ...machine, ...shared, folder, sync });
}

/**
 * Whether the options describe a journal that keeps rooms, so that they can outlive their process. For the parameters,
 * see `JournalOptions`.
 */
export function hasJournal(journal: string | undefined, data: string | undefined): boolean {
  return isSharedJournal(journal) || journalFolder(journal, data) !== undefined;
}

function journalFolder(journal: string | undefined, data: string | undefined): string | undefined {
  if (journal === 'off') return undefined;
  return (journal?.slice('file:'.length) ?? (data && join(data, 'journal'))) || undefined;
}

/** Throws `ServerError` for the URL of an unknown kind of journal. */
export function requireJournalUrl(journal: string | undefined) {
  if (isSharedJournal(journal)) requireDatabaseUrl(journal!, 'bad-journal');
  else if (journal !== undefined && journal !== 'off' && !/^file:./i.test(journal))
    throw new ServerError(
      'bad-journal',
      'The journal must be file:FOLDER, redis://…, rediss://…, redis-sentinel://… or off.',
    );
}
