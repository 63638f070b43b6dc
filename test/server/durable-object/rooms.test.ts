import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Clock, hostClock } from '../../../src/machine/index.ts';
import {
  decodeServerMessage,
  encodeClientMessage,
  protocolVersion,
  RoomClient,
  type RoomClientOptions,
} from '../../../src/net/index.ts';
import { Tokens } from '../../../src/server/session/tokens.ts';
import { script } from '../../support/play.ts';
import { runsFactor } from '../../support/property.ts';
import { badgeGame, badgeWords } from '../host-game.ts';
import { eventually, smallGame, temporaryFolder } from '../support.ts';
import { bundle, lacking, Runtime, secret } from './runtime.ts';

/** With `PROPERTY_RUNS=1` or more: twenty kills, fifty rooms, ten minutes of sleep. */
const isLong = runsFactor >= 1;
const key = { kind: 'keyDown', key: 'd' } as const;
const player = { function: 'getTriggeringPlayer' };
const gold = { function: 'getPlayerAttribute', entity: player, attribute: 'gold' };
const game = (more: object = {}, name = 'small') => ({ games: { [name]: JSON.stringify(smallGame({ ...more })) } });

/** Clients try again twice a second: the runtime takes several seconds to start, and tests wait for them. */
const impatient: Clock = { ...hostClock, after: (ms, call) => hostClock.after(Math.min(ms, 500), call) };

/** What a client has been told about its inputs. */
class Ledger {
  readonly client: RoomClient;
  acknowledged = 0;
  refused: unknown[] = [];
  /** Welcomes that contradict an acknowledgement before them. */
  readonly losses: string[] = [];

  constructor(client: RoomClient) {
    this.client = client;
    client.on('result', (result) => {
      if ('refused' in result) this.refused.push(result);
      else this.acknowledged = Math.max(this.acknowledged, result.sequence);
    });
    client.on('welcome', ({ player, sequence }) => {
      if (sequence < this.acknowledged) this.losses.push(`${player} at ${sequence} after ${this.acknowledged}`);
    });
  }
}

