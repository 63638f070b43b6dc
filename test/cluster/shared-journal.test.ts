import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { arrangeJournal, definitionHash, loadDefinition, Replay } from '../../engine/index.ts';
import { RedisJournal } from '../../src/cluster/redis/redis-journal.ts';
import type { StoredRoom } from '../../src/cluster/stored-room.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { thisMachine } from '../../src/machine/machine.ts';
import { RoomClient } from '../../src/net/index.ts';
import { protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { exportJournal } from '../../src/server/journal/export.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { isBuilt, type ServerProcess, startProcess } from '../server/processes.ts';
import { eventually, type Serving, serve, smallGame, TestClient, temporaryFolder } from '../server/support.ts';
import { silentListener } from '../support/silent-listener.ts';
import { freePort, type RedisDatabase, redis, redisServer } from './databases.ts';

const unable = redisServer === undefined ? 'no redis here' : isBuilt ? undefined : 'it is not built';

describe.skipIf(unable !== undefined)(
  `rooms in a real Redis${unable === undefined ? '' : ` (skipped: ${unable})`}`,
  () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let database: RedisDatabase;
    const processes: ServerProcess[] = [];
    const servers: Serving[] = [];
    const clients: TestClient[] = [];

    beforeEach(async () => {
      folder = temporaryFolder();
      writeFileSync(join(folder.path, 'small-game.json'), JSON.stringify(smallGame()));
      writeFileSync(join(folder.path, 'secret'), 'a secret of all processes, long enough', { mode: 0o600 });
      database = await redis(join(folder.path, 'redis'));
      await database.start();
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) client.socket.terminate();
      for (const process of processes.splice(0)) await process.kill();
      database.signal('SIGCONT');
      // One after the other: two that stop together wait for each other to take their rooms.
      for (const { server } of servers.splice(0)) await server.stop();
      await database.kill();
      folder.remove();
    });

    /** For a process that will be killed or suspended while another one lives, which waits for the end of its lease. */
    const brief = { leaseMs: 2000 };
    /** For one that is alone: nobody takes its rooms if it loses its lease on a slow machine. */
    const alone = { leaseMs: 1000 };

    const optionsOf = (options: Partial<ServerOptions>): Partial<ServerOptions> => ({
      paths: [join(folder.path, 'small-game.json')],
      seed: 'test',
      journal: database.url,
      // Long by default, so that no slow process loses its lease; only tests that kill or suspend a process wait for
      // its end.
      leaseMs: 20_000,
      tokenSecretFile: join(folder.path, 'secret'),
      adminToken: 'a token of sixteen',
      play: { hashSeconds: 0.05 } as ServerOptions['play'],
      ...options,
    });

    /** A server that the test kills or suspends. */
    async function startKillable(options: Partial<ServerOptions> = {}): Promise<ServerProcess> {
      const process = await startProcess(optionsOf(options));
      processes.push(process);
      return process;
    }

    /** A server in this process, which starts sooner. */
    async function start(options: Partial<ServerOptions> = {}): Promise<Serving> {
      const serving = await serve(folder.path, optionsOf(options));
      servers.push(serving);
      return serving;
    }

    type Either = ServerProcess | Serving;

    async function joined({ wsUrl }: Either, wishes = {}): Promise<TestClient> {
      const client = await TestClient.join(wsUrl, wishes);
      clients.push(client);
      return client;
    }

    const resumed = ({ log }: Either) => log.find(({ msg }) => msg === 'room-resumed');

    /** The result of the newest answered input. */
    function acknowledged(client: TestClient): { sequence: number; tick: number } {
      let newest = { sequence: 0, tick: 0 };
      for (const message of client.messages) {
        if (message.kind !== 'inputResults') continue;
        for (const result of message.results) {
          if ('tick' in result && result.sequence > newest.sequence) newest = result;
        }
      }
      return newest;
    }

    async function play(client: TestClient, inputs: number): Promise<{ sequence: number; tick: number }> {
      for (let i = 0; i < inputs; i++) {
        await client.result(client.input({ kind: i % 2 === 0 ? 'keyDown' : 'keyUp', key: 'd' }));
      }
      return acknowledged(client);
    }

    /** A journal of a process that plays no rooms. */
    function onlooker(orphanMs: number): Promise<RedisJournal> {
      const onNotice = () => {};
      return RedisJournal.open({
        url: database.url,
        replicas: 0,
        leaseMs: 1000,
        orphanMs,
        publicUrl: undefined,
        sealOf: () => 'seal',
        storeMark: '',
        takes: 'asked',
        listener: silentListener,
        onNotice,
        machine: thisMachine,
      });
    }

    /** A room as stored in the database. */
    async function stored(id: string): Promise<StoredRoom> {
      const journal = await onlooker(Number.POSITIVE_INFINITY);
      try {
        return (await journal.history(id))!;
      } finally {
        await journal.close();
      }
    }

    /** Replays a stored room, and compares every recorded hash. Returns the hash at a tick. */
    function hashesOf(room: StoredRoom): (tick: number) => string | undefined {
      const { game } = loadDefinition(smallGame());
      const last = room.ticks.findLast(({ hash }) => hash !== undefined)!;
      const bytes = exportJournal(
        room,
        { definition: { hash: definitionHash(game!.definition), slug: 'small-game' }, rate: 20 },
        { tick: last.tick, hash: last.hash! },
      );
      const replay = new Replay(game!, arrangeJournal(readJournalBytes(bytes)!.records)!);
      const hashes = new Map<number, string>();
      while (!replay.isAtEnd) {
        replay.step();
        expect(replay.difference()).toBeUndefined();
        hashes.set(replay.sim.tick, replay.sim.hash());
      }
      return (tick) => hashes.get(tick);
    }

    test('a room survives its process: 20 players continue on another, and no acknowledged input is lost', async () => {
      const first = await startKillable({ leaseMs: 3000 });
      const second = await start({ leaseMs: 3000 });
      const players = await Promise.all(Array.from({ length: 20 }, () => joined(first)));
      const { room } = await players[0]!.welcome();
      // They play continuously, each at its own pace, until the process is gone.
      let isOver = false;
      const playing = players.map(async (player, i) => {
        while (!isOver) {
          player.input({ kind: i % 2 === 0 ? 'keyDown' : 'keyUp', key: 'wasd'[i % 4]! });
          await new Promise((resolve) => setTimeout(resolve, 40 + i));
        }
      });
      await eventually(() => players.every((player) => acknowledged(player).sequence >= 20), 'twenty inputs of each');
      await first.kill();
      isOver = true;
      await Promise.all(playing);
      await Promise.all(players.map((player) => player.end()));
      const before = await stored(room);
      const lastTick = Math.max(...players.map((player) => acknowledged(player).tick));
      expect(before.ticks.at(-1)!.tick).toBeGreaterThanOrEqual(lastTick);
      const hashAt = hashesOf(before);
      const hash = before.ticks.find(({ tick }) => tick === lastTick)!.hash;
      expect(hash).toEqual(expect.any(String));
      expect(hashAt(lastTick)).toBe(hash);

      const again = await Promise.all(
        players.map(async (player) => joined(second, { resume: (await player.welcome()).resume })),
      );
      for (const [i, client] of again.entries()) {
        const welcome = await client.welcome();
        expect(welcome).toMatchObject({ room, player: (await players[i]!.welcome()).player });
        expect(welcome.sequence).toBeGreaterThanOrEqual(acknowledged(players[i]!).sequence);
        client.countFrom(welcome.sequence);
      }
      const found = resumed(second)!;
      expect(found['tick']).toBeGreaterThanOrEqual(lastTick);
      expect(hashAt(found['tick'] as number)).toBe(found['hash']);
      expect(second.codes()).not.toContain('resume-differs');
      for (const client of again) await play(client, 1);
      // The entries of the second process continue those of the first.
      hashesOf(await stored(room));
    });

    test('a process that is shut down hands over its rooms: its players are sent there, and none of their inputs is lost', async () => {
      const first = await startKillable();
      const second = await start({ publicUrl: undefined });
      const third = await start({ rooms: 0 });
      const clients = await Promise.all(
        ['ann', 'bob', 'cid'].map(async (name) => {
          const client = new RoomClient({ url: first.wsUrl, name, WebSocket });
          const ends: unknown[] = [];
          client.on('end', ({ code }) => ends.push(code));
          const results: number[] = [];
          client.on('result', ({ sequence }) => results.push(sequence));
          const { room, player } = await client.connect();
          return { client, ends, results, room, player };
        }),
      );
      const { room } = clients[0]!;
      const keys = setInterval(() => {
        for (const { client } of clients) client.send({ kind: 'keyDown', key: 'd' });
      }, 20);
      await eventually(() => clients.every(({ results }) => results.length > 20), 'inputs');
      first.child.kill('SIGTERM');
      const other = await eventually(() => [second, third].find((process) => resumed(process)), 'the takeover');
      const handed = first.log.find(({ msg }) => msg === 'room-handed-over')!;
      // Its state is the same, to the bit.
      expect(resumed(other)).toMatchObject({ room, tick: handed['tick'], hash: handed['hash'] });
      await eventually(() => first.child.exitCode !== null, 'the end of the process');
      expect(first.child.exitCode).toBe(0);
      expect(first.codes()).toEqual([]);
      const addresses = { [second.wsUrl]: second, [third.wsUrl]: third };
      expect(Object.values(addresses)).toContain(other);
      clearInterval(keys);
      for (const { client, ends } of clients) {
        expect(ends).toEqual([]);
        client.close();
      }
    });

    test('players find their room at the address of the process that took it over, with the same sequence numbers', async () => {
      const first = await start();
      const ports = await freePort();
      const second = await start({ port: ports, publicUrl: `ws://127.0.0.1:${ports}/play` });
      const client = new RoomClient({ url: first.wsUrl, name: 'ann', WebSocket });
      const { room, player } = await client.connect();
      const refusals: unknown[] = [];
      client.on('refused', (refusal) => refusals.push(refusal));
      const results: { sequence: number; tick?: number }[] = [];
      client.on('result', (result) => results.push(result));
      let sent = 0;
      // At most 64 inputs are pending, for slow processes and connections.
      const keys = setInterval(() => {
        if (sent - results.length < 20) sent = client.send({ kind: 'keyDown', key: 'd' });
      }, 20);
      client.on('lost', () => clearInterval(keys));
      await eventually(() => results.length > 20, 'inputs');
      const again = new Promise<{ room: string; player: string }>((resolve) => client.on('welcome', resolve));
      void first.server.stop();
      expect(await again).toMatchObject({ room, player });
      expect(refusals).toEqual([{ code: 'elsewhere', text: `ws://127.0.0.1:${ports}/play` }]);
      clearInterval(keys);
      const last = client.send({ kind: 'keyUp', key: 'd' });
      await eventually(() => results.some(({ sequence }) => sequence === last), 'the last input');
      // Each input was played exactly once.
      const sequences = results.filter((result) => 'tick' in result).map(({ sequence }) => sequence);
      expect(sequences).toEqual(Array.from({ length: last }, (_, i) => i + 1));
      hashesOf(await stored(room));
      client.close();
      expect(second.codes()).toEqual([]);
    });

    test('without another process, rooms are kept for the next one, or end if the operator wants it', async () => {
      const first = await start({ onEnd: 'hand-over' });
      const ann = await joined(first);
      await play(ann, 2);
      const ended = first.server.stop();
      expect((await ann.end()).code).toBe('shutting-down');
      await ended;
      expect(database.command('KEYS', 'reenact:room:*').trim()).toBe('');
      const second = await start();
      const bob = await joined(second);
      const { room, resume, player } = await bob.welcome();
      const { sequence } = await play(bob, 5);
      const kept = second.server.stop();
      expect((await bob.end()).code).toBe('elsewhere');
      await kept;
      const third = await start();
      expect(await (await joined(third, { resume })).welcome()).toMatchObject({ room, player, sequence });
    });

    test('every process lists the rooms of all processes', async () => {
      const first = await startKillable({ ...brief, publicUrl: 'wss://one.example/play', rooms: 2 });
      const second = await start(brief);
      const ann = await joined(first);
      const { room } = await ann.welcome();
      type Listed = { rooms: { id: string; players: number; process: { id: string; url?: string } }[] };
      const list = async ({ url }: Either) => ((await (await fetch(`${url}/rooms`)).json()) as Listed).rooms;
      let rooms = await list(second);
      while (!rooms.some(({ id, players }) => id === room && players === 1)) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        rooms = await list(second);
      }
      expect(rooms).toHaveLength(3);
      expect(rooms.filter(({ process }) => process.url === 'wss://one.example/play')).toHaveLength(2);
      expect(new Set(rooms.map(({ process }) => process.id)).size).toBe(2);
      await first.kill();
      await eventually(() => resumed(second), 'the takeover');
      expect((await list(second)).every(({ process }) => process.url === undefined)).toBe(true);
    });

    test('a process that was suspended beyond its lease writes nothing any more, and drops its rooms', async () => {
      const first = await startKillable(brief);
      const ann = await joined(first);
      const { room, resume, player } = await ann.welcome();
      const { sequence } = await play(ann, 5);
      const second = await start({ ...brief, publicUrl: 'ws://two.example/play' });
      first.child.kill('SIGSTOP');
      // They are in the suspended process's socket when it wakes.
      for (let i = 0; i < 5; i++) ann.input({ kind: 'keyDown', key: 'a' });
      await eventually(() => resumed(second), 'the takeover');
      const again = await joined(second, { resume });
      expect(await again.welcome()).toMatchObject({ room, player, sequence });
      again.countFrom(sequence);
      await play(again, 3);
      first.child.kill('SIGCONT');
      await eventually(() => first.codes().includes('room-fenced'), 'the room being given up');
      await ann.end();
      expect(acknowledged(ann).sequence).toBe(sequence);
      await play(again, 3);
      // A single sequence of ticks by one writer: each is there once, and replays to the recorded hashes.
      hashesOf(await stored(room));
      expect(second.codes()).not.toContain('room-fenced');
      // A client at the first process gets the address of the other.
      const lost = await TestClient.connect(first.wsUrl);
      clients.push(lost);
      lost.send({ kind: 'join', protocol: protocolVersion, name: 'ann', resume });
      expect(await lost.first('refused')).toMatchObject({ code: 'elsewhere', text: 'ws://two.example/play' });
    });

    test('a player of a room of another process is told its address', async () => {
      const first = await start({ publicUrl: 'wss://one.example/play' });
      const ann = await joined(first);
      const { room, resume } = await ann.welcome();
      const second = await start();
      for (const wish of [{ resume }, { room }]) {
        const client = await TestClient.connect(second.wsUrl);
        clients.push(client);
        client.send({ kind: 'join', protocol: protocolVersion, name: 'ann', ...wish });
        expect(await client.first('refused')).toMatchObject({ code: 'elsewhere', text: 'wss://one.example/play' });
      }
      // She was not affected.
      await play(ann, 1);
    });

    test('our own client follows its room to another process, and stays if that process dies', async () => {
      const port = await freePort();
      const first = await startKillable({ ...brief, port, publicUrl: `ws://127.0.0.1:${port}/play` });
      const second = await start(brief);
      const { room } = await (await joined(first)).welcome();
      const client = new RoomClient({ url: second.wsUrl, name: 'bob', room, WebSocket });
      expect((await client.connect()).room).toBe(room);
      await eventually(() => first.log.filter(({ msg }) => msg === 'player-joined').length === 2, 'a second player');
      const sent = Array.from({ length: 5 }, () => client.send({ kind: 'keyDown', key: 'd' }));
      const results: number[] = [];
      client.on('result', ({ sequence }) => results.push(sequence));
      await first.kill();
      const again = await new Promise<{ room: string }>((resolve) => client.on('welcome', resolve));
      expect(again.room).toBe(room);
      // An unacknowledged input is resent.
      await eventually(() => results.includes(sent.at(-1)!), 'the last input');
      client.close();
    });

    test('a room without players is not taken over permanently', async () => {
      const first = await startKillable({ ...brief, graceMs: 0 });
      const ann = await joined(first);
      await play(ann, 2);
      ann.send({ kind: 'leave' });
      await ann.end();
      const second = await start(brief);
      await first.kill();
      await eventually(() => resumed(second), 'the takeover');
      await eventually(() => second.log.some(({ msg }) => msg === 'room-ended'), 'its end');
      const { rooms } = (await (await fetch(`${second.url}/rooms`)).json()) as { rooms: unknown[] };
      expect(rooms).toHaveLength(1);
    });

    test('a room that nobody takes over is removed after a while', async () => {
      const first = await startKillable(alone);
      const ann = await joined(first);
      const { room } = await ann.welcome();
      await play(ann, 2);
      await first.kill();
      const journal = await onlooker(200);
      expect((await journal.history(room))!.room.id).toBe(room);
      await journal.begin();
      while ((await journal.history(room)) !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(database.command('KEYS', 'reenact:room:*').trim()).toBe('');
      await journal.close();
    });

    describe('a Redis', () => {
      /** Expects that another process resumes the room at or after the last acknowledged input. */
      async function expectKept(last: { process: ServerProcess; client: TestClient; sequence: number; tick: number }) {
        const { resume, player } = await last.client.welcome();
        await last.process.kill();
        const next = await start(alone);
        const client = await joined(next, { resume });
        const welcome = await client.welcome();
        expect(welcome.player).toBe(player);
        expect(welcome.sequence).toBeGreaterThanOrEqual(last.sequence);
        expect(resumed(next)!['tick']).toBeGreaterThanOrEqual(last.tick);
        expect(next.codes()).not.toContain('resume-differs');
      }

      test('that is slow delays acknowledgements, but no tick', async () => {
        const first = await start({ leaseMs: 20_000 });
        const ann = await joined(first);
        await play(ann, 3);
        database.signal('SIGSTOP');
        const sequence = ann.input({ kind: 'keyDown', key: 'd' });
        const tick = await tickOf(first);
        while ((await tickOf(first)) < tick + 10) await new Promise((resolve) => setTimeout(resolve, 100));
        expect(acknowledged(ann).sequence).toBeLessThan(sequence);
        database.signal('SIGCONT');
        await ann.result(sequence);
        expect(first.codes()).toEqual([]);
      });

      test('that is killed and restarted with its data has lost nothing that was acknowledged; rooms continued', async () => {
        const first = await startKillable(alone);
        const ann = await joined(first);
        await play(ann, 5);
        await database.kill();
        await eventually(() => first.codes().includes('journal-failed'), 'the failure');
        const sequence = ann.input({ kind: 'keyDown', key: 'd' });
        const tick = await tickOf(first);
        while ((await tickOf(first)) < tick + 10) await new Promise((resolve) => setTimeout(resolve, 100));
        expect(acknowledged(ann).sequence).toBeLessThan(sequence);
        await database.start();
        await ann.result(sequence);
        expect(first.log.some(({ msg }) => msg === 'journal-working')).toBe(true);
        await expectKept({ process: first, client: ann, ...(await play(ann, 2)) });
      });

      test('that is restarted empty receives all rooms again', async () => {
        const first = await startKillable(alone);
        const ann = await joined(first);
        const { sequence } = await play(ann, 5);
        await database.kill();
        database = await redis(join(folder.path, 'empty'), Number(new URL(database.url).port));
        await database.start();
        const next = await play(ann, 5);
        expect(next.sequence).toBe(sequence + 5);
        await expectKept({ process: first, client: ann, ...next });
      });

      test('that is unreachable for longer than a lease leaves each room to its process, whichever reconnects first', async () => {
        const patient = { leaseMs: 6000 };
        const first = await startKillable(patient);
        const second = await start(patient);
        const ann = await joined(first);
        const { room } = await ann.welcome();
        const { sequence } = await play(ann, 5);
        await database.kill();
        await eventually(() => second.codes().includes('journal-failed'), 'the failure');
        await new Promise((resolve) => setTimeout(resolve, patient.leaseMs + 500));
        // Others reconnect before her process does, and one is new.
        first.child.kill('SIGSTOP');
        await database.start();
        await eventually(() => second.log.some(({ msg }) => msg === 'journal-working'), 'the return of the other');
        const fresh = await onlooker(Number.POSITIVE_INFINITY);
        await fresh.begin();
        expect(await fresh.adopt(room)).toMatchObject({ isOurs: false, isAlive: false });
        expect(await fresh.adopt(room)).toMatchObject({ isOurs: false });
        first.child.kill('SIGCONT');
        expect(await play(ann, 5)).toMatchObject({ sequence: sequence + 5 });
        expect(resumed(second)).toBeUndefined();
        await fresh.close();
        expect(first.codes()).not.toContain('room-fenced');
      });

      test('that has lost a match together with its process makes its players get `match-lost`', async () => {
        const first = await startKillable(brief);
        const second = await start(brief);
        const ann = await joined(first);
        const { resume } = await ann.welcome();
        await play(ann, 2);
        await first.kill();
        database.command('FLUSHALL');
        const client = await TestClient.connect(second.wsUrl);
        clients.push(client);
        client.send({ kind: 'join', protocol: protocolVersion, name: 'ann', resume });
        expect(await client.first('refused')).toMatchObject({ code: 'match-lost' });
        // A player who only lost the connection while the match ended is told so.
        const bob = await joined(second);
        const { resume: over, room } = await bob.welcome();
        await bob.lose();
        const headers = { authorization: 'Bearer a token of sixteen' };
        await fetch(`${second.url}/rooms/${room}`, { method: 'DELETE', headers });
        const again = await TestClient.connect(second.wsUrl);
        clients.push(again);
        again.send({ kind: 'join', protocol: protocolVersion, name: 'bob', resume: over });
        expect(await again.first('refused')).toMatchObject({ code: 'room-ended' });
      });

      test('that is unreachable makes a process unready only if the operator wants that, or if rooms are paused', async () => {
        const playing = await start(brief);
        const keeping = await start({ ...brief, readyz: 'journal' });
        const standing = await start({ ...brief, onJournalFailure: 'stop' });
        const ready = () =>
          Promise.all([playing, keeping, standing].map(async ({ url }) => (await fetch(`${url}/readyz`)).status));
        expect(await ready()).toEqual([200, 200, 200]);
        await database.kill();
        for (const process of [playing, keeping, standing])
          await eventually(() => process.codes().includes('journal-failed'), 'the failure');
        expect(await ready()).toEqual([200, 503, 503]);
        await database.start();
        for (const process of [playing, keeping, standing])
          await eventually(() => process.log.some(({ msg }) => msg === 'journal-working'), 'the return');
        expect(await ready()).toEqual([200, 200, 200]);
      });

      test('that is full accepts nothing; waiting data is written when there is space', async () => {
        const first = await startKillable(alone);
        const ann = await joined(first);
        await play(ann, 3);
        database.command('CONFIG', 'SET', 'maxmemory', '1');
        const sequence = ann.input({ kind: 'keyDown', key: 'd' });
        await eventually(() => first.codes().includes('journal-failed'), 'the failure');
        expect(acknowledged(ann).sequence).toBeLessThan(sequence);
        database.command('CONFIG', 'SET', 'maxmemory', '0');
        await ann.result(sequence);
        await expectKept({ process: first, client: ann, ...(await play(ann, 2)) });
      });

      test('that is unreachable pauses rooms if the operator wants it', async () => {
        const first = await start({ ...brief, onJournalFailure: 'stop' });
        const ann = await joined(first);
        await play(ann, 3);
        await database.kill();
        await eventually(() => first.codes().includes('journal-failed'), 'the failure');
        let tick = -1;
        for (let now = await tickOf(first); now !== tick; now = await tickOf(first)) {
          tick = now;
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
        const sequence = ann.input({ kind: 'keyDown', key: 'd' });
        await database.start();
        await ann.result(sequence);
      });

      async function tickOf({ url }: Either): Promise<number> {
        const { rooms } = (await (await fetch(`${url}/rooms`)).json()) as { rooms: { tick: number }[] };
        return rooms[0]!.tick;
      }

      test('that is missing keeps a server from starting', async () => {
        await database.kill();
        await expect(start()).rejects.toMatchObject({ code: 'bad-journal' });
      });

      test('that is a cluster keeps a server from starting', async () => {
        await database.kill();
        database = await redis(join(folder.path, 'cluster'), undefined, ['--cluster-enabled', 'yes']);
        await database.start();
        await expect(start()).rejects.toThrow('Redis Cluster is not supported.');
      });

      test('that may lose data is reported to operators, and so is a different secret', async () => {
        database.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
        const first = await start();
        expect(first.codes()).toEqual(['journal-volatile']);
        database.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
        writeFileSync(join(folder.path, 'other'), 'another secret, that is long enough, too', { mode: 0o600 });
        const second = await start({ tokenSecretFile: join(folder.path, 'other') });
        expect(second.codes()).toEqual(['secret-differs']);
      });

      test('whose clock differs from that of the server is reported', async () => {
        const codesAt = async (aheadMs: number) => {
          const codes: string[] = [];
          const { clock } = thisMachine;
          const ahead = { ...clock, now: () => clock.now(), date: () => clock.date() + aheadMs };
          const journal = await RedisJournal.open({
            url: database.url,
            replicas: 0,
            leaseMs: 1000,
            orphanMs: 1000,
            publicUrl: undefined,
            sealOf: () => 'seal',
            storeMark: '',
            takes: 'asked',
            listener: silentListener,
            onNotice: (code) => codes.push(code),
            machine: { ...thisMachine, clock: ahead },
          });
          await journal.close();
          return codes;
        };
        expect(await codesAt(120_000)).toEqual(['clock-differs']);
        expect(await codesAt(-120_000)).toEqual(['clock-differs']);
        expect(await codesAt(0)).toEqual([]);
      });

      test('is told apart from a second place of saved data: processes may share a data folder, and are warned of two', async () => {
        const shared = join(folder.path, 'data');
        expect((await start({ data: shared })).codes()).toEqual([]);
        expect((await start({ data: shared })).codes()).toEqual([]);
        expect((await start({ data: join(folder.path, 'another') })).codes()).toEqual(['store-differs']);
      });
    });
  },
);
