import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RoomClient } from '../../src/server/client/index.ts';
import { thisMachine } from '../../src/server/machine/machine.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { Tokens } from '../../src/server/session/tokens.ts';
import { type RedisDatabase, redis, redisServer } from './databases.ts';
import { isBuilt, programOfVersion, type ServerProcess, startProcess } from './processes.ts';
import { eventually, type Serving, serve, smallGame, TestClient, temporaryFolder } from './support.ts';

const unable = redisServer === undefined ? 'no redis here' : isBuilt ? undefined : 'it is not built';
const secret = 'a secret of all processes, long enough';
const adminToken = 'a token of sixteen';

describe.skipIf(unable !== undefined)(
  `processes behind one address${unable === undefined ? '' : ` (skipped: ${unable})`}`,
  () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let database: RedisDatabase;
    const processes: ServerProcess[] = [];
    const servers: Serving[] = [];
    const clients: TestClient[] = [];

    beforeEach(async () => {
      folder = temporaryFolder();
      writeFileSync(join(folder.path, 'small-game.json'), JSON.stringify(smallGame()));
      writeFileSync(join(folder.path, 'secret'), secret, { mode: 0o600 });
      database = await redis(join(folder.path, 'redis'));
      await database.start();
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) client.socket.terminate();
      for (const process of processes.splice(0)) await process.kill();
      for (const { server } of servers.splice(0)) await server.stop();
      await database.kill();
      folder.remove();
    });

    const optionsOf = (options: Partial<ServerOptions>): Partial<ServerOptions> => ({
      paths: [join(folder.path, 'small-game.json')],
      journal: database.url,
      leaseMs: 3000,
      tokenSecretFile: join(folder.path, 'secret'),
      adminToken,
      ...options,
    });

    /** A server in this process, which starts sooner. */
    async function start(options: Partial<ServerOptions> = {}): Promise<Serving> {
      const serving = await serve(folder.path, optionsOf(options));
      servers.push(serving);
      return serving;
    }

    /** A server that the test kills, or of another version. */
    async function startProcessOf(options: Partial<ServerOptions>, program?: URL): Promise<ServerProcess> {
      const process = await startProcess(optionsOf(options), program);
      processes.push(process);
      return process;
    }

    type Either = ServerProcess | Serving;

    async function joined({ wsUrl }: Either, wishes = {}): Promise<TestClient> {
      const client = await TestClient.join(wsUrl, wishes);
      clients.push(client);
      return client;
    }

    interface Listed {
      readonly id: string;
      readonly players: number;
    }
    async function rooms({ url }: Either): Promise<readonly Listed[]> {
      const { rooms } = (await (await fetch(`${url}/rooms`)).json()) as { rooms: readonly Listed[] };
      return rooms;
    }
    const isListed = (process: Either, room: string, players: number) => async () =>
      (await rooms(process)).some(({ id, players: count }) => id === room && count === players);
    const listing = (process: Either, room: string, players: number) =>
      expect.poll(isListed(process, room, players), { timeout: 20_000 }).toBe(true);

    test('whoever connects to a process joins, plays and resumes in a room of another one', async () => {
      const first = await start();
      const second = await start();
      const { room } = await (await joined(first)).welcome();
      const bob = await joined(second, { room, name: 'bob' });
      const { player, resume, ...welcome } = await bob.welcome();
      expect(welcome.room).toBe(room);
      expect(await bob.result(bob.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
      await bob.lose();
      const again = await joined(second, { resume });
      expect(await again.welcome()).toMatchObject({ room, player, sequence: 1 });
      again.send({ kind: 'leave' });
      expect((await again.end()).code).toBe('left');
    });

    test('players who ask for no room do not scatter: they meet in the fullest one', async () => {
      const first = await start();
      const second = await start();
      const { room } = await (await joined(first)).welcome();
      await listing(second, room, 1);
      expect((await (await joined(second)).welcome()).room).toBe(room);
    });

    test('the limits of a client hold at the process that it is connected to', async () => {
      const first = await start();
      const second = await start();
      const { room } = await (await joined(first)).welcome();
      const bob = await joined(second, { room });
      for (let i = 0; i < 3000; i++) bob.input({ kind: 'keyDown', key: 'd' });
      await bob.end();
      const ended = async ({ url }: Either) =>
        /_ended_\w+\{code="too-many"\} (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
      expect(await ended(second)).toBe('1');
      expect(await ended(first)).toBeUndefined();
    });

    test('while processes are replaced one after the other, nobody is lost', { timeout: 120_000 }, async () => {
      const old = [await start(), await start()];
      // As a proxy does, connects to any process that accepts connections.
      let turn = 0;
      class Anywhere extends WebSocket {
        constructor(_url: string, protocols: string | string[]) {
          super(servers[turn++ % servers.length]!.wsUrl, protocols);
        }
      }
      const players = await Promise.all(
        ['ann', 'bob', 'cid', 'dan'].map(async (name) => {
          const client = new RoomClient({ url: 'ws://any.example/play', name, WebSocket: Anywhere });
          const ends: unknown[] = [];
          client.on('end', ({ code }) => ends.push(code));
          return { client, ends, welcome: await client.connect() };
        }),
      );
      for (const each of old) {
        await start();
        await each.server.stop();
        servers.splice(servers.indexOf(each), 1);
        await eventually(() => players.every(({ client }) => client.isConnected), 'everybody back');
      }
      for (const { client, ends, welcome } of players) {
        expect(ends).toEqual([]);
        const played = new Promise((resolve) => client.on('result', resolve));
        const sequence = client.send({ kind: 'keyDown', key: 'd' });
        expect(await played).toMatchObject({ sequence, tick: expect.any(Number) });
        expect(client.state.player).toBe(welcome.player);
        client.close();
      }
    });

    const roomOf = async (client: TestClient): Promise<string> => (await client.welcome()).room;
    const ask = async ({ url }: Either, path: string, body: object): Promise<Record<string, unknown>> => {
      const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.ok).toBe(true);
      return (await answer.json()) as Record<string, unknown>;
    };
    const ids = async (process: Either) => (await rooms(process)).map(({ id }) => id);

    test('a process that is drained sends newcomers and new rooms to another', async () => {
      const first = await start({ rooms: 0 });
      const second = await start({ rooms: 0 });
      const { room: old } = await (await joined(first)).welcome();
      await ask(first, `/admin/newcomers`, { admit: false, process: await processOf(first, old) });
      // Nothing is open anywhere.
      const fresh = await roomOf(await joined(first));
      expect(fresh).not.toBe(old);
      const { id } = await ask(first, '/rooms', {});
      await expect.poll(() => ids(second), { timeout: 20_000 }).toEqual(expect.arrayContaining([old, fresh, id]));
      for (const room of [fresh, id as string])
        expect(await processOf(second, room)).not.toBe(await processOf(second, old));
    });

    async function processOf({ url }: Either, room: string): Promise<string> {
      const listed = (await (await fetch(`${url}/rooms`)).json()) as {
        rooms: { id: string; process: { id: string } }[];
      };
      return listed.rooms.find(({ id }) => id === room)!.process.id;
    }

    test('reserved seats stay reserved when their room is handed over, also without players', async () => {
      const first = await start({ rooms: 0 });
      const { id } = await ask(first, '/rooms', {});
      const second = await start({ rooms: 0 });
      const { seats } = (await ask(second, `/rooms/${id}/seats`, { guests: 1, seconds: 600 })) as {
        seats: { token: string }[];
      };
      void first.server.stop();
      const handed = await eventually(() => first.log.find(({ msg }) => msg === 'room-handed-over'), 'the hand-over');
      expect(handed['room']).toBe(id);
      const ann = await joined(second, { resume: seats[0]!.token });
      expect(await roomOf(ann)).toBe(id);
    });

    test('rooms of an older version are finished by their process, and new ones open in a newer one', async () => {
      const newer = programOfVersion('0.1.1');
      try {
        const first = await start({ graceMs: 0 });
        const ann = await joined(first);
        const { room: old } = await ann.welcome();
        const second = await startProcessOf({}, newer.folder);
        await eventually(() => first.log.find(({ msg }) => msg === 'newer-version'), 'the newer version');
        expect(second.log.some(({ msg }) => msg === 'newer-version')).toBe(false);
        const bob = await joined(first);
        const fresh = await roomOf(bob);
        expect(fresh).not.toBe(old);
        expect(await roomOf(await joined(second))).toBe(fresh);
        // Ann plays on, and her room is reached through both.
        expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
        expect(await roomOf(await joined(second, { room: old }))).toBe(old);
        for (const client of clients.filter((each) => each !== bob)) {
          client.send({ kind: 'leave' });
          await client.end();
        }
        await eventually(() => first.log.find(({ msg, room }) => msg === 'room-ended' && room === old), 'its end');
        await first.server.stop();
        // Of an older version again: the newer one is left to play.
        const third = await start();
        await eventually(() => third.log.find(({ msg }) => msg === 'newer-version'), 'the newer version');
        expect(await roomOf(await joined(third))).not.toBe(old);
        await second.kill('SIGTERM');
        await eventually(
          () => third.log.find(({ msg, isThere }) => msg === 'newer-version' && isThere === false),
          'the end of the newer version',
        );
        await expect.poll(() => rooms(third), { timeout: 20_000 }).toHaveLength(1);
        await roomOf(await joined(third));
      } finally {
        newer.remove();
      }
    });

    test('requests about a room are answered by any process', async () => {
      const first = await start();
      const second = await start({ rooms: 0 });
      const { room } = await (await joined(first)).welcome();
      const definition = await fetch(`${second.url}/rooms/${room}/definition`);
      expect(definition.status).toBe(200);
      expect(await definition.json()).toEqual(await (await fetch(`${first.url}/rooms/${room}/definition`)).json());
      // A target that is a whole URL leads to the same process.
      const { hostname, port } = new URL(second.url);
      const path = `http://other.example:1/rooms/${room}/map`;
      const map = await new Promise<IncomingMessage>((resolve, reject) => {
        request({ hostname, port, path, headers: { host: 'localhost' } }, resolve)
          .on('error', reject)
          .end();
      });
      expect(map.statusCode).toBe(200);
      map.destroy();
      const at = `${second.url}/rooms/${room}`;
      expect((await fetch(at, { method: 'DELETE' })).status).toBe(401);
      const headers = { authorization: `Bearer ${adminToken}` };
      expect((await fetch(at, { method: 'DELETE', headers })).status).toBe(204);
      expect((await fetch(`${second.url}/rooms/gone/definition`)).status).toBe(404);
    });

    test('an operator follows a room through any process, until the room ends', async () => {
      const first = await start();
      const second = await start({ rooms: 0 });
      const { room } = await (await joined(first)).welcome();
      const headers = { authorization: `Bearer ${adminToken}` };
      const feed = await fetch(`${second.url}/rooms/${room}/insight`, { headers });
      expect(feed.status).toBe(200);
      const reader = feed.body!.getReader();
      // It begins while the room is played.
      expect((await reader.read()).value!.length).toBeGreaterThan(0);
      await fetch(`${first.url}/rooms/${room}`, { method: 'DELETE', headers });
      for (let isOver = false; !isOver; ) isOver = (await reader.read()).done;
    });

    test('while a process is dead and still has its lease, its players wait for the one that takes over', async () => {
      const first = await startProcessOf({});
      const second = await start();
      const ann = await joined(first);
      const { room, player, resume } = await ann.welcome();
      await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
      await first.kill();
      expect(await (await joined(second, { resume })).welcome()).toMatchObject({ room, player });
    });

    test('nobody but a process with the secret can speak for other addresses', async () => {
      const { url, wsUrl, log } = await start();
      const forged = await new Tokens(new Uint8Array(32), thisMachine.clock).signForward('192.0.2.1');
      const player = await new Tokens(new TextEncoder().encode(secret), thisMachine.clock).signIdentity({
        userId: 'eve',
      });
      for (const token of ['x', forged, player]) {
        const headers = { 'reenact-forward': token };
        const socket = new WebSocket(wsUrl, { headers });
        const message = await new Promise<string>((resolve) => socket.once('error', (error) => resolve(error.message)));
        expect(message).toContain('403');
        expect((await fetch(`${url}/rooms`, { headers })).status).toBe(403);
      }
      expect(log.filter(({ level }) => level === 'error')).toEqual([]);
    });
  },
);