describe.skipIf(lacking !== undefined)(
  `rooms as Durable Objects${lacking === undefined ? '' : ` (skipped: ${lacking})`}`,
  () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let runtime: Runtime;
    const clients: RoomClient[] = [];
    beforeEach(() => {
      folder = temporaryFolder();
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) client.close();
      await runtime?.kill();
      folder.remove();
    });

    async function start(options: object = {}): Promise<Runtime> {
      runtime = await Runtime.start(folder.path, options);
      return runtime;
    }

    async function joined(options: Partial<RoomClientOptions> = {}): Promise<Ledger> {
      const client = new RoomClient({
        url: runtime.wsUrl,
        name: 'ann',
        WebSocket,
        reconnectSeconds: 120,
        time: impatient,
        ...options,
      });
      clients.push(client);
      const ledger = new Ledger(client);
      await client.connect();
      return ledger;
    }

    const roomOf = ({ client }: Ledger): string => client.welcome!.room;

    /** Why a client cannot join. */
    const code = (options: Partial<RoomClientOptions>): Promise<string> =>
      joined(options).then(
        () => 'joined',
        ({ code }) => code,
      );

    test('play with the words of the host, whose handlers run beside them', async () => {
      await start({ games: { small: JSON.stringify(badgeGame()) }, words: badgeWords });
      const { client } = await joined();
      client.send({ kind: 'host', trigger: 'cheered', payload: { word: 'yes' } });
      const awarded = () => runtime.log.find(({ code }) => code === 'awarded');
      await eventually(() => awarded() !== undefined, 'the handler');
      expect(awarded()).toEqual({ code: 'awarded', player: 'p1', badge: 'cheer', points: null });
    });

    test('let a client join that only knows the worker, acknowledge its inputs, and list themselves', async () => {
      await start();
      const ann = await joined();
      const bob = await joined({ name: 'bob' });
      expect(roomOf(bob)).toBe(roomOf(ann));
      for (let i = 0; i < 5; i++) ann.client.send(key);
      await eventually(() => ann.acknowledged === 5, 'the acknowledgements');
      const names = () => [...bob.client.state.all('player')].map(({ name }) => name);
      await eventually(() => names().includes('ann') && names().includes('bob'), 'both players');
      let rooms = await runtime.rooms();
      await eventually(() => {
        void runtime.rooms().then((found) => (rooms = found));
        return rooms[0]?.players === 2;
      }, 'the list');
      expect(rooms).toEqual([expect.objectContaining({ id: roomOf(ann), slug: 'small', isOpen: true })]);
      const definition = await fetch(`${runtime.url}/definitions/small`);
      expect(await definition.json()).toMatchObject({ gameJson: { data: { title: 'Small game' } } });
      const ofRoom = await fetch(`${runtime.url}/rooms/${roomOf(ann)}/definition`);
      expect(await ofRoom.json()).toMatchObject({ gameJson: { data: { title: 'Small game' } } });
    });

    test('refuse with the codes of a server', async () => {
      await start();
      expect(await code({ room: 'chess' })).toBe('no-such-room');
      expect(await code({ room: '#K7QM2XPW' })).toBe('no-such-room');
      expect(await code({ room: 'small?mode=ranked' })).toBe('no-such-room');
      expect(await code({ room: 'small-0123456789ab' })).toBe('room-ended');
      expect(await code({ resume: 'nonsense' })).toBe('resume-unknown');
      expect(await code({ token: 'nonsense' })).toBe('token-invalid');
      // A room that nobody opened has kept nothing.
      expect((await runtime.inspect('small-0123456789ab', 'select * from sqlite_master')).rows).toEqual([]);
    });

    test('lose nothing that was acknowledged when the runtime is killed under load, again and again', async () => {
      await start({ games: { a: JSON.stringify(smallGame()), b: JSON.stringify(smallGame()) } });
      const crowd = await Promise.all(Array.from({ length: 8 }, (_, i) => joined({ room: i % 2 ? 'a' : 'b' })));
      const before = crowd.map(({ client }) => client.welcome!);
      let presses = 0;
      const load = setInterval(() => {
        presses++;
        for (const { client } of crowd) client.send({ kind: presses % 2 ? 'keyDown' : 'keyUp', key: 'd' });
      }, 30);
      const kills = isLong ? 20 : 3;
      for (let kill = 1; kill <= kills; kill++) {
        const reached = crowd.map(({ acknowledged }) => acknowledged + 10);
        await eventually(() => crowd.every(({ acknowledged }, i) => acknowledged >= reached[i]!), `play ${kill}`);
        await runtime.kill();
        await runtime.begin({ games: { a: JSON.stringify(smallGame()), b: JSON.stringify(smallGame()) } });
      }
      const reached = crowd.map(({ acknowledged }) => acknowledged + 10);
      await eventually(() => crowd.every(({ acknowledged }, i) => acknowledged >= reached[i]!), 'the last play');
      clearInterval(load);
      expect(crowd.flatMap(({ losses }) => losses)).toEqual([]);
      expect(crowd.flatMap(({ refused }) => refused)).toEqual([]);
      for (const [i, { client }] of crowd.entries())
        expect(client.welcome).toMatchObject({ room: before[i]!.room, player: before[i]!.player });
      expect(runtime.said('room-resumed').length).toBe(2 * kills);
      expect(runtime.said('resume-differs')).toEqual([]);
    });

    test('play beside each other in one isolate, eight players in each, and acknowledge everything', async () => {
      const rooms = isLong ? 50 : 3;
      await start({ play: { limits: { players: 8 } } });
      const crowd: Ledger[] = [];
      // Room by room, so that everybody who is sent to a room is in it before the next ones come.
      for (let room = 0; room < rooms; room++)
        crowd.push(...(await Promise.all(Array.from({ length: 8 }, (_, i) => joined({ name: `p${i}` })))));
      const sizes = new Map<string, number>();
      for (const each of crowd) sizes.set(roomOf(each), (sizes.get(roomOf(each)) ?? 0) + 1);
      expect([...sizes.values()]).toEqual(Array.from({ length: rooms }, () => 8));
      const inputs = 20;
      for (let i = 1; i <= inputs; i++) {
        for (const { client } of crowd) client.send({ kind: i % 2 ? 'keyDown' : 'keyUp', key: 'd' });
        await new Promise((wake) => setTimeout(wake, 200));
      }
      await eventually(() => crowd.every(({ acknowledged }) => acknowledged === inputs), 'all acknowledgements');
      expect(crowd.flatMap(({ refused, losses }) => [...refused, ...losses])).toEqual([]);
    });

    test('sleep when nobody plays: no tick, no alarm, no row; and wake with their state', async () => {
      await start({ graceSeconds: 2 });
      const ann = await joined();
      const room = roomOf(ann);
      ann.client.send(key);
      await eventually(() => ann.acknowledged === 1, 'the acknowledgement');
      await eventually(async () => (await runtime.inspect(room)).alarm !== null, 'the alarm');
      ann.client.close();
      await eventually(() => runtime.said('player-left').length === 1, 'the end of the grace period');
      const alarm = async () => (await runtime.inspect(room)).alarm;
      for (let i = 0; i < 100 && (await alarm()) !== null; i++) await new Promise((wake) => setTimeout(wake, 100));
      const asleep = await runtime.inspect(room);
      expect(asleep.alarm).toBe(null);
      const ticks = "select max(name) as tick from kept where kind = 'snapshot'";
      const [last] = (await runtime.inspect(room, ticks)).rows;
      await new Promise((wake) => setTimeout(wake, isLong ? 600_000 : 12_000));
      expect(await runtime.inspect(room)).toMatchObject({ written: asleep.written, alarm: null });
      const bob = await joined({ name: 'bob' });
      expect(roomOf(bob)).toBe(room);
      // Simulated time stands still while a room sleeps.
      expect(bob.client.welcome!.tick - Number(last!['tick'])).toBeLessThan(100);
      expect(bob.client.welcome!.player).toBe('p2');
    });

    test('play on in their version of the definition while people play, and newcomers play the new one', async () => {
      await start();
      const ann = await joined();
      const { room, hash } = ann.client.welcome!;
      ann.client.send(key);
      await eventually(() => ann.acknowledged === 1, 'the acknowledgement');
      await runtime.kill();
      await runtime.begin(game({ title: 'Another game' }));
      const bob = await joined({ name: 'bob' });
      await eventually(() => ann.client.isConnected, 'the return');
      expect(ann.client.welcome).toMatchObject({ room, hash, sequence: 1 });
      expect(bob.client.welcome!.hash).not.toBe(hash);
      expect(roomOf(bob)).not.toBe(room);
      expect(runtime.said('room-resumed').at(-1)).toMatchObject({ isOutdated: true });
      ann.client.leave();
      await eventually(() => runtime.said('room-ended').length === 1, 'the end of the old room');
      let kept: unknown[] = [1];
      for (let i = 0; i < 50 && kept.length > 0; i++) {
        await new Promise((wake) => setTimeout(wake, 100));
        kept = [...(await runtime.inspect(room, 'select * from sqlite_master')).rows];
      }
      expect(kept).toEqual([]);
      // The directory is told at the room's next look, a second later at most.
      await eventually(async () => (await runtime.rooms()).length === 1, 'the end in the directory');
      expect((await runtime.rooms()).map(({ id }) => id)).toEqual([roomOf(bob)]);
    });

    test('set aside what cannot be read, and go back to what can be', async () => {
      await start({ play: { snapshotSeconds: 1 } });
      const ann = await joined();
      const room = roomOf(ann);
      const count = async (kind: string) =>
        (await runtime.inspect(room, `select * from kept where kind = '${kind}'`)).rows;
      ann.client.send(key);
      for (let i = 0; i < 200 && (await count('snapshot')).length < 2; i++)
        await new Promise((wake) => setTimeout(wake, 50));
      const newest = "kind = 'snapshot' and name = (select max(name) from kept where kind = 'snapshot')";
      await runtime.inspect(room, `update kept set bytes = x'00112233' where ${newest}`);
      await runtime.kill();
      await runtime.begin({ play: { snapshotSeconds: 1 } });
      const { player } = ann.client.welcome!;
      await eventually(() => runtime.said('room-resumed').length === 1, 'the room');
      await eventually(() => ann.client.isConnected, 'the return');
      expect(ann.client.welcome).toMatchObject({ room, player, sequence: 1 });
      expect(runtime.said('journal-version')).toEqual([expect.objectContaining({ code: 'journal-version' })]);
      expect(runtime.said('resume-differs')).toEqual([]);
      expect((await count('snapshot aside')).length).toBe(1);
    });

    test('play the ticks before a row that cannot be read', async () => {
      await start();
      const ann = await joined();
      const room = roomOf(ann);
      const { player } = ann.client.welcome!;
      for (let i = 0; i < 3; i++) {
        ann.client.send(key);
        await eventually(() => ann.acknowledged === i + 1, 'the acknowledgement');
      }
      const newest = "kind = 'tick' and name = (select max(name) from kept where kind = 'tick')";
      await runtime.inspect(room, `update kept set bytes = x'00112233' where ${newest}`);
      await runtime.kill();
      await runtime.begin();
      await eventually(() => runtime.said('room-resumed').length === 1, 'the room');
      await eventually(() => ann.client.isConnected, 'the return');
      expect(ann.client.welcome).toMatchObject({ room, player });
      expect(runtime.said('journal-torn').length).toBe(1);
    });

    test('sleep while somebody watches, and show the watcher who plays next', async () => {
      await start();
      const ann = await joined();
      const room = roomOf(ann);
      const watcher = new WebSocket(`${runtime.wsUrl}/${room}`, 'reenact');
      const received: unknown[] = [];
      watcher.binaryType = 'arraybuffer';
      watcher.on('message', (bytes: ArrayBuffer) => {
        const decoded = decodeServerMessage(new Uint8Array(bytes));
        if (decoded.ok) received.push(decoded.message.kind);
      });
      await once(watcher, 'open');
      watcher.send(encodeClientMessage({ kind: 'watch', protocol: protocolVersion }));
      await eventually(() => received.includes('frame'), 'the watcher');
      ann.client.leave();
      await eventually(() => runtime.said('player-left').length === 1, 'the leave');
      const { made } = await runtime.inspect(room);
      // The runtime drops an object ten seconds after its last event.
      await new Promise((wake) => setTimeout(wake, 16_000));
      expect((await runtime.inspect(room)).made).toBe(made + 1);
      expect(watcher.readyState).toBe(WebSocket.OPEN);
      received.length = 0;
      await joined({ name: 'bob', room });
      await eventually(() => received.filter((kind) => kind === 'frame').length > 5, 'the frames');
      expect(received[0]).toBe('welcome');
      watcher.terminate();
    });

    /** Games whose players earn 7 gold with each custom input, which is saved and told them. */
    const banks = (...names: string[]) => {
      const scripts = {
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
      };
      const defaultData = { _id: 'bank', title: 'Bank', frameRate: 20 };
      return { games: Object.fromEntries(names.map((name) => [name, smallGame({ defaultData, scripts })])) };
    };
    const accountToken = (userId: string) =>
      new Tokens(new TextEncoder().encode(secret), hostClock).signIdentity({ userId });

    /** Resolves with the balance when the room has acknowledged that it was earned. */
    async function earn(ledger: Ledger): Promise<string> {
      const texts: string[] = [];
      ledger.client.on('event', (event) => event.kind === 'chat' && texts.push(String(event['text'])));
      const before = ledger.acknowledged;
      ledger.client.send({ kind: 'customInput', text: 'earn' });
      await eventually(() => texts.length > 0 && ledger.acknowledged > before, 'the balance');
      return texts.at(-1)!;
    }

    test('keep the saved data of accounts beside the rooms', async () => {
      const options = banks('bank');
      await start(options);
      const token = await accountToken('ann');
      const first = await joined({ token });
      expect(await earn(first)).toBe('8');
      first.client.leave();
      await eventually(() => runtime.said('player-left').length === 1, 'the leave');
      await runtime.kill();
      await runtime.begin(options);
      expect(await earn(await joined({ token }))).toBe('15');
    });

    test('write what they still owe an account before it joins another room', async () => {
      // So slow that no save is written before the kill that follows it.
      const rooms = ['north', 'east', 'west'];
      const options = { ...banks(...rooms), savesMs: 1000 };
      await start(options);
      const token = await accountToken('ann');
      for (const [i, room] of rooms.entries()) {
        const ann = await joined({ token, room });
        expect(await earn(ann)).toBe(String(1 + 7 * (i + 1)));
        await runtime.kill();
        ann.client.close();
        await runtime.begin(options);
      }
    });

    test('write what they still owe an account that leaves for another room', async () => {
      await start({ ...banks('east', 'west'), savesMs: 1000 });
      const token = await accountToken('ann');
      for (let visit = 0; visit < 4; visit++) {
        const ann = await joined({ token, room: visit % 2 === 0 ? 'east' : 'west' });
        expect(await earn(ann)).toBe(String(1 + 7 * (visit + 1)));
        ann.client.leave();
      }
    });

    test('are private if a matchmaker opens them so: entered by their code alone, also after a kill', async () => {
      await start({ graceSeconds: 1 });
      const { room, code: secretCode } = await runtime.open({ isPrivate: true });
      expect(await runtime.rooms()).toEqual([]);
      expect(await code({ room })).toBe('no-such-room');
      // Until its players come, the room sleeps, and the runtime drops its object.
      await new Promise((wake) => setTimeout(wake, 16_000));
      expect((await runtime.inspect(room)).made).toBe(2);
      const ann = await joined({ room: `#${secretCode}` });
      expect(roomOf(ann)).toBe(room);
      expect(roomOf(await joined({ name: 'eve' }))).not.toBe(room);
      await runtime.kill();
      await runtime.begin({ graceSeconds: 30 });
      await eventually(() => ann.client.isConnected, 'the return');
      expect(roomOf(ann)).toBe(room);
      const bob = await joined({ name: 'bob', room: `#${secretCode!.toLowerCase()}` });
      expect(roomOf(bob)).toBe(room);
      for (const { client } of [ann, bob]) client.leave();
      await eventually(() => runtime.said('room-ended').length === 1, 'the end of the room');
      await eventually(async () => (await code({ room: `#${secretCode}` })) === 'no-such-room', 'the end of its code');
    });

    test('are chosen by their properties, and keep reserved seats for those who have their tokens', async () => {
      await start({ play: { limits: { players: 2 } } });
      const { room } = await runtime.open({ properties: { mode: 'ranked' } });
      expect(await runtime.rooms('?mode=casual')).toEqual([]);
      expect(await runtime.rooms('?mode=ranked')).toMatchObject([{ id: room, properties: { mode: 'ranked' } }]);
      const reserved = await runtime.reserve(room, { users: ['ann'], guests: 1 });
      if ('code' in reserved) throw new Error(reserved.code);
      const [ann, guest] = reserved.seats;
      expect(ann!.userId).toBe('ann');
      expect(await runtime.reserve(room, { guests: 1 })).toEqual({ code: 'server-full' });
      expect(await runtime.reserve('small-0123456789ab', { guests: 1 })).toEqual({ code: 'room-ended' });
      // All places are taken, so another room with the same properties is opened.
      const other = await joined({ name: 'bob', room: 'small?mode=ranked' });
      expect(roomOf(other)).not.toBe(room);
      expect((await runtime.rooms('?mode=ranked')).map(({ id }) => id).sort()).toEqual([room, roomOf(other)].sort());
      expect(await code({ resume: ann!.token, token: await accountToken('eve') })).toBe('not-permitted');
      expect(roomOf(await joined({ resume: ann!.token, token: await accountToken('ann') }))).toBe(room);
      expect(roomOf(await joined({ resume: guest!.token }))).toBe(room);
      expect(await code({ room: 'small?mode=casual' })).toBe('no-such-room');
    });

    test('that are full send whoever wants any room back to the directory, and refuse whoever wants this one', async () => {
      await start({ play: { limits: { players: 1 } } });
      const room = roomOf(await joined());
      const url = `${runtime.wsUrl}/${room}`;
      // As if the directory had not yet heard that the room is full.
      expect(roomOf(await joined({ url, room: 'small' }))).not.toBe(room);
      expect(roomOf(await joined({ url }))).not.toBe(room);
      expect(await code({ url, room })).toBe('server-full');
    });

    test('that grow too large end with their code, and their neighbours live', async () => {
      const grow = script('frameTick', [
        {
          type: 'setVariable',
          variableName: 'heard',
          value: {
            function: 'concat',
            textA: { function: 'getVariable', variableName: 'heard' },
            textB: 'x'.repeat(50_000),
          },
        },
      ]);
      await start({
        games: { ...game({ scripts: { grow } }, 'large').games, ...game().games },
        play: { stateBytesMax: 1_000_000, snapshotSeconds: 1 },
      });
      const bob = await joined({ name: 'bob', room: 'small' });
      const ann = await joined({ room: 'large', reconnectSeconds: 0 });
      await eventually(() => runtime.said('room-too-large').length > 0, 'the end of the large room');
      await eventually(() => !ann.client.isConnected, 'the end of its connection');
      bob.client.send(key);
      await eventually(() => bob.acknowledged === 1, 'the acknowledgement');
    });

    test('of another version of Reenact end, and what they saved is kept', async () => {
      await start();
      const ann = await joined({ reconnectSeconds: 60 });
      const room = roomOf(ann);
      ann.client.send(key);
      await eventually(() => ann.acknowledged === 1, 'the acknowledgement');
      const ends: unknown[] = [];
      ann.client.on('end', ({ code }) => ends.push(code));
      await runtime.kill();
      await runtime.begin({}, '9.9.9');
      await eventually(() => ends.length > 0, 'the end');
      expect(ends).toEqual(['resume-unknown']);
      expect(runtime.said('journal-version')).toEqual([
        expect.objectContaining({ msg: expect.stringContaining('wrote this room, so it has ended') }),
      ]);
      const aside = await runtime.inspect(room, "select * from kept where kind like '% aside'");
      expect(aside.rows.length).toBeGreaterThan(0);
      const bob = await joined({ name: 'bob' });
      bob.client.send(key);
      await eventually(() => bob.acknowledged === 1, 'the acknowledgement');
    });
  },
);

test.skipIf(lacking !== undefined)(
  'the worker needs nothing that the platform lacks, and has less than 1 MB',
  async () => {
    const { imports, zipBytes } = await bundle();
    const present = ['node:crypto', 'node:net', 'node:path', 'node:util', 'node:zlib', './options.txt'];
    expect(imports.filter((name) => !present.includes(name))).toEqual([]);
    expect(zipBytes).toBeLessThan(1_000_000);
  },
);
