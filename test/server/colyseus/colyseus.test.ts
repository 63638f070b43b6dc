import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type Room } from '@colyseus/sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { HostWords } from '../../../engine/index.ts';
import { colyseusSocket, RoomClient, type Welcome } from '../../../src/net/index.ts';
import type { ReenactRoomOptions } from '../../../src/server/colyseus/index.ts';
import { freePort, gone, type RedisDatabase, redis, redisServer } from '../../cluster/databases.ts';
import { badgeGame, badgeWords } from '../host-game.ts';
import { eventually, smallGame, temporaryFolder } from '../support.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Colyseus needs Node 22. */
const newerNode = ['24', '22']
  .map((major) => at(`../../../node_modules/.cache/other-runtimes/${major}/bin/node`))
  .find((path) => existsSync(path));
const built = at('../../../dist/src/server/colyseus/index.js');
const lacking = [
  [redisServer, 'no redis here'],
  [newerNode, 'no newer Node here: node tools/other-runtimes.mjs'],
  [existsSync(built) ? built : undefined, 'it is not built'],
].find(([what]) => what === undefined)?.[1];

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly log: Record<string, unknown>[];
  end(signal: NodeJS.Signals): Promise<void>;
}

describe.skipIf(lacking !== undefined)(
  `rooms of a Colyseus server${lacking === undefined ? '' : ` (skipped: ${lacking})`}`,
  () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let database: RedisDatabase;
    const running: Running[] = [];
    const clients: RoomClient[] = [];

    beforeEach(async () => {
      folder = temporaryFolder();
      writeFileSync(join(folder.path, 'secret'), 'a secret of all processes, long enough', { mode: 0o600 });
      database = await redis(join(folder.path, 'redis'));
      await database.start();
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) client.close();
      for (const { end } of running.splice(0)) await end('SIGKILL');
      await database.kill();
      folder.remove();
    });

    async function start(definition: object = smallGame(), words?: HostWords): Promise<Running> {
      const port = await freePort();
      const room: ReenactRoomOptions = {
        journal: database.url,
        leaseMs: 1500,
        tokenSecretFile: join(folder.path, 'secret'),
        play: { hashSeconds: 0.05 },
      };
      const options = { built, port, redis: database.url, definition, room, words };
      const child = spawn(newerNode!, [at('server.mjs'), JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const log: Record<string, unknown>[] = [];
      let rest = '';
      let said = '';
      child.stderr!.on('data', (part) => (said += part));
      child.stdout!.on('data', (part) => {
        const lines = `${rest}${part}`.split('\n');
        rest = lines.pop()!;
        // Colyseus logs there, too.
        for (const each of lines) if (each.startsWith('{')) log.push(JSON.parse(each) as Record<string, unknown>);
      });
      await eventually(() => {
        if (child.exitCode !== null) throw new Error(`The server ended: ${said}`);
        return log.find(({ msg }) => msg === 'listening');
      }, 'listening');
      const end = async (signal: NodeJS.Signals) => {
        child.kill(signal);
        await gone(child);
      };
      const server = { child, url: `http://127.0.0.1:${port}`, log, end };
      running.push(server);
      return server;
    }

    /** A player with the real SDK that knows the addresses of some processes. */
    function player(name: string, ...processes: readonly Running[]): RoomClient {
      const socket = colyseusSocket(
        processes.map(({ url }) => new Client(url)),
        'small-game',
      );
      const client = new RoomClient({ url: '', name, WebSocket: socket, reconnectSeconds: 60 });
      clients.push(client);
      return client;
    }

    const nextWelcome = (client: RoomClient) => new Promise<Welcome>((resolve) => client.on('welcome', resolve));
    const resumed = ({ log }: Running) => log.find(({ msg }) => msg === 'room-resumed');

    /** Sends inputs one after the other, and returns the tick of the last one. */
    async function play(client: RoomClient, inputs: number): Promise<number> {
      let tick = 0;
      for (let i = 0; i < inputs; i++) {
        tick = await new Promise<number>((resolve) => {
          const sequence = client.send({ kind: i % 2 === 0 ? 'keyDown' : 'keyUp', key: 'd' });
          const stop = client.on('result', (result) => {
            if (result.sequence !== sequence) return;
            stop();
            resolve('tick' in result ? result.tick : 0);
          });
        });
      }
      return tick;
    }

    test('are played with our protocol, found by the matchmaking of another process, and end with their last player', async () => {
      const { data } = smallGame() as { data: { defaultData: object } };
      const forFive = smallGame({ defaultData: { ...data.defaultData, defaultMaxPlayers: 5 } });
      const [first, second] = await Promise.all([start(forFive), start(forFive)]);
      const ann = player('ann', first);
      const bob = player('bob', second);
      const { room, slug } = await ann.connect();
      expect(slug).toBe('small-game');
      expect(await bob.connect()).toMatchObject({ room, player: 'p2' });
      await play(ann, 3);
      await play(bob, 3);
      await eventually(() => ann.state.find('p2') !== undefined, 'ann hearing of bob');
      // One process has the room, whichever was asked.
      expect(running.filter(({ log }) => log.some(({ msg }) => msg === 'room-opened'))).toHaveLength(1);
      // The matchmaking sends nobody to a room that is full.
      expect(JSON.parse(database.command('HVALS', 'roomcaches'))).toMatchObject({ roomId: room, maxClients: 5 });
      ann.leave();
      bob.leave();
      await eventually(() => running.some(({ log }) => log.some(({ msg }) => msg === 'room-ended')), 'its end');
    });

    test('survive their process: players ask another one for the room, and no acknowledged input is lost', async () => {
      const [first, second] = await Promise.all([start(), start()]);
      // Ends the process that has the room.
      const players = ['ann', 'bob', 'cid'].map((name) => player(name, first, second));
      const before = [];
      for (const client of players) before.push(await client.connect());
      const ticks = await Promise.all(players.map((client) => play(client, 8)));
      const [dying, living] = first.log.some(({ msg }) => msg === 'room-opened') ? [first, second] : [second, first];
      const welcomes = players.map(nextWelcome);
      await dying.end('SIGKILL');
      for (const [i, welcome] of (await Promise.all(welcomes)).entries()) {
        expect(welcome).toMatchObject({ room: before[i]!.room, player: before[i]!.player, sequence: 8 });
      }
      expect(resumed(living)!['tick']).toBeGreaterThanOrEqual(Math.max(...ticks));
      expect(living.log.map(({ code }) => code)).not.toContain('resume-differs');
      await Promise.all(players.map((client) => play(client, 2)));
    });

    test('are handed over when their process is shut down, and found by their id after a reload', async () => {
      const [first, second] = await Promise.all([start(), start()]);
      const ann = player('ann', first, second);
      const { room, player: id } = await ann.connect();
      await play(ann, 4);
      const [ending, living] = first.log.some(({ msg }) => msg === 'room-opened') ? [first, second] : [second, first];
      const again = nextWelcome(ann);
      await ending.end('SIGTERM');
      expect(await again).toMatchObject({ room, player: id, sequence: 4 });
      expect(living.log.map(({ code }) => code)).not.toContain('resume-differs');
      const socket = colyseusSocket([new Client(living.url)], 'small-game', { room });
      const { resume } = ann.welcome!;
      const reloaded = new RoomClient({ url: '', name: 'ann', WebSocket: socket, resume });
      clients.push(reloaded);
      expect(await reloaded.connect()).toMatchObject({ room, player: id, sequence: 4 });
    });

    test('keep the seat of a player whose connection is gone, for the grace', async () => {
      const first = await start();
      const [ann, bob] = [player('ann', first), player('bob', first)];
      const { room, player: id, resume } = await ann.connect();
      await bob.connect();
      await eventually(() => bob.state.find(id) !== undefined, 'bob hearing of ann');
      const { frame } = bob.state;
      ann.close();
      await eventually(() => bob.state.frame > frame + 20, 'a second of play');
      expect(bob.state.find(id)).toBeDefined();
      const socket = colyseusSocket([new Client(first.url)], 'small-game', { room });
      const back = new RoomClient({ url: '', name: 'ann', WebSocket: socket, resume });
      clients.push(back);
      expect(await back.connect()).toMatchObject({ room, player: id });
    });

    test('play with the words of the host, whose handlers run beside them', async () => {
      const server = await start(badgeGame(), badgeWords);
      const ann = player('ann', server);
      await ann.connect();
      ann.send({ kind: 'host', trigger: 'cheered', payload: { word: 'yes' } });
      const awarded = await eventually(() => server.log.find(({ msg }) => msg === 'awarded'), 'the handler');
      expect(awarded).toEqual({ msg: 'awarded', player: 'p1', badge: 'cheer', points: null });
    });

    test('are rejoined by the SDK itself after a lost connection', async () => {
      const first = await start();
      const sdk = new Client(first.url);
      let joined: Room | undefined;
      const watched = {
        joinOrCreate: async (name: string, options: object) => (joined = await sdk.joinOrCreate(name, options)),
        joinById: sdk.joinById.bind(sdk),
        create: sdk.create.bind(sdk),
      };
      const client = new RoomClient({ url: '', name: 'ann', WebSocket: colyseusSocket([watched], 'small-game') });
      clients.push(client);
      const { player: id } = await client.connect();
      await play(client, 2);
      const { sessionId } = joined!;
      const again = nextWelcome(client);
      (joined!.connection.transport as unknown as { readonly ws: WebSocket }).ws.terminate();
      expect(await again).toMatchObject({ player: id, sequence: 2 });
      expect(joined!.sessionId).toBe(sessionId);
      await play(client, 2);
    });
  },
);
