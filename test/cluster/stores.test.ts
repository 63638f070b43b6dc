import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/cluster/stores/stores.ts';
import { AccountPersistence } from '../../src/store/account-persistence.ts';
import type { AccountStore } from '../../src/store/account-store.ts';
import type { RecordStore } from '../../src/store/records.ts';
import { eventually, temporaryFolder } from '../server/support.ts';
import { type Database, postgres, postgresBin, redis, redisServer } from './databases.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe.each([
  ['redis', redisServer, () => redis(join(folder.path, 'redis'))],
  ['postgres', postgresBin, () => postgres(join(folder.path, 'postgres'))],
] as const)('players kept in a real %s', (name, program, make) => {
  describe.skipIf(program === undefined)(program === undefined ? `(skipped: no ${name} here)` : 'database', () => {
    let database: Database;
    let store: AccountStore;
    beforeAll(async () => {
      database = await make();
      await database.start();
      store = await openStore(database.url, undefined);
    });
    afterAll(async () => {
      await store?.close();
      await database?.kill();
    });

    test('are loaded by game and account, whatever their names', async () => {
      const kept = { player: { attributes: { gold: { value: 5 } } }, highscore: 7, savedAtMs: 12 };
      await store.save('game', 'Ann "☃" \u0000', kept);
      expect(await store.load('game', 'Ann "☃" \u0000')).toEqual(kept);
      expect(await store.load('other', 'Ann "☃" \u0000')).toBeUndefined();
      expect(await store.load('game', 'bob')).toBeUndefined();
    });

    test('are replaced as a whole, so that a write can be repeated', async () => {
      await store.save('game', 'cid', { highscore: 1 });
      await store.save('game', 'cid', { player: 2 });
      await store.save('game', 'cid', { player: 2 });
      expect(await store.load('game', 'cid')).toEqual({ player: 2 });
    });

    test('are available to another process', async () => {
      await store.save('game', 'dan', { highscore: 3 });
      const other = await openStore(database.url, undefined);
      expect(await other.load('game', 'dan')).toEqual({ highscore: 3 });
      await other.close();
    });

    test('can be loaded at the same time over a new connection', async () => {
      const fresh = await openStore(database.url, undefined);
      const names = Array.from({ length: 8 }, (_, i) => `fay ${i}`);
      await expect(Promise.all(names.map((name) => fresh.load('game', name)))).resolves.toHaveLength(8);
      await fresh.close();
    });

    test('are written in order when the database is back, and the outage is reported', async () => {
      const errors: unknown[] = [];
      const persistence = new AccountPersistence(store, 'game', {
        onError: (error) => errors.push(error),
        beforeRetry: () => new Promise((resolve) => setTimeout(resolve, 50)),
      });
      const best = (highscore: number) =>
        ({ kind: 'persistence', op: 'highscore', userId: 'eve', highscore, tick: 0, time: 0 }) as const;
      const save = (highscore: number, atMs: number, comesAgain = false) =>
        persistence.receive(best(highscore), atMs, comesAgain);
      save(1, 1);
      await persistence.settled();
      await database.kill();
      save(2, 2);
      await eventually(() => errors.length > 0);
      save(3, 3);
      await database.start();
      await persistence.settled();
      expect(await store.load('game', 'eve')).toEqual({ highscore: 3, savedAtMs: 3 });
      // Saving the same again, as after a recovery, does not overwrite newer data.
      save(2, 2, true);
      await persistence.settled();
      const later = new AccountPersistence(store, 'game', { onError: (error) => errors.push(error) });
      later.receive(best(2), 2, true);
      await later.settled();
      expect(await store.load('game', 'eve')).toEqual({ highscore: 3, savedAtMs: 3 });
    });
  });
});

describe.skipIf(postgresBin === undefined)('connections to a real postgres', () => {
  test('are reused for later writes; one that breaks while idle is replaced', async () => {
    const database = await postgres(join(folder.path, 'pooled'));
    await database.start();
    const store = await openStore(database.url, undefined);
    for (let i = 0; i < 50; i++) await store.save('game', 'ann', { highscore: i });
    expect(database.connections()).toBeLessThanOrEqual(2);
    database.cut();
    // The pool emits the error; without a listener it would end the process here.
    await eventually(() => database.connections() > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await store.save('game', 'ann', { highscore: 99 });
    expect(await store.load('game', 'ann')).toEqual({ highscore: 99 });
    await store.close();
    await database.kill();
  });
});

test.skipIf(postgresBin === undefined)('records in a real postgres expire, and are listed by kind', async () => {
  const database = await postgres(join(folder.path, 'records'));
  await database.start();
  const stores = await Promise.all([1, 2].map(async () => (await openStore(database.url, undefined))['records']));
  // Two processes that start at the same time create the table once.
  await Promise.all(stores.map((store, i) => store.put('bans', `a${i}`, new Uint8Array([0, i]), Date.now() + 60_000)));
  const [store, other] = stores as [RecordStore, RecordStore];
  await store.put('bans', 'ab', new Uint8Array([1]), Date.now() - 1);
  for (let i = 0; i < 150; i++) await store.put('reports', i.toString(16), new Uint8Array(), Number.POSITIVE_INFINITY);
  const listed = async (kind: 'bans' | 'reports') => {
    const ids: string[] = [];
    for await (const [id] of other.list(kind)) ids.push(id);
    return ids;
  };
  expect((await listed('bans')).sort()).toEqual(['a0', 'a1']);
  expect(await other.get('bans', 'ab')).toBeUndefined();
  expect([...(await other.get('bans', 'a1'))!]).toEqual([0, 1]);
  expect(new Set(await listed('reports')).size).toBe(150);
  expect([await store.remove('bans', 'a1'), await store.remove('bans', 'a1')]).toEqual([true, false]);
  for (const each of stores) await each.close();
  await database.kill();
});

test('an unknown kind of address keeps the server from starting', async () => {
  await expect(openStore('mysql://x', undefined)).rejects.toMatchObject({ code: 'bad-store' });
  // Not the folder of the process.
  await expect(openStore('file:', undefined)).rejects.toMatchObject({ code: 'bad-store' });
});
