import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMissing, type Processes } from '../../machine/index.ts';
import { FileStore, type ListedStore, MemoryStore } from '../../store/index.ts';
import { requireDatabaseUrl } from '../addresses.ts';
import { ServerError } from '../operator/codes.ts';
import { KeyvStore, openPostgres, openRedis } from './keyv-store.ts';

export interface OpenStore {
  readonly store: ListedStore;
  close(): Promise<void>;
}

/**
 * Opens the store with a URL: `redis://`, `rediss://`, `redis-sentinel://`, `postgres://`, `postgresql://`,
 * `file:FOLDER` or `memory:`. Default: files in the data folder, or memory without a data folder. Throws `ServerError`
 * for invalid URLs. Databases are connected to on first use, so they may be started later.
 */
export async function openStore(address: string | undefined, data: string | undefined): Promise<OpenStore> {
  if (address === undefined) {
    return data === undefined ? kept(new MemoryStore()) : kept(new FileStore(join(data, 'players')));
  }
  const scheme = /^([a-z-]+):/i.exec(address)?.[1]?.toLowerCase();
  if (/^(?:rediss?(?:-sentinel)?|postgres(?:ql)?)$/.test(scheme ?? '')) requireDatabaseUrl(address, 'bad-store');
  switch (/^file:$/i.test(address) ? undefined : scheme) {
    case 'redis':
    case 'rediss':
    case 'redis-sentinel':
    case 'rediss-sentinel':
      await demandPackage('@keyv/redis', () => import('@keyv/redis'));
      return closing(new KeyvStore(() => openRedis(address)));
    case 'postgres':
    case 'postgresql':
      await demandPackage('@keyv/postgres', () => import('@keyv/postgres'));
      return closing(new KeyvStore(() => openPostgres(address)));
    case 'file':
      return kept(
        new FileStore(address.startsWith('file://') ? fileURLToPath(address) : address.slice('file:'.length)),
      );
    case 'memory':
      return kept(new MemoryStore());
    default:
      throw new ServerError(
        'bad-store',
        'The store must be redis://…, rediss://…, redis-sentinel://…, postgres://…, postgresql://…, file:FOLDER or memory:.',
      );
  }
}

/**
 * A mark that differs between processes if they certainly store saved data in different places. Processes may use
 * different URLs for the same database, and a folder may be shared over the network, so databases have a common mark,
 * and so do equal folder URLs.
 */
export function storeMark(address: string | undefined, data: string | undefined, { namespace }: Processes): string {
  const folder = data === undefined ? 'memory:' : `${namespace} ${resolve(data)}`;
  const place = address === undefined ? folder : /^(?:file|memory):/i.test(address) ? address : 'database';
  return createHash('sha256').update(place).digest('hex').slice(0, 16);
}

function kept(store: ListedStore): OpenStore {
  return { store, close: async () => {} };
}

function closing(store: KeyvStore): OpenStore {
  return { store, close: () => store.close() };
}

async function demandPackage(name: string, load: () => Promise<unknown>): Promise<void> {
  try {
    await load();
  } catch (error) {
    if (!isMissing(name, error)) throw error;
    throw new ServerError('bad-store', `This store needs the package ${name}: npm install ${name}`);
  }
}
