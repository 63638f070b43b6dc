import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/cluster/stores/stores.ts';
import { type Database, postgres, postgresBin, redis, redisServer } from '../cluster/databases.ts';
import { script } from '../support/play.ts';
import { isBuilt, type ServerProcess, startProcess } from './processes.ts';
import { eventually, type Serving, serve, smallGame, TestClient, temporaryFolder } from './support.ts';

const player = { function: 'getTriggeringPlayer' };
const gold = { function: 'getPlayerAttribute', entity: player, attribute: 'gold' };

/**
 * A game that loads a player's saved data at the join. Each custom input earns 7 gold, which is saved and announced.
 */
function bank(): unknown {
  return smallGame({
    scripts: {
      join: script('playerJoinsGame', [
        { type: 'assignPlayerType', entity: player, playerType: 'human' },
        { type: 'loadPlayerDataAndApplyIt', player },
      ]),
      earn: script('playerCustomInput', [
        {
          type: 'setPlayerAttribute',
          entity: player,
          attribute: 'gold',
          value: { function: 'calculate', items: [{ operator: '+' }, gold, 7] },
        },
        { type: 'savePlayerData', player },
        { type: 'sendChatMessageToPlayer', player, message: { function: 'numberToString', value: gold } },
      ]),
    },
  });
}

const secret = 'a secret of all processes, long enough';
const waits =
  'Your saved data cannot be loaded right now. It will be added as soon as it is available; what you earn until then is kept.';
const here = 'Your saved data has been loaded.';

