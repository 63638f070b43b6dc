import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digest, type Processes, thisMachine } from '../../machine/index.ts';
import { AccountStore, accountsIn, MemoryRecordStore } from '../../store/index.ts';
import { requireDatabaseUrl } from '../addresses.ts';
import { neededPackage } from '../needed-package.ts';
import { ServerError } from '../operator/codes.ts';
import { installedClient } from '../redis/installed-client.ts';
import { RedisRecordStore } from '../redis/redis-record-store.ts';
import { answerMs, PostgresRecordStore } from './postgres-record-store.ts';

/**
 * Opens the saved data of accounts at a URL: `redis://`, `rediss://`, `redis-sentinel://`, `postgres://`,
 * `postgresql://`, `file:FOLDER` or `memory:`. Default: files in the data folder, or memory without a data folder.
 * Throws `ServerError` for invalid URLs. Databases are connected to on first use, so they may be started later.
 */
export async function openStore(address: string | undefined, data: string | undefined): Promise<AccountStore> {
  const { clock } = thisMachine;
  if (address === undefined && data !== undefined) return accountsIn(data);
  const url = address ?? 'memory:';
  const scheme = /^([a-z-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (/^(?:rediss?(?:-sentinel)?|postgres(?:ql)?)$/.test(scheme ?? '')) requireDatabaseUrl(url, 'bad-store');
  switch (/^file:$/i.test(url) ? undefined : scheme) {
    case 'redis':
    case 'rediss':
    case 'redis-sentinel':
    case 'rediss-sentinel':
      return new AccountStore(new RedisRecordStore(await installedClient('store'), url, clock, answerMs));
    case 'postgres':
    case 'postgresql':
      return new AccountStore(new PostgresRecordStore(await neededPackage('pg', 'store', () => import('pg')), url));
    case 'file':
      return accountsIn(url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length));
    case 'memory':
      return new AccountStore(new MemoryRecordStore(clock));
    default:
      throw new ServerError(
        'bad-store',
        'The store must be redis://…, rediss://…, redis-sentinel://…, postgres://…, postgresql://…, file:FOLDER or memory:.',
      );
  }
}

/**
 * A mark that differs between processes only if they certainly store saved data in different places. Different URLs can
 * lead to the same database, and processes on different machines can share a folder over the network. Therefore, all
 * databases have the same mark, and so have equal folder URLs.
 */
export function storeMark(address: string | undefined, data: string | undefined, { namespace }: Processes): string {
  const folder = data === undefined ? 'memory:' : `${namespace} ${resolve(data)}`;
  const place = address === undefined ? folder : /^(?:file|memory):/i.test(address) ? address : 'database';
  return digest(place, 16);
}
