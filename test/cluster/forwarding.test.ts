import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { thisMachine } from '../../src/machine/machine.ts';
import { RoomClient } from '../../src/net/index.ts';
import { protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { Tokens } from '../../src/server/session/tokens.ts';
import { isBuilt, programOfVersion, type ServerProcess, startProcess } from '../server/processes.ts';
import { eventually, type Serving, serve, smallGame, TestClient, temporaryFolder } from '../server/support.ts';
import { freePort, type RedisDatabase, redis, redisServer } from './databases.ts';

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
    const closing: Server[] = [];

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
      for (const server of closing.splice(0)) server.close();
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

    const askAs = ({ url }: Either, method: string, path: string, body?: object, token = adminToken) =>
      fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });

    /** Passes on what arrives at a port to another one, and keeps it. */
    async function wireTo(from: number, to: number): Promise<{ said(): string }> {
      let said = '';
      const server = createServer((socket) => {
        const onward = connect(to, '127.0.0.1');
        socket.on('data', (part) => (said += part.toString('latin1')));
        socket.on('error', () => onward.destroy());
        onward.on('error', () => socket.destroy());
        socket.pipe(onward).pipe(socket);
      });
      await once(server.listen(from, '127.0.0.1'), 'listening');
      closing.push(server);
      return { said: () => said };
    }

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

    test('a client that says goodbye to its process leaves the room of another one soon', async () => {
      const first = await start();
      const second = await start();
      const ann = await joined(first);
      const { room, player } = await ann.welcome();
      const [bob, cid] = [await joined(second, { room }), await joined(second, { room })];
      const waiting = [player, (await cid.welcome()).player];
      await cid.lose();
      bob.socket.close(1001);
      const { seats } = first.server.rooms.byId.get(room)!;
      await eventually(() => seats.size === 2);
      expect([...seats.keys()]).toEqual(waiting);
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
      const path = `http://other.example:1/rooms/${room}/picture`;
      const picture = await new Promise<IncomingMessage>((resolve, reject) => {
        request({ hostname, port, path, headers: { host: 'localhost' } }, resolve)
          .on('error', reject)
          .end();
      });
      expect(picture.statusCode).toBe(200);
      picture.destroy();
      const at = `${second.url}/rooms/${room}`;
      expect((await fetch(at, { method: 'DELETE' })).status).toBe(401);
      const headers = { authorization: `Bearer ${adminToken}` };
      expect((await fetch(at, { method: 'DELETE', headers })).status).toBe(204);
      expect((await fetch(`${second.url}/rooms/gone/definition`)).status).toBe(404);
    });

    test('an operator inspects a room through any process', async () => {
      const first = await start();
      const second = await start({ rooms: 0 });
      const { room } = await (await joined(first)).welcome();
      const headers = { authorization: `Bearer ${adminToken}` };
      const journal = await fetch(`${second.url}/rooms/${room}/journal`, { headers });
      expect(journal.status).toBe(200);
      expect((await journal.arrayBuffer()).byteLength).toBeGreaterThan(0);
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

    /** A server that keeps what it receives, and answers nothing. */
    async function listener(): Promise<{ readonly at: string; said(): string }> {
      let said = '';
      const server = createServer((socket) => socket.on('data', (part) => (said += part.toString('latin1'))));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      closing.push(server);
      const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return { at, said: () => said };
    }

    test('whoever writes itself into the list of processes gets no token, no request and no player', async () => {
      const first = await start();
      const { room } = await (await joined(first)).welcome();
      await expect.poll(() => database.command('SMEMBERS', 'reenact:processes')).toMatch(/\w/);
      const id = database.command('SMEMBERS', 'reenact:processes').trim();
      const sealed = database.command('GET', `reenact:lease:${id}`).trim();
      const text = sealed.slice(sealed.indexOf(' ') + 1);
      const rogue = await listener();
      const own = { ...(JSON.parse(text) as object), inside: `ws://${rogue.at}`, url: `ws://${rogue.at}/play` };
      const forged = JSON.stringify({ ...own, id: 'rogue' });
      const fake = [{ ...(await rooms(first))[0], id: 'better', players: 30, isOpen: true, code: 'K7QM2XPW' }];
      const lists = [
        forged,
        `${sealed.split(' ')[0]} ${forged}`,
        `${'0'.repeat(64)} ${forged}`,
        // What another process has published about itself.
        sealed,
      ];
      for (const [i, info] of lists.entries()) {
        database.command('SADD', 'reenact:processes', `rogue-${i}`);
        database.command('SET', `reenact:lease:rogue-${i}`, info, 'PX', '600000');
        database.command('SET', `reenact:list:rogue-${i}`, JSON.stringify(fake));
        database.command('HSET', `reenact:room:taken-${i}`, 'owner', `rogue-${i}`);
      }
      await eventually(() => first.codes().includes('secret-differs'), 'a notice');
      expect((await askAs(first, 'GET', '/admin/rooms')).status).toBe(200);
      expect((await askAs(first, 'POST', '/admin/message', { text: 'hi' })).status).toBe(200);
      expect((await askAs(first, 'DELETE', '/rooms/taken-0')).status).toBe(404);
      expect((await askAs(first, 'GET', '/rooms/taken-1/journal')).status).toBe(404);
      expect((await (await joined(first)).welcome()).room).toBe(room);
      const stranger = await TestClient.connect(first.wsUrl);
      clients.push(stranger);
      stranger.send({ kind: 'join', protocol: protocolVersion, name: 'eve', room: '#K7QM2XPW' });
      expect((await stranger.first('refused')).code).toBe('no-such-room');
      expect((await rooms(first)).map((each) => each.id)).toEqual([room]);
      expect(rogue.said()).toBe('');
    });

    test("an administrator's token stays at the process to which it was sent", async () => {
      const ports = [await freePort(), await freePort()] as const;
      const wire = await wireTo(ports[0], ports[1]);
      const admins = `ann: look,operate,moderate the-token-of-ann-of-first\nlou: look the-token-of-lou-of-first`;
      const first = await start({ adminToken: admins });
      // With other administrators, as while a token is replaced.
      const second = await start({ port: ports[1], clusterUrl: `ws://127.0.0.1:${ports[0]}`, rooms: 0 });
      const { id } = await ask(second, '/rooms', {});
      const asked = (token: string, method: string, path: string, body?: object) =>
        askAs(first, method, path, body, token);
      const ann = 'the-token-of-ann-of-first';
      const seen = await asked(ann, 'GET', '/admin/rooms');
      expect(JSON.stringify(await seen.json())).toContain(`"${id}"`);
      expect((await asked(ann, 'POST', `/rooms/${id}/seats`, { guests: 1 })).status).toBe(201);
      expect((await asked('the-token-of-lou-of-first', 'DELETE', `/rooms/${id}`)).status).toBe(403);
      expect((await asked(ann, 'DELETE', `/rooms/${id}`)).status).toBe(204);
      const audits = second.log.filter(({ msg }) => msg === 'audit').map(({ by, act }) => [by, act]);
      expect(audits).toEqual([
        ['admin', 'open'],
        ['ann', 'reserve'],
        ['ann', 'end'],
      ]);
      expect(wire.said()).toContain('reenact-forward');
      expect(wire.said()).not.toMatch(/the-token-of|authorization/i);
    });

    test('what a process says about an administrator holds for one request, and only if it says so', async () => {
      const { url } = await start();
      const tokens = new Tokens(new TextEncoder().encode(secret), thisMachine.clock);
      const by = { name: 'ann', scopes: ['look', 'moderate', 'operate', 'fly'] };
      const forwarded = await tokens.signForward({ address: '192.0.2.1', by, what: 'GET /admin/bans' });
      const as = (path: string, token: string, more = {}) =>
        fetch(url + path, { headers: { 'reenact-forward': token, ...more } });
      expect((await as('/admin/bans', forwarded)).status).toBe(200);
      for (const path of ['/admin/bans?x=1', '/admin/reports', '/rooms'])
        expect((await as(path, forwarded)).status).toBe(403);
      const needsAddresses = await tokens.signForward({ address: '192.0.2.1', by, what: 'GET /rooms/x/journal' });
      expect((await as('/rooms/x/journal', needsAddresses)).status).toBe(403);
      // As an older version forwards: with the token of the administrator itself.
      const older = await tokens.signForward({ address: '192.0.2.1' });
      const answer = await as('/admin/bans', older, { authorization: `Bearer ${adminToken}` });
      expect([answer.status, await answer.json()]).toMatchObject([
        401,
        { code: 'not-permitted', message: expect.stringContaining('its version is older') },
      ]);
    });

    test('nobody but a process with the secret can speak for other addresses', async () => {
      const { url, wsUrl, log } = await start();
      const forged = await new Tokens(new Uint8Array(32), thisMachine.clock).signForward({ address: '192.0.2.1' });
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
