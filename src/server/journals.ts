import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import {
  isSentinelUrl,
  isSharedJournal,
  NoJournal,
  namesHost,
  type Observer,
  RedisJournal,
  type RoomJournal,
  readSentinelUrl,
  ServerError,
  type SharedListener,
  sentinelUrlExpected,
} from '../cluster/index.ts';
import type { Machine } from '../machine/machine.ts';
import type { SyncPolicy } from './base/options.ts';
import { FileJournal } from './journal/files.ts';

/** How long rooms that no process takes over are kept. */
const orphanMs = 24 * 3600 * 1000;

interface JournalOptions {
  /** `off`, `file:FOLDER`, `redis://…`, `rediss://…`, `redis-sentinel://…`. Default: a folder within `data`, or `off` without `data`. */
  readonly journal: string | undefined;
  readonly data: string | undefined;
  readonly sync: SyncPolicy;
  /** For a shared journal. */
  readonly leaseMs: number;
  /** How many replicas of Redis must have a write before it is acknowledged. Default: 1 with sentinels, else none. */
  readonly replicas: number | undefined;
  readonly publicUrl: string | undefined;
  readonly secret: Uint8Array;
  /** See `storeMark`. */
  readonly storeMark: string;
  readonly takes: 'all' | 'asked';
  readonly listener: SharedListener;
  readonly onNotice: Observer['problem'];
  readonly machine: Machine;
}

/** Opens the journal with an address. Throws `ServerError`. */
export async function openJournal(options: JournalOptions): Promise<RoomJournal> {
  const { journal, data, sync, leaseMs, replicas, publicUrl, secret, storeMark, takes, listener, onNotice, machine } =
    options;
  requireJournalUrl(journal);
  if (isSharedJournal(journal)) {
    return RedisJournal.open({
      url: journal!,
      leaseMs,
      replicas: replicas ?? (isSentinelUrl(journal) ? 1 : 0),
      orphanMs,
      publicUrl,
      sealOf: (text) => createHmac('sha256', secret).update(`reenact-process ${text}`).digest('hex'),
      storeMark,
      takes,
      listener,
      onNotice,
      machine,
    });
  }
  const folder = journalFolder(journal, data);
  if (folder === undefined) return new NoJournal();
  const { disk, clock, processes } = machine;
  return FileJournal.open({ disk, clock, processes, folder, sync, listener, onNotice });
}

/** Whether rooms are kept in a journal, so that they can outlive their process. For the parameters see `JournalOptions`. */
export function hasJournal(journal: string | undefined, data: string | undefined): boolean {
  return isSharedJournal(journal) || journalFolder(journal, data) !== undefined;
}

function journalFolder(journal: string | undefined, data: string | undefined): string | undefined {
  if (journal === 'off') return undefined;
  return (journal?.slice('file:'.length) ?? (data && join(data, 'journal'))) || undefined;
}

/** Throws `ServerError` for the URL of an unknown kind of journal. */
export function requireJournalUrl(journal: string | undefined): void {
  if (isSentinelUrl(journal) && readSentinelUrl(journal!) === undefined) {
    throw new ServerError('bad-journal', sentinelUrlExpected);
  }
  if (isSharedJournal(journal) && !isSentinelUrl(journal) && !namesHost(journal!)) {
    throw new ServerError('bad-journal', 'The URL of the journal names no host: redis://HOST:6379.');
  }
  if (journal === undefined || journal === 'off' || isSharedJournal(journal) || /^file:./i.test(journal)) return;
  throw new ServerError(
    'bad-journal',
    'The journal must be file:FOLDER, redis://…, rediss://…, redis-sentinel://… or off.',
  );
}