describe.each([
  ['Redis', redisServer, redis],
  ['PostgreSQL', postgresBin, postgres],
] as const)('while the store of saved data is down, with %s,', (name, program, make) => {
  const unable = program === undefined ? `no ${name} here` : isBuilt ? undefined : 'it is not built';
  describe.skipIf(unable !== undefined)(unable === undefined ? 'an account' : `(skipped: ${unable})`, () => {
    const shared = temporaryFolder();
    let folder: ReturnType<typeof temporaryFolder>;
    let database: Database;
    /** Each test uses its own account in the database. */
    let account = '';
    let accounts = 0;
    const processes: ServerProcess[] = [];
    const servers: Serving[] = [];
    const clients: TestClient[] = [];
    beforeAll(async () => {
      database = await make(join(shared.path, 'database'));
      await database.start();
    });
    afterAll(async () => {
      await database?.kill();
      shared.remove();
    });
    beforeEach(() => {
      account = `ann ${++accounts}`;
      folder = temporaryFolder();
      writeFileSync(join(folder.path, 'bank.json'), JSON.stringify(bank()));
      writeFileSync(join(folder.path, 'secret'), secret, { mode: 0o600 });
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) client.socket.terminate();
      for (const process of processes.splice(0)) await process.kill();
      for (const { server } of servers.splice(0)) await server.stop();
      folder.remove();
    });

    const options = () => ({
      paths: [join(folder.path, 'bank.json')],
      store: database.url,
      journal: `file:${join(folder.path, 'journal')}`,
      tokenSecretFile: join(folder.path, 'secret'),
    });
    type Either = ServerProcess | Serving;

    /** A server in this process, which starts sooner. */
    async function start(): Promise<Serving> {
      // With kept rooms, the player would return to its seat, and need no data.
      const serving = await serve(folder.path, { ...options(), onEnd: 'end' });
      servers.push(serving);
      return serving;
    }

    /** A server that the test kills. */
    async function startKillable(): Promise<ServerProcess> {
      const process = await startProcess(options());
      processes.push(process);
      return process;
    }

    async function joined({ wsUrl }: Either, resume?: string): Promise<TestClient> {
      const token = await new SignJWT({ sub: account })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience('reenact')
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(secret));
      const client = await TestClient.join(wsUrl, resume === undefined ? { token } : { resume });
      clients.push(client);
      return client;
    }

    const chat = (client: TestClient): unknown[] =>
      client.messages.flatMap((message) =>
        message.kind === 'events'
          ? message.events.flatMap((event) => (event.kind === 'chat' ? [event['text']] : []))
          : [],
      );
    const told = (client: TestClient, text: string) => eventually(() => chat(client).includes(text), text);

    /** Earns 7 gold, and returns what the player has then. */
    async function earn(client: TestClient): Promise<number> {
      const before = chat(client).length;
      await client.result(client.input({ kind: 'customInput', text: '' }));
      const said = await eventually(
        () =>
          chat(client)
            .slice(before)
            .find((text) => /^\d+$/.test(String(text))),
        'the gold being said',
      );
      return Number(said);
    }

    async function stored(): Promise<unknown> {
      const { store, close } = await openStore(database.url, undefined);
      const kept = await store.load('small-game', account);
      await close();
      return (kept?.player as { attributes: { gold: { value: number } } } | undefined)?.attributes.gold.value;
    }

    async function metric({ url }: Either, line: string): Promise<number> {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(
        text
          .split('\n')
          .find((each) => each.startsWith(`${line} `))
          ?.split(' ')[1] ?? 0,
      );
    }

    /** The player has 15 gold from an earlier game, and the store goes down. */
    async function savedBefore<T extends Either>(startNext: () => Promise<T>): Promise<T> {
      const process = await start();
      const client = await joined(process);
      await earn(client);
      expect(await earn(client)).toBe(15);
      await client.lose();
      await process.server.stop();
      expect(await stored()).toBe(15);
      const next = await startNext();
      await database.kill();
      return next;
    }

    test('that joins plays without its data, receives it when the store is back, and keeps everything it earned', async () => {
      const process = await savedBefore(start);
      const client = await joined(process);
      await told(client, waits);
      expect(await earn(client)).toBe(8);
      expect(await metric(process, 'reenact_players_without_data')).toBe(1);
      expect(process.log).toContainEqual(expect.objectContaining({ msg: 'saved-data-late', player: 'p1' }));
      expect(process.codes()).toContain('store-failed');
      expect(await metric(process, 'reenact_store_failing')).toBe(1);
      await database.start();
      await told(client, here);
      expect(await earn(client)).toBe(29);
      await eventually(() => process.log.some(({ msg }) => msg === 'saved-data-loaded'), 'the log saying so');
      expect(await metric(process, 'reenact_players_without_data')).toBe(0);
      expect(await metric(process, 'reenact_store_failing')).toBe(0);
      expect(process.log.filter(({ msg }) => msg === 'store-working')).toHaveLength(1);
      expect(await metric(process, 'reenact_late_data_total{outcome="missing"}')).toBe(1);
      expect(await metric(process, 'reenact_late_data_total{outcome="loaded"}')).toBe(1);
      await process.server.stop();
      expect(await stored()).toBe(29);
    });

    test('that was to be saved once is saved when the store is back', async () => {
      const process = await savedBefore(start);
      const client = await joined(process);
      await earn(client);
      await database.start();
      await told(client, here);
      await process.server.stop();
      expect(await stored()).toBe(22);
    });

    test('that leaves before the store is back has its earnings merged into its saved data', async () => {
      const process = await savedBefore(start);
      const client = await joined(process);
      await earn(client);
      client.send({ kind: 'leave' });
      await client.end();
      await database.start();
      await process.server.stop();
      expect(await stored()).toBe(22);
    });

    test('that is in the game when the server shuts down is saved while the shutdown waits for the store', async () => {
      const process = await savedBefore(start);
      const client = await joined(process);
      await earn(client);
      const ended = process.server.stop();
      await client.end();
      await database.start();
      await ended;
      expect(await stored()).toBe(22);
    });

    test('receives its data from the next process, if its room is resumed there after a crash', async () => {
      const process = await savedBefore(startKillable);
      const client = await joined(process);
      const { resume } = await client.welcome();
      await earn(client);
      await process.kill();
      const next = await start();
      const again = await joined(next, resume);
      await database.start();
      await told(again, here);
      again.countFrom((await again.welcome()).sequence);
      expect(await earn(again)).toBe(29);
      await next.server.stop();
      expect(await stored()).toBe(29);
    });
  });
});

describe.skipIf(redisServer === undefined)('a store that never answers', () => {
  test('does not keep players from joining', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder.path, 'bank.json'), JSON.stringify(bank()));
    writeFileSync(join(folder.path, 'secret'), secret, { mode: 0o600 });
    const database = await redis(join(folder.path, 'database'));
    await database.start();
    const serving = await serve(folder.path, {
      paths: [join(folder.path, 'bank.json')],
      store: database.url,
      tokenSecretFile: join(folder.path, 'secret'),
    });
    const token = await new SignJWT({ sub: 'ann' })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience('reenact')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret));
    database.signal('SIGSTOP');
    const client = await TestClient.join(serving.wsUrl, { token });
    // The request to the store is still pending.
    expect(serving.codes()).toEqual([]);
    client.socket.terminate();
    database.signal('SIGCONT');
    await serving.server.stop();
    await database.kill();
    folder.remove();
  });
});
