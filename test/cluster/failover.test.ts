import { writeFileSync } from 'node:fs';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultLimits } from '../../engine/index.ts';
import type { SharedListener, WriteOutcome } from '../../src/cluster/journal.ts';
import { RedisJournal } from '../../src/cluster/redis/redis-journal.ts';
import { readSentinelUrl } from '../../src/cluster/redis/sentinel.ts';
import type { RoomIdentity, TickRecord } from '../../src/cluster/stored-room.ts';
import { openStore } from '../../src/cluster/stores/stores.ts';
import { thisMachine } from '../../src/machine/machine.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { isBuilt, type ServerProcess, startProcess } from '../server/processes.ts';
import { smallGame, TestClient, temporaryFolder } from '../server/support.ts';
import { silentListener } from '../support/silent-listener.ts';
import { freePort, type RedisDatabase, redis, redisServer, sentinel } from './databases.ts';

const unable = redisServer === undefined ? 'no redis here' : isBuilt ? undefined : 'it is not built';

/** A line to a port that can be cut: bytes are then neither passed on nor refused. */
async function line(target: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const relay = createServer((near) => {
    const far = openSocket(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.on('data', (bytes: Buffer) => !isCut && to.write(new Uint8Array(bytes)));
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve));
  return {
    port,
    cut: () => {
      isCut = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}

describe.skipIf(unable !== undefined)(
  `a Redis with replicas${unable === undefined ? '' : ` (skipped: ${unable})`}`,
  () => {
    let folder: ReturnType<typeof temporaryFolder>;
    const ending: (() => unknown)[] = [];

    beforeEach(() => {
      folder = temporaryFolder();
    });
    afterEach(async () => {
      for (const end of ending.splice(0).reverse()) await end();
      folder.remove();
    });

    async function database(name: string, ...more: string[]): Promise<RedisDatabase> {
      const started = await redis(join(folder.path, name), undefined, more);
      await started.start();
      ending.push(() => started.kill());
      return started;
    }
    const portOf = ({ url }: RedisDatabase): string => new URL(url).port;
    const replicaOf = (name: string, port: string): Promise<RedisDatabase> =>
      database(name, '--replicaof', `127.0.0.1 ${port}`, '--repl-diskless-sync-delay', '0');
    const synced = (primary: RedisDatabase, count: number) =>
      expect
        .poll(() => primary.command('INFO', 'replication').match(/state=online/g)?.length, { timeout: 20_000 })
        .toBe(count);

    async function journalIn({ url }: RedisDatabase, replicas: number) {
      const events: string[] = [];
      const listener: SharedListener = {
        ...silentListener,
        failing: (message) => events.push(message),
        working: () => events.push('working'),
        found: async ({ room }) => void events.push(`found ${room.id}`),
        mayTake: () => true,
        admits: () => true,
      };
      const journal = await RedisJournal.open({
        url,
        replicas,
        leaseMs: 2000,
        orphanMs: Number.POSITIVE_INFINITY,
        publicUrl: undefined,
        sealOf: () => 'seal',
        storeMark: '',
        takes: 'all',
        listener,
        onNotice: (code) => events.push(code),
        machine: thisMachine,
      });
      ending.push(() => journal.close());
      return { journal, events };
    }

    const room = (id: string): RoomIdentity => ({
      id,
      slug: 'game',
      version: 'v',
      seed: 's',
      dialect: 'standard',
      limits: defaultLimits,
      epochMs: 0,
    });
    const tick = (number: number): TickRecord => ({ tick: number, atMs: 0, inputs: [], sequences: [] });

    /** A primary and its replica, and the line between them. */
    async function pair() {
      const primary = await database('primary');
      const between = await line(Number(portOf(primary)));
      ending.push(() => between.close());
      const replica = await replicaOf('replica', String(between.port));
      await synced(primary, 1);
      return { primary, replica, between };
    }

    test.each([
      ['are lost without --journal-replicas', 0],
      ['are not acknowledged with it, also not by repetitions', 1],
    ])('writes that no replica has when it is promoted %s', async (_, replicas) => {
      const { primary, replica, between } = await pair();
      const { journal, events } = await journalIn(primary, replicas);
      expect(events).toEqual(replicas === 0 ? ['journal-volatile'] : []);
      await journal.begin();
      const rooms = Array.from({ length: 5 }, (_, i) => `room-${i}`);
      for (const id of rooms) await journal.keepRoom(room(id));
      const kept = new Map<string, number>();
      const append = (number: number): void => {
        for (const id of rooms)
          journal.append(id, tick(number), (outcome: WriteOutcome) => outcome === 'kept' && kept.set(id, number));
      };
      append(1);
      await expect.poll(() => kept.size).toBe(5);
      between.cut();
      for (let number = 2; number <= 20; number++) append(number);
      // Longer than it takes to write again what has been written.
      await new Promise((resolve) => setTimeout(resolve, 3500));
      const acknowledged = new Map(kept);
      await primary.kill();
      replica.command('REPLICAOF', 'NO', 'ONE');
      const { journal: next } = await journalIn(replica, 0);
      const newest = await Promise.all(rooms.map(async (id) => (await next.history(id))?.ticks.at(-1)?.tick ?? 0));
      const lost = rooms.filter((id, i) => newest[i]! < acknowledged.get(id)!);
      expect(lost).toEqual(replicas === 0 ? rooms : []);
      expect([...acknowledged.values()]).toEqual(rooms.map(() => (replicas === 0 ? 20 : 1)));
      expect(events.some((event) => event.startsWith('Only 0 of the 1 replicas'))).toBe(replicas === 1);
    });

    test('a takeover that no replica has is not played until one has it', async () => {
      const { primary, between } = await pair();
      const { journal: first } = await journalIn(primary, 1);
      await first.begin();
      await first.keepRoom(room('r'));
      between.cut();
      await first.release();
      const { journal: second, events } = await journalIn(primary, 1);
      await second.begin();
      await new Promise((resolve) => setTimeout(resolve, 3500));
      expect(primary.command('HGET', 'reenact:room:r', 'owner').trim()).toBe(second.self.id);
      expect(events).not.toContain('found r');
      await replicaOf('another', portOf(primary));
      await expect.poll(() => events, { timeout: 20_000 }).toContain('found r');
    });

    test('sentinels lead to the new primary: rooms go on, and another process resumes them with all that was acknowledged', async () => {
      writeFileSync(join(folder.path, 'small-game.json'), JSON.stringify(smallGame()));
      writeFileSync(join(folder.path, 'secret'), 'a secret of all processes, long enough', { mode: 0o600 });
      const primary = await database('primary');
      const replicas = [await replicaOf('one', portOf(primary)), await replicaOf('two', portOf(primary))];
      await synced(primary, 2);
      const watching = await sentinel(join(folder.path, 'sentinel'), 'games', primary);
      ending.push(() => watching.kill());
      await expect
        .poll(() => watching.command('SENTINEL', 'REPLICAS', 'games').match(/\bflags\b/g)?.length, { timeout: 30_000 })
        .toBe(2);
      // The first sentinel is down.
      const journal = watching.url.replace('//', `//127.0.0.1:${await freePort()},`);
      const start = async (options: Partial<ServerOptions> = {}): Promise<ServerProcess> => {
        const process = await startProcess({
          paths: [join(folder.path, 'small-game.json')],
          journal,
          leaseMs: 4000,
          ...options,
          tokenSecretFile: join(folder.path, 'secret'),
        });
        ending.push(() => process.kill());
        return process;
      };
      const first = await start();
      const second = await start({ rooms: 0 });
      const ann = await TestClient.join(first.wsUrl);
      ending.push(() => ann.socket.terminate());
      const { room, resume, player } = await ann.welcome();
      await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
      await primary.kill();
      // Answered when a new primary and its replica have it.
      const sequence = ann.input({ kind: 'keyUp', key: 'd' });
      expect(await ann.result(sequence)).toMatchObject({ tick: expect.any(Number) });
      const roles = replicas.map((each) => each.command('ROLE').split('\n')[0]);
      expect([...roles].sort()).toEqual(['master', 'slave']);
      await first.kill();
      const again = await TestClient.join(second.wsUrl, { resume });
      ending.push(() => again.socket.terminate());
      expect(await again.welcome()).toMatchObject({ room, player, sequence });
      expect(second.codes()).not.toContain('resume-differs');
      // Saved data follows, too.
      const store = await openStore(journal, undefined);
      ending.push(() => store.close());
      await store.save('game', 'ann', { attributes: {} } as never);
      expect(replicas[roles.indexOf('master')]!.command('DBSIZE')).not.toBe('0');
    });
  },
);

test.each([
  [
    'redis-sentinel://one,two:26380,[::1]#games',
    ['redis://one:26379', 'redis://two:26380', 'redis://[::1]:26379'],
    'redis://h:1/',
  ],
  ['rediss-sentinel://ann:p%40ss@one/2#games', ['rediss://one:26379'], 'rediss://ann:p%40ss@h:1/2'],
  ['redis-sentinel://one', undefined, undefined],
  ['redis-sentinel://#games', undefined, undefined],
  ['redis-sentinel://a b#games', undefined, undefined],
])('%s names sentinels', (url, urls, primary) => {
  const read = readSentinelUrl(url);
  expect(read?.urls).toEqual(urls);
  expect(read?.urlOf('h', '1')).toBe(primary);
});
