import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readJournalBytes } from '../../../src/journal/journal-bytes.ts';
import { type Clock, hostClock } from '../../../src/machine/index.ts';
import {
  decodeServerMessage,
  encodeClientMessage,
  protocolVersion,
  RoomClient,
  type RoomClientOptions,
} from '../../../src/net/index.ts';
import { Tokens } from '../../../src/server/session/tokens.ts';
import { rowsPerHour } from '../../derived/costs.ts';
import { script } from '../../support/play.ts';
import { runsFactor } from '../../support/property.ts';
import { canBrowse, launch, newPage, outbreak } from '../../viewer/browser.ts';
import { badgeGame, badgeWords } from '../host-game.ts';
import { eventually, greedyGame, smallGame, temporaryFolder } from '../support.ts';
import { adminToken, builtPages, bundle, lacking, lookerToken, Runtime, secret } from './runtime.ts';

/** With `PROPERTY_RUNS=1` or more: twenty kills, fifty rooms, ten minutes of sleep. */
const isLong = runsFactor >= 1;
/** Time enough for the long forms of tests, in place of the usual limit. */
const limit = isLong ? { timeout: 1_200_000 } : {};
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

    async function start(options: object = {}, about?: Parameters<typeof Runtime.start>[2]): Promise<Runtime> {
      runtime = await Runtime.start(folder.path, options, about);
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

    test('serve pages and supervisors without tokens of administrators, and then have no routes for those', async () => {
      await start({}, { bindings: { REENACT_SECRET: secret } });
      const room = roomOf(await joined());
      const statuses = async (...paths: string[]) =>
        Promise.all(paths.map(async (path) => (await fetch(runtime.url + path)).status));
      expect(await statuses('/rooms', `/rooms/${room}/definition`, `/rooms/${room}/picture`)).toEqual([200, 200, 200]);
      expect(await statuses('/healthz', '/readyz')).toEqual([200, 200]);
      expect(await statuses('/admin/rooms', `/rooms/${room}/journal`)).toEqual([404, 404]);
      expect(await runtime.ask('POST', `/admin/rooms/${room}/message`, { text: 'hi' })).toMatchObject({ status: 404 });
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

    test(
      'lose nothing that was acknowledged when the runtime is killed under load, again and again',
      limit,
      async () => {
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
      },
    );

    test(
      'play beside each other in one isolate, eight players in each, and acknowledge everything',
      limit,
      async () => {
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
      },
    );

    test('sleep when nobody plays: no tick, no alarm, no row; and wake with their state', limit, async () => {
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

    test('write no more rows while they are played than the page about costs counts', async () => {
      const snapshotSeconds = 2;
      await start({ play: { snapshotSeconds } });
      const ann = await joined();
      const pressed = setInterval(() => ann.client.send(key), 100);
      // By then, rows are deleted as fast as they are written.
      await new Promise((wake) => setTimeout(wake, 8000));
      const before = await runtime.inspect(roomOf(ann));
      const fromMs = performance.now();
      await new Promise((wake) => setTimeout(wake, 12_000));
      const { written } = await runtime.inspect(roomOf(ann));
      clearInterval(pressed);
      const hours = (performance.now() - fromMs) / 3_600_000;
      const counted = rowsPerHour({ snapshotSeconds });
      // A busy machine plays fewer ticks.
      expect((written - before.written) / hours).toBeLessThan(1.1 * counted);
      expect((written - before.written) / hours).toBeGreaterThan(0.4 * counted);
    });

    test('play definitions of 12 MB, which are kept in pieces, and beside them one that uses its whole budget', async () => {
      const padding = 'x'.repeat(12_000_000);
      const games = { large: JSON.stringify(smallGame({ padding })), greedy: JSON.stringify(greedyGame('greedy')) };
      await start({ games });
      const ann = await joined({ room: 'large' });
      const bob = await joined({ room: 'greedy', name: 'bob' });
      const { room, hash } = ann.client.welcome!;
      for (const each of [ann, bob]) {
        each.client.send(key);
        await eventually(() => each.acknowledged === 1, 'the acknowledgement');
      }
      await runtime.kill();
      await runtime.begin({ games: { large: JSON.stringify(smallGame({ title: 'Small again' })) } });
      await eventually(() => ann.client.isConnected, 'the return');
      expect(ann.client.welcome).toMatchObject({ room, hash, sequence: 1 });
      expect(runtime.said('resume-differs')).toEqual([]);
    });

    test('play on from their journal after a tick that throws, with all that was acknowledged', async () => {
      await start(game({}, 'east'));
      const ann = await joined();
      const { room, player } = ann.client.welcome!;
      ann.client.send(key);
      await eventually(() => ann.acknowledged === 1, 'the acknowledgement');
      await runtime.failTick(room);
      await eventually(() => runtime.said('room-failed').length === 1, 'the failure');
      expect(runtime.said('room-failed')[0]).toMatchObject({
        msg: expect.stringContaining('The test fails this tick'),
      });
      ann.client.send(key);
      await eventually(() => ann.acknowledged === 2, 'the acknowledgement of what was sent later');
      expect(ann.client.welcome).toMatchObject({ room, player });
      expect([ann.losses, ann.refused, runtime.said('resume-differs')]).toEqual([[], [], []]);
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

    /** Opens a room as a matchmaker does. */
    const open = async (wanted: object) =>
      (await runtime.ask('POST', '/rooms', wanted)).body as unknown as { readonly id: string; readonly code?: string };

    test('are private if a matchmaker opens them so: entered by their code alone, also after a kill', async () => {
      await start({ graceSeconds: 1 });
      const { id: room, code: secretCode } = await open({ private: true });
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
      const { id: room } = await open({ properties: { mode: 'ranked' } });
      expect(await runtime.rooms('?mode=casual')).toEqual([]);
      expect(await runtime.rooms('?mode=ranked')).toMatchObject([{ id: room, properties: { mode: 'ranked' } }]);
      const reserve = (id: string, wanted: object) => runtime.ask('POST', `/rooms/${id}/seats`, wanted);
      type Reserved = { readonly seats: readonly { readonly userId?: string; readonly token: string }[] };
      const reserved = await reserve(room, { users: ['ann'], guests: 1 });
      const [ann, guest] = (reserved.body as unknown as Reserved).seats;
      expect(ann!.userId).toBe('ann');
      expect(await reserve(room, { guests: 1 })).toMatchObject({ status: 409, body: { code: 'server-full' } });
      expect(await reserve('small-0123456789ab', { guests: 1 })).toMatchObject({ status: 404 });
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

    interface Shown {
      readonly id: string;
      readonly isClosed: boolean;
      readonly people: readonly { readonly player: string; readonly userId?: string; readonly isMuted: boolean }[];
    }
    async function shownRooms(): Promise<readonly Shown[]> {
      const { body } = await runtime.ask('GET', '/admin/rooms');
      return (body['processes'] as readonly { readonly rooms: readonly Shown[] }[]).flatMap(({ rooms }) => rooms);
    }

    test('are moderated as on a server: bans, mutes, closed rooms and reports outlive the objects', async () => {
      const options = { ...banks('east', 'west'), graceSeconds: 60 };
      await start(options);
      const [annToken, bobToken] = await Promise.all(['ann', 'bob'].map(accountToken));
      const ann = await joined({ room: 'east', token: annToken! });
      const bob = await joined({ room: 'east', token: bobToken!, name: 'bob' });
      const room = roomOf(ann);
      await expect.poll(async () => (await shownRooms())[0]?.people.length, { timeout: 20_000 }).toBe(2);
      expect((await shownRooms())[0]).toMatchObject({
        id: room,
        players: 2,
        people: [expect.objectContaining({ player: 'p1', userId: 'ann', isMuted: false, isConnected: true }), {}],
      });

      // A report names its recording.
      const reported = new Promise<string>((resolve) => bob.client.on('reported', ({ report }) => resolve(report)));
      bob.client.report('p1', 'cheats');
      const report = await reported;
      const { body: listed } = await runtime.ask('GET', '/admin/reports');
      expect(listed['reports']).toMatchObject([{ id: report, room, text: 'cheats', about: { userId: 'ann' } }]);
      const headers = { authorization: `Bearer ${adminToken}` };
      const journal = await fetch(`${runtime.url}/admin/reports/${report}/journal`, { headers });
      expect(readJournalBytes(new Uint8Array(await journal.arrayBuffer()))?.records[0]).toMatchObject({
        kind: 'head',
        source: 'east',
      });

      const ends: unknown[] = [];
      ann.client.on('end', ({ code }) => ends.push(code));
      const mute = await runtime.ask('POST', `/admin/rooms/${room}/players/p2/mute`);
      expect(mute).toEqual({ status: 200, body: {} });
      expect((await runtime.ask('POST', `/admin/rooms/${room}/newcomers`, { admit: false })).status).toBe(200);
      const ban = await runtime.ask('POST', '/admin/bans', { userId: 'ann', reason: 'cheats' });
      expect(ban).toMatchObject({ status: 201, body: { bans: [{ userId: 'ann', by: 'owner' }] } });
      expect(await code({ room: 'west', token: annToken! })).toBe('banned');
      await eventually(() => ends.length > 0, 'the end of the banned player');
      expect(ends).toEqual(['kicked']);

      await runtime.kill();
      await runtime.begin(options);
      for (const name of ['east', 'west']) expect(await code({ room: name, token: annToken! })).toBe('banned');
      await eventually(() => bob.client.isConnected, 'the return');
      const results: unknown[] = [];
      bob.client.on('result', (result) => results.push(result));
      bob.client.send({ kind: 'chat', text: 'hello' });
      await eventually(() => results.length > 0, 'the result');
      expect(results).toEqual([expect.objectContaining({ refused: 'not-permitted' })]);
      expect((await shownRooms()).find(({ id }) => id === room)).toMatchObject({ isClosed: true });
      expect(roomOf(await joined({ room: 'east', name: 'eve' }))).not.toBe(room);
      // A muted account is muted in every room.
      bob.client.close();
      const there = await joined({ room: 'west', token: bobToken!, name: 'bob' });
      const isMuted = async () =>
        (await shownRooms()).find(({ id }) => id === roomOf(there))?.people.find(({ userId }) => userId === 'bob')
          ?.isMuted;
      await expect.poll(isMuted, { timeout: 20_000 }).toBe(true);
      const [{ id }] = (ban.body as unknown as { bans: [{ id: string }] }).bans;
      expect((await runtime.ask('DELETE', `/admin/bans/${id}`)).status).toBe(204);
      await joined({ room: 'west', token: annToken! });
    });

    test('answer administrators with the codes of a server, and with a code of its own what the platform cannot do', async () => {
      await start();
      const { client } = await joined();
      const { room } = client.welcome!;
      const opened = await runtime.ask('POST', '/rooms', { private: true });
      expect(opened).toMatchObject({
        status: 201,
        body: { slug: 'small', invitation: expect.stringMatching(/^\/#code=/) },
      });
      const cases: readonly (readonly [
        method: string,
        path: string,
        body: object | undefined,
        status: number,
        code: string,
      ])[] = [
        ['GET', '/admin/rooms/nothing-0123456789ab/players/p1/kick', undefined, 404, ''],
        ['POST', '/admin/rooms/small-0123456789ab/message', { text: 'hi' }, 404, 'no-such-room'],
        ['POST', `/admin/rooms/${room}/players/p9/kick`, {}, 404, 'no-such-player'],
        ['POST', `/admin/rooms/${room}/players/p1/ban`, { what: 'account' }, 400, 'no-account'],
        ['POST', `/admin/rooms/${room}/message`, { text: 5 }, 400, 'bad-request'],
        ['POST', '/rooms', { slug: 'chess' }, 404, 'no-such-definition'],
        ['POST', '/rooms', { properties: { slug: 'x' } }, 400, 'bad-request'],
        ['POST', '/admin/bans', {}, 400, 'bad-request'],
        ['DELETE', '/admin/bans/0123', undefined, 404, 'no-such-ban'],
        ['DELETE', '/admin/reports/0123', undefined, 404, 'no-such-report'],
        ['POST', `/admin/rooms/${room}/move`, undefined, 409, 'no-other-thread'],
        ['POST', '/admin/newcomers', { admit: false }, 501, 'not-possible'],
        ['GET', '/metrics', undefined, 501, 'not-possible'],
        ['GET', `/rooms/${room}/page`, undefined, 501, 'not-possible'],
      ];
      for (const [method, path, body, status, refusal] of cases) {
        const answer = await runtime.ask(method, path, body);
        expect([path, answer.status, answer.body.code ?? '']).toEqual([path, status, refusal]);
      }
      expect(await runtime.ask('GET', '/admin/rooms', undefined, 'another-token-of-sixteen')).toMatchObject({
        status: 401,
        body: { code: 'not-permitted', message: expect.stringContaining('The token is unknown.') },
      });
      for (const path of [`/admin/rooms/${room}/message`, '/admin/message'])
        expect((await runtime.ask('POST', path, { text: 'hi' }, lookerToken)).status).toBe(403);
      const texts: unknown[] = [];
      client.on('event', (event) => event.kind === 'chat' && texts.push(event['text']));
      expect((await runtime.ask('POST', `/admin/rooms/${room}/message`, { text: 'hi' })).status).toBe(200);
      // The private room, in which nobody plays, is not woken.
      const answer = await runtime.ask('POST', '/admin/message', { text: 'A restart in five minutes.' });
      expect(answer).toEqual({ status: 200, body: { rooms: 1 } });
      await eventually(() => texts.length === 2, 'the messages');
      expect(texts).toEqual(['hi', 'A restart in five minutes.']);
      const audits = runtime.said('audit').map(({ by, act }) => `${by} ${act}`);
      expect(new Set(audits)).toEqual(new Set(['owner open', 'owner message']));
      expect((await runtime.ask('DELETE', `/rooms/${room}`)).status).toBe(204);
      expect((await runtime.ask('GET', `/rooms/${room}/definition`)).status).toBe(404);
    });

    test.skipIf(!canBrowse)('are played in a browser on the pages of the package, and administrated', async () => {
      const game = JSON.parse(readFileSync(outbreak, 'utf8'));
      game.gameJson.data.variables['@timePreoutbreak'].default = 3600;
      await start({ games: { outbreak: game } }, { pages: builtPages });
      expect(readFileSync(join(builtPages, '_headers'), 'utf8')).toContain("script-src 'self'");
      const browser = await launch();
      try {
        const page = await newPage(browser, { viewport: { width: 1280, height: 720 } });
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(error.message));
        await page.goto(runtime.url);
        await page.locator('.cards h2', { hasText: 'Outbreak' }).waitFor();
        await page.locator('#name').fill('Ann');
        await page.getByRole('button', { name: /^Play/ }).first().click();
        await page.waitForSelector('html[data-state=playing]');
        await page.locator('#begin').click();
        const place = async () => /at (-?\d+), /.exec((await page.locator('#you').textContent()) ?? '')?.[1];
        await expect.poll(place, { timeout: 20_000 }).toBeDefined();
        const before = await place();
        await page.keyboard.down('KeyD');
        await expect.poll(place, { timeout: 20_000 }).not.toBe(before);
        await page.keyboard.up('KeyD');
        const [room] = await runtime.rooms();
        const picture = await fetch(`${runtime.url}/rooms/${room!.id}/picture`);
        expect([picture.status, await picture.text()]).toEqual([200, expect.stringContaining('<svg')]);
        const admin = await newPage(browser, { viewport: { width: 1280, height: 720 } });
        await admin.goto(`${runtime.url}/admin`);
        await admin.locator('input[type=password]').fill(adminToken);
        await admin.keyboard.press('Enter');
        await admin.locator('text=Ann').first().waitFor();
        expect(errors).toEqual([]);
      } finally {
        await browser.close();
      }
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
        expect.objectContaining({ msg: expect.stringContaining('wrote this room, so the room has ended') }),
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
