import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/server/stores.ts';
import { AccountPersistence } from '../../src/store/account-persistence.ts';
import type { Store } from '../../src/store/store.ts';
import { type Database, freePort, gone, redis, redisServer } from './databases.ts';
import { eventually, temporaryFolder } from './support.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const postgresBin = ['17', '16', '15', '14', '13']
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((path) => existsSync(path));

interface PostgresDatabase extends Database {
  /** Connections that it has accepted since its start. */
  connections(): number;
  /** Ends all connections but its own. */
  cut(): void;
}

async function postgres(name = 'postgres'): Promise<PostgresDatabase> {
  const port = await freePort();
  const path = join(folder.path, name);
  mkdirSync(path);
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: Number(idOf('-u')), gid: Number(idOf('-g')) } : {};
  if (isRoot) {
    execFileSync('chown', ['postgres', path]);
    chmodSync(folder.path, 0o755);
  }
  const run = { ...owner, cwd: path, stdio: 'pipe' } as const;
  const data = join(path, 'data');
  execFileSync(join(postgresBin!, 'initdb'), ['-D', data, '-U', 'game', '--auth=trust', '-N'], run);
  let child: ChildProcess | undefined;
  let said = '';
  const url = `postgres://game@127.0.0.1:${port}/postgres`;
  return {
    connections: () => said.match(/connection authorized/g)?.length ?? 0,
    cut() {
      const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
      execFileSync(join(postgresBin!, 'psql'), [url, '-c', sql], { stdio: 'pipe' });
    },
    url,
    async start() {
      const args = [
        '-D',
        data,
        '-p',
        String(port),
        '-k',
        path,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'log_connections=on',
      ];
      child = spawn(join(postgresBin!, 'postgres'), args, run);
      said = '';
      child.stderr!.on('data', (part) => (said += part));
      await eventually(() => said.includes('ready to accept connections'), 'postgres starting');
    },
    async kill() {
      if (child === undefined) return;
      // Its children would live on after a kill, and keep the folder.
      child.kill('SIGQUIT');
      await gone(child);
    },
  };
}

function idOf(flag: string): string {
  return execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim();
}

describe.each([
  ['redis', redisServer, () => redis(join(folder.path, 'redis'))],
  ['postgres', postgresBin, () => postgres()],
] as const)('players kept in a real %s', (name, program, make) => {
  describe.skipIf(program === undefined)(program === undefined ? `(skipped: no ${name} here)` : 'database', () => {
    let database: Database;
    let opened: Awaited<ReturnType<typeof openStore>>;
    let store: Store;
    beforeAll(async () => {
      database = await make();
      await database.start();
      opened = await openStore(database.url, undefined);
      store = opened.store;
    });
    afterAll(async () => {
      await opened?.close();
      await database?.kill();
    });

    test('are there again, by game and account, whatever these are called', async () => {
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

    test('are there for another process', async () => {
      await store.save('game', 'dan', { highscore: 3 });
      const other = await openStore(database.url, undefined);
      expect(await other.store.load('game', 'dan')).toEqual({ highscore: 3 });
      await other.close();
    });

    test('are written when the database is back, in order, and it is said that it was gone', async () => {
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
      // The same again, as after a recovery, changes nothing that is newer.
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
  test('are kept from one write to the next; one that breaks while nobody uses it is replaced', async () => {
    const database = await postgres('pooled');
    await database.start();
    const { store, close } = await openStore(database.url, undefined);
    for (let i = 0; i < 50; i++) await store.save('game', 'ann', { highscore: i });
    expect(database.connections()).toBeLessThanOrEqual(2);
    database.cut();
    // The pool gets the error on its own: an error without a listener would end the process here.
    await eventually(() => database.connections() > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await store.save('game', 'ann', { highscore: 99 });
    expect(await store.load('game', 'ann')).toEqual({ highscore: 99 });
    await close();
    await database.kill();
  });
});

test('an address of no known kind keeps the server from starting', async () => {
  await expect(openStore('mysql://x', undefined)).rejects.toMatchObject({ code: 'bad-store' });
});
