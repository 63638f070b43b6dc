import { ServerError } from './operator/codes.ts';
import { isSentinelUrl, readSentinelUrl, sentinelUrlExpected } from './redis/sentinel.ts';

/** Whether a journal with this URL can be shared by several processes. */
export function isSharedJournal(address: string | undefined): boolean {
  return /^rediss?(-sentinel)?:/i.test(address ?? '');
}

/**
 * Throws `ServerError` if a URL does not tell where its database is. A PostgreSQL URL may leave the host to the
 * environment, but not everything.
 */
export function requireDatabaseUrl(address: string, code: 'bad-store' | 'bad-journal') {
  if (isSentinelUrl(address)) {
    if (readSentinelUrl(address) === undefined) throw new ServerError(code, sentinelUrlExpected);
    return;
  }
  const [scheme] = address.split(':');
  const namesHost = /^postgres/i.test(address)
    ? !/^\w+:\/*$/.test(address)
    : URL.canParse(address) && new URL(address).hostname !== '';
  if (!namesHost) throw new ServerError(code, `The URL must contain a host: ${scheme}://HOST.`);
}
