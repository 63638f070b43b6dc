import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/cluster/stores/stores.ts';
import { protocolVersion } from '../../src/net/index.ts';
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

function tokenOf(account: string): Promise<string> {
  return new SignJWT({ sub: account })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('reenact')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
}

/** The code with which a join is refused. */
async function refusedAt(url: string, token: string): Promise<unknown> {
  const client = await TestClient.connect(url);
  client.send({ kind: 'join', protocol: protocolVersion, name: 'ann', token });
  return (await client.first('refused')).code;
}

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
    });
    afterAll(() => shared.remove());
    beforeEach(async () => {
      await database.start();
      account = `ann ${++accounts}`;
      folder = temporaryFolder();
      writeFileSync(join(folder.path, 'bank.json'), JSON.stringify(bank()));
      writeFileSync(join(folder.path, 'secret'), secret, { mode: 0o600 });
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) client.socket.terminate();
      for (const process of processes.splice(0)) await process.kill();
      for (const { server } of servers.splice(0)) await server.stop();
      await database.kill();
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
      const token = await tokenOf(account);
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
      const store = await openStore(database.url, undefined);
      const kept = await store.load('small-game', account);
      await store.close();
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

    const refused = async ({ wsUrl }: Either): Promise<unknown> => refusedAt(wsUrl, await tokenOf(account));

    /** The player has earned 15 gold, and the store goes down. */
    async function inGame<T extends Either>(startFirst: () => Promise<T>) {
      const process = await startFirst();
      const client = await joined(process);
      await earn(client);
      expect(await earn(client)).toBe(15);
      await database.kill();
      return { process, client };
    }

    test('in the game plays on, and what it saves is stored when the store is back', async () => {
      const { process, client } = await inGame(start);
      expect(await earn(client)).toBe(22);
      await eventually(() => process.codes().includes('store-failed'), 'the log saying so');
      expect(await metric(process, 'reenact_store_failing')).toBe(1);
      await database.start();
      await eventually(() => process.log.some(({ msg }) => msg === 'store-working'), 'the log saying so');
      expect(await metric(process, 'reenact_store_failing')).toBe(0);
      await process.server.stop();
      expect(await stored()).toBe(22);
    });

    test('that joins is refused, and joins with its data when the store is back', async () => {
      const first = await start();
      const client = await joined(first);
      await earn(client);
      await client.lose();
      await first.server.stop();
      const process = await start();
      await database.kill();
      expect(await refused(process)).toBe('saved-data-unavailable');
      await database.start();
      await eventually(async () => (await metric(process, 'reenact_store_failing')) === 0, 'the store working');
      const again = await joined(process);
      await again.welcome();
      expect(await earn(again)).toBe(15);
    });

    test('that leaves and joins again has what could not be stored yet', async () => {
      const { process, client } = await inGame(start);
      expect(await earn(client)).toBe(22);
      client.send({ kind: 'leave' });
      await client.end();
      const again = await joined(process);
      await again.welcome();
      expect(await earn(again)).toBe(29);
      await database.start();
      await process.server.stop();
      expect(await stored()).toBe(29);
    });

    test('is saved while a shutdown waits for the store', async () => {
      const { process, client } = await inGame(start);
      await earn(client);
      const ended = process.server.stop();
      await client.end();
      await database.start();
      await ended;
      expect(await stored()).toBe(22);
    });

    test('plays on in the next process, if its room is resumed there after a crash', async () => {
      const { process, client } = await inGame(startKillable);
      const { resume } = await client.welcome();
      expect(await earn(client)).toBe(22);
      await process.kill();
      const next = await start();
      const again = await joined(next, resume);
      again.countFrom((await again.welcome()).sequence);
      expect(await earn(again)).toBe(29);
      await database.start();
      await next.server.stop();
      expect(await stored()).toBe(29);
    });
  });
});

describe.skipIf(redisServer === undefined)('a store that never answers', () => {
  test('refuses accounts, and lets guests in', async () => {
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
    const token = await tokenOf('ann');
    database.signal('SIGSTOP');
    expect(await refusedAt(serving.wsUrl, token)).toBe('saved-data-unavailable');
    const guest = await TestClient.join(serving.wsUrl, {});
    await guest.welcome();
    guest.socket.terminate();
    database.signal('SIGCONT');
    await serving.server.stop();
    await database.kill();
    folder.remove();
  });
});
