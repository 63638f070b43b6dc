import { messageOf } from '../../../engine/core/index.ts';
import type { ClientMaker, RedisClient } from './connection.ts';

/**
 * Matches `redis-sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT/DATABASE#NAME`; the ports and the database are
 * optional.
 */
const sentinelUrl = /^redis(s?)-sentinel:\/\/(?:([^@/#]*)@)?([^/#]+)(?:\/(\d*))?#([\w.-]+)$/i;
const sentinelPort = 26379;
export const sentinelUrlExpected =
  'The URL of sentinels must be redis-sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT#NAME, with the name of the primary.';

interface Sentinels {
  /** The URLs of the sentinels. */
  readonly urls: readonly string[];
  /** The name of the primary. */
  readonly name: string;
  /** The URL of a primary with this host and port. */
  urlOf(host: string, port: string): string;
}

export function isSentinelUrl(url: string | undefined): boolean {
  return /^rediss?-sentinel:/i.test(url ?? '');
}

/** Parses a URL; undefined if it does not name sentinels and their primary. */
export function readSentinelUrl(url: string): Sentinels | undefined {
  const [, tls, credentials, hosts, database = '', name] = sentinelUrl.exec(url) ?? [];
  if (hosts === undefined || name === undefined) return undefined;
  const scheme = `redis${tls}://`;
  const urls = hosts.split(',').map((host) => `${scheme}${/:\d+$/.test(host) ? host : `${host}:${sentinelPort}`}`);
  if (!urls.every((each) => URL.canParse(each))) return undefined;
  const user = credentials === undefined ? '' : `${credentials}@`;
  return {
    urls,
    name,
    urlOf: (host, port) => `${scheme}${user}${host.includes(':') ? `[${host}]` : host}:${port}/${database}`,
  };
}

/** Returns a maker that also accepts URLs of sentinels: such a client asks for the current primary when it connects. */
export function behindSentinels(make: ClientMaker): ClientMaker {
  // The next attempt starts with another sentinel, because one that is cut off from the others may name an old primary.
  let attempts = 0;
  return (url, connectMs) =>
    isSentinelUrl(url) ? sentinelClient(make, url, connectMs, attempts++) : make(url, connectMs);
}

/** The URL of the current primary. Rejects if no sentinel knows it. */
async function primaryUrl(make: ClientMaker, url: string, connectMs: number, attempt: number) {
  const sentinels = readSentinelUrl(url);
  if (sentinels === undefined) throw new Error(sentinelUrlExpected);
  const { urls, name, urlOf } = sentinels;
  const problems: string[] = [];
  for (let i = 0; i < urls.length; i++) {
    const sentinel = make(urls[(attempt + i) % urls.length]!, connectMs / urls.length);
    try {
      await sentinel.connect();
      const found = await sentinel.send(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name]);
      if (Array.isArray(found)) return urlOf(String(found[0]), String(found[1]));
      problems.push(`there is no primary with the name "${name}"`);
    } catch (error) {
      problems.push(messageOf(error));
    } finally {
      sentinel.destroy();
    }
  }
  throw new Error(`No sentinel knows the primary: ${[...new Set(problems)].join('; ')}.`);
}

function sentinelClient(make: ClientMaker, url: string, connectMs: number, attempt: number): RedisClient {
  let client: RedisClient | undefined;
  let isOver = false;
  return {
    async connect() {
      const primary = await primaryUrl(make, url, connectMs, attempt);
      if (isOver) throw new Error('The client is closed.');
      client = make(primary, connectMs);
      await client.connect();
      const [role] = (await client.send(['ROLE'])) as readonly unknown[];
      // During a failover, sentinels may still name the old primary.
      if (String(role) !== 'master') throw new Error('This Redis server is currently a replica.');
    },
    send: async (args) => {
      if (client === undefined) throw new Error('The client is closed.');
      return client.send(args);
    },
    destroy() {
      isOver = true;
      client?.destroy();
    },
  };
}
