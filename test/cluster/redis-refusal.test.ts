import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { installedClient } from '../../src/cluster/redis/installed-client.ts';
import { openStore } from '../../src/cluster/stores/stores.ts';
import { temporaryFolder } from '../server/support.ts';
import { freePort, redis, redisServer } from './databases.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Connects to what is no usable Redis, and says why that fails. */
const ways = {
  journal: async (url: string) => {
    const client = (await installedClient())(url, 3000);
    ends.push(() => client.destroy());
    return client.connect();
  },
  store: async (url: string) => {
    const store = await openStore(url, undefined);
    ends.push(() => store.close());
    return store.load('game', 'ann');
  },
};

async function reasonOf(way: keyof typeof ways, url: string): Promise<string> {
  return ways[way](url).then(
    () => 'connected',
    (error: Error) => error.message,
  );
}

describe.each(['journal', 'store'] as const)('an operator is told why Redis cannot be used for the %s', (way) => {
  test('if nothing listens', async () => {
    const port = await freePort();
    expect(await reasonOf(way, `redis://127.0.0.1:${port}`)).toBe(
      `Redis at 127.0.0.1:${port} does not run, or does not listen on this address.`,
    );
  });

  test('if it is in protected mode, although it closes the connection before it reads', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end('-DENIED Redis is running in protected mode because no password is set.\r\n');
    }).listen(0, '127.0.0.1');
    ends.push(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await reasonOf(way, `redis://127.0.0.1:${port}`)).toMatch(
      /^Redis at 127\.0\.0\.1:\d+ closed the connection \(.*\)\. .* In protected mode, Redis refuses other machines: set a password/,
    );
  });

  test.skipIf(redisServer === undefined)('if it needs a password, or another one', async () => {
    const folder = temporaryFolder();
    ends.push(() => folder.remove());
    const database = await redis(join(folder.path, 'redis'), undefined, ['--requirepass', 'right']);
    ends.push(() => database.kill());
    await database.start();
    const { host } = new URL(database.url);
    for (const given of ['', ':wrong@']) {
      expect(await reasonOf(way, `redis://${given}${host}`)).toMatch(
        `Redis at ${host} refused the user or password in its URL (`,
      );
    }
    expect(await reasonOf(way, `redis://:right@${host}`)).toBe('connected');
  });
});
