import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { arrangeJournal, loadDefinition, Replay } from '../../engine/index.ts';
import type { ListedRoom } from '../../src/cluster/journal.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { defaultPlay, noQuota } from '../../src/server/base/options.ts';
import { isWithin, type RoomEntry } from '../../src/server/lobby/room.ts';
import { ThreadPool } from '../../src/server/lobby/thread-pool.ts';
import type { RoomThread } from '../../src/server/lobby/threads.ts';
import { WorkerThread } from '../../src/server/lobby/worker-thread.ts';
import type { RoomReport } from '../../src/server/room/room.ts';
import type { RoomCommand } from '../../src/server/room/room-messages.ts';
import { setVariable } from '../support/actions.ts';
import { script } from '../support/play.ts';
import { isBuilt, workerFile } from './processes.ts';
import { eventually, hostForEach, smallGame } from './support.ts';

const host = hostForEach();
const adminToken = 'a token of sixteen';

/** The source of a thread of rooms that does something on demand: by default, ends by an uncaught error. */
function mortalWorker(channel: string, act = "throw new Error('The test ends this thread.');"): string {
  const path = join(host.folder, 'worker.mjs');
  writeFileSync(
    path,
    `import { BroadcastChannel, workerData } from 'node:worker_threads';
     import '${workerFile}';
     const channel = new BroadcastChannel('${channel}');
     channel.onmessage = ({ data }) => { ${act} };
     channel.unref();`,
  );
  return pathToFileURL(path).href;
}

test.skipIf(!isBuilt)(
  'the rooms of a thread that ends continue in another with the same hash, and no acknowledged input is lost',
  async () => {
    const channel = `end ${process.pid} ${Math.random()}`;
    await host.start({
      data: join(host.folder, 'data'),
      workers: 2,
      workerUrl: mortalWorker(channel),
      rooms: 4,
      adminToken,
      play: { hashSeconds: 0.05 },
    });
    const rooms = [...host.rooms];
    expect(new Set(rooms.map(({ thread }) => thread)).size).toBe(2);
    const before = new Map(rooms.map((room) => [room.identity.id, room.thread]));
    const players = await Promise.all(rooms.map(({ identity }) => host.joined({ room: identity.id })));
    const last = await Promise.all(
      players.map(async (player) => {
        let result = await player.result(player.input({ kind: 'keyDown', key: 'd' }));
        for (let i = 0; i < 10; i++)
          result = await player.result(player.input({ kind: i % 2 === 0 ? 'keyUp' : 'keyDown', key: 'd' }));
        return result as { sequence: number; tick: number };
      }),
    );
    // More inputs are pending when the threads end.
    for (const player of players) player.input({ kind: 'keyUp', key: 'd' });
    const said = new BroadcastChannel(channel);
    said.postMessage('now');
    said.close();
    const { log, url } = host.serving;
    const resumed = (id: string) => log.find(({ msg, room }) => msg === 'room-resumed' && room === id);
    await eventually(() => rooms.every(({ identity }) => resumed(identity.id) !== undefined), 'going on');
    expect(log.some(({ code }) => code === 'worker-failed')).toBe(true);
    expect(log.filter(({ code }) => code === 'resume-differs')).toEqual([]);
    const { game } = loadDefinition(smallGame());
    for (const [i, player] of players.entries()) {
      const { room, player: id, resume } = await player.welcome();
      await player.end();
      const again = await host.joined({ resume });
      const welcome = await again.welcome();
      expect(welcome).toMatchObject({ room, player: id });
      expect(welcome.sequence).toBeGreaterThanOrEqual(last[i]!.sequence);
      expect(host.serving.server.rooms.byId.get(room)!.thread).not.toBe(before.get(room));
      again.countFrom(welcome.sequence);
      await again.result(again.input({ kind: 'keyUp', key: 'd' }));
      // The ticks before and after form one sequence, which replays to the same hashes.
      const answer = await fetch(`${url}/rooms/${room}/journal`, {
        headers: { authorization: `Bearer ${adminToken}` },
      });
      const replay = new Replay(
        game!,
        arrangeJournal(readJournalBytes(new Uint8Array(await answer.arrayBuffer()))!.records)!,
      );
      const { tick, hash } = resumed(room) as { tick: number; hash: string };
      expect(tick).toBeGreaterThanOrEqual(last[i]!.tick);
      while (!replay.isAtEnd) {
        replay.step();
        expect(replay.difference()).toBeUndefined();
        if (replay.sim.tick === tick) expect(replay.sim.hash()).toBe(hash);
      }
      expect(replay.sim.tick).toBeGreaterThan(tick);
    }
  },
);

test.skipIf(!isBuilt)('a message that cannot be sent to a thread only fails its room', async () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const reports: RoomReport[] = [];
  const thread = new WorkerThread(
    1,
    workerFile,
    { play: defaultPlay, isForSlow: false, movesGreedy: false },
    {
      report: (_thread, report) => reports.push(report),
      died: () => {},
    },
  );
  thread.send({ kind: 'answer', room: 'deep', requestId: 1, body: deep });
  thread.send({ kind: 'ask', what: 'hash', room: 'other', request: 1 });
  await eventually(() => reports.length > 0);
  expect(reports[0]).toMatchObject({ kind: 'failed', room: 'deep', message: expect.stringMatching(/call stack/) });
  await thread.close();
});

/** A game that keeps `perTick` more texts of a million letters in each tick, once somebody says so. */
function hoardingGame(slug: string, perTick: number): Record<string, unknown> {
  const get = (variableName: string) => ({ function: 'getVariable', variableName });
  const joined = (textA: unknown, textB: unknown) => ({ function: 'concat', textA, textB });
  const sum = { function: 'calculate', items: [{ operator: '+' }, get('count'), 1] };
  const keep = { type: 'addStringElement', key: joined('k', get('count')), value: joined(get('long'), get('count')) };
  const game = smallGame();
  const { data } = game as { data: Record<string, Record<string, unknown>> };
  data['defaultData']!['gameSlug'] = slug;
  Object.assign(data['variables']!, {
    long: { dataType: 'string', default: 'x'.repeat(1000) },
    bag: { dataType: 'object', default: {} },
    count: { dataType: 'number', default: 0 },
    isHoarding: { dataType: 'boolean', default: false },
  });
  const double = { type: 'repeat', count: 9, actions: [setVariable('long', joined(get('long'), get('long')))] };
  const isHoarding = [{ operator: '==', operandType: 'boolean' }, get('isHoarding'), true];
  const repeated = [setVariable('count', sum), { ...keep, object: get('bag') }];
  const then = [{ type: 'repeat', count: perTick, actions: repeated }];
  Object.assign(data['scripts']!, {
    answer: script('playerCustomInput', [double, setVariable('isHoarding', true)]),
    grow: script('frameTick', [{ type: 'condition', conditions: isHoarding, then, else: [] }]),
  });
  return game;
}

describe.skipIf(!isBuilt)('a room that uses too much memory or time', () => {
  test.each([
    ['slowly ends when its state is too large', 1],
    ['at once ends, with or without its thread', 12],
  ])('%s, and its neighbours go on', async (_how, perTick) => {
    const paths = [smallGame(), hoardingGame('hoarder', perTick)].map((game, i) => {
      const path = join(host.folder, `${i}.json`);
      writeFileSync(path, JSON.stringify(game));
      return path;
    });
    const options = { data: join(host.folder, 'data'), workers: 1, workerUrl: workerFile, rooms: 2 };
    const { log } = await host.start({
      ...options,
      paths,
      play: { stateBytesMax: 2 * 1024 * 1024, snapshotSeconds: 1 },
    });
    const hoarder = await host.joined({ room: 'hoarder' });
    const quiet = await host.joined({ room: 'small-game' });
    const { room, resume } = await quiet.welcome();
    await quiet.result(quiet.input({ kind: 'keyDown', key: 'd' }));
    hoarder.input({ kind: 'customInput', text: 'go' });
    const ended = await eventually(() => log.find(({ code }) => code === 'room-too-large'), 'its end');
    expect(ended).toMatchObject({ room: (await hoarder.welcome()).room, slug: 'hoarder' });
    const hasThreadEnded = log.some(({ code }) => code === 'worker-failed');
    if (perTick === 1) expect(hasThreadEnded).toBe(false);
    if (hasThreadEnded) {
      await quiet.end();
      await eventually(() => log.some(({ msg, room: id }) => msg === 'room-resumed' && id === room), 'its neighbour');
    }
    const again = hasThreadEnded ? await host.joined({ resume }) : quiet;
    const { room: still, sequence } = await again.welcome();
    expect(still).toBe(room);
    if (hasThreadEnded) again.countFrom(sequence);
    expect(await again.result(again.input({ kind: 'keyUp', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
    // Its other room goes on, but no new one is opened for now.
    await host.joined({ room: 'hoarder' });
    expect(host.rooms.filter(({ identity: { slug } }) => slug === 'hoarder')).toHaveLength(1);
    expect(log.filter(({ code }) => code === 'resume-failed')).toEqual([]);
  });
});

test.skipIf(!isBuilt)('an operator moves a room to another thread, where its players go on', async () => {
  const data = join(host.folder, 'data');
  const { url, log } = await host.start({ data, workers: 2, workerUrl: workerFile, adminToken });
  const [room] = host.rooms;
  const from = room!.thread;
  const player = await host.joined();
  await player.result(player.input({ kind: 'keyDown', key: 'd' }));
  const { resume, room: id } = await player.welcome();
  const move = () =>
    fetch(`${url}/admin/rooms/${id}/move`, { method: 'POST', headers: { authorization: `Bearer ${adminToken}` } });
  expect((await move()).status).toBe(200);
  await player.end();
  const again = await host.joined({ resume });
  expect((await again.welcome()).room).toBe(id);
  expect(room!.thread).not.toBe(from);
  expect(log.find(({ msg }) => msg === 'room-moved')).toMatchObject({ room: id, thread: room!.thread.id });
  expect(log.find(({ act }) => act === 'move')).toMatchObject({ by: 'admin', room: id });
  again.countFrom((await again.welcome()).sequence);
  expect(await again.result(again.input({ kind: 'keyUp', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
});

test.skipIf(!isBuilt)('a room that takes seconds to move says so, and is well again soon after', async () => {
  const { url } = await host.start({ workers: 2, workerUrl: workerFile, adminToken });
  const [room] = host.rooms;
  const player = await host.joined();
  const { resume } = await player.welcome();
  await eventually(() => room!.tick > 40, 'that it plays');
  const other = host.serving.server.rooms['pool'].otherFor(room!)!;
  const send = other.send.bind(other);
  other.send = (command: RoomCommand) => void setTimeout(() => send(command), 3500);
  const headers = { authorization: `Bearer ${adminToken}` };
  await fetch(`${url}/admin/rooms/${room!.identity.id}/move`, { method: 'POST', headers });
  const listed = async () => ((await (await fetch(`${url}/rooms`)).json()) as { rooms: ListedRoom[] }).rooms[0]!;
  await expect.poll(listed, { timeout: 3300 }).toMatchObject({ isSlow: true, slowReason: 'moving' });
  expect((await listed()).speed).toBeLessThan(0.8);
  await eventually(() => room!.state === 'open', 'that it has moved');
  other.send = send;
  expect((await listed()).speed).toBeLessThan(0.8);
  await host.joined({ resume });
  await expect.poll(listed, { timeout: 30_000 }).toMatchObject({ isSlow: false, speed: 1 });
  // The thread that it has left does not count as stuck in it.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  expect((await listed()).slowReason).not.toBe('unfinished-tick');
});

test.each([
  ['the rooms of a game', { perGame: { rooms: 2 } }, 'ann', 409],
  ['the rooms of an author', { perAuthor: { rooms: 2 } }, 'ann', 409],
  ['games without an author have no quota', { perAuthor: { rooms: 2 } }, undefined, 201],
])('a process opens no more rooms than allowed: %s', async (_what, quotas, owner, second) => {
  const game = smallGame() as { data: { defaultData: Record<string, unknown> } };
  game.data.defaultData['owner'] = owner;
  const path = join(host.folder, 'owned.json');
  writeFileSync(path, JSON.stringify(game));
  const { url } = await host.start({ paths: [path], ...quotas, adminToken });
  const open = () =>
    fetch(`${url}/rooms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await open()).status).toBe(201);
  const answer = await open();
  expect(answer.status).toBe(second);
  if (second === 409) expect(await answer.json()).toMatchObject({ code: 'too-many-rooms' });
});

test.each([
  ['none of it', {}, true],
  ['as many rooms', { rooms: 2 }, false],
  ['more memory', { stateBytes: 1500 }, false],
  ['more time', { cores: 0.35 }, false],
  ['a little less', { rooms: 3, stateBytes: 2001, cores: 0.41 }, true],
])('rooms that use %s are within a quota or not', (_what, quota, isIn) => {
  const room = {
    stateBytes: 1000,
    pace: { busyMs: 10 },
    rate: 20,
    seats: new Map([['p1', {}]]),
  } as unknown as RoomEntry;
  expect(isWithin([room, room], { ...noQuota, ...quota })).toBe(isIn);
});

test.each([
  ['no room', [], false],
  ['rooms that need almost all of it', Array<number>(95).fill(0.0098), true],
  ['rooms that need half of it', Array<number>(50).fill(0.01), false],
  ['a few greedy rooms, which are slowed down', [1.5, 3, 0.8, 1], false],
  ['greedy rooms among many others', [1.5, 3, ...Array<number>(60).fill(0.02)], true],
  ['rooms without players', Array<number>(200).fill(-0.02), false],
])('a thread with %s is full: %#', (_what, shares, isFull) => {
  const rooms = new Map<string, RoomEntry>();
  const pool = new ThreadPool(
    { count: 1, areThreads: true, make: (id) => ({ id }) as RoomThread },
    rooms,
    undefined as never,
  );
  for (const [i, share] of shares.entries()) {
    const seats = new Map(share > 0 ? [['p1', {}]] : []);
    const thread = pool.leastBusy();
    const pace = { busyMs: (Math.abs(share) * 1000) / 20 };
    rooms.set(String(i), { thread, seats, rate: 20, pace } as unknown as RoomEntry);
  }
  expect(pool.isFull).toBe(isFull);
});

test.skipIf(!isBuilt)(
  'while a tick does not end, the speed of its room falls; the log, the list of rooms and its players are told after some seconds, those of its neighbour are not',
  async () => {
    const channel = `stuck ${process.pid} ${Math.random()}`;
    // As in a tick of the room that takes three seconds and a half.
    const block = `
      const { playing } = workerData;
      playing[0] = data.length;
      for (let i = 0; i < data.length; i++) playing[i + 1] = data.charCodeAt(i);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3500);
      playing[0] = 0;`;
    const { log, url } = await host.start({
      workers: 1,
      workerUrl: mortalWorker(channel, block),
      rooms: 2,
    });
    const ids = [...host.rooms].map(({ identity }) => identity.id);
    const [stuck, neighbour] = await Promise.all(ids.map((room) => host.joined({ room })));
    await eventually(() => [...host.rooms].every(({ tick }) => tick > 60), 'that both play');
    const said = () => log.filter(({ msg }) => msg === 'room-slow').map(({ room, reason }) => [room, reason]);
    const listed = async () => {
      const { rooms } = (await (await fetch(`${url}/rooms`)).json()) as { rooms: ListedRoom[] };
      return ids.map((id) => rooms.find((room) => room.id === id)!);
    };
    expect((await listed()).map(({ speed }) => speed)).toEqual([1, 1]);
    const blocker = new BroadcastChannel(channel);
    blocker.postMessage(ids[0]);
    await expect.poll(async () => (await listed())[0]!.speed, { timeout: 4000 }).toBeLessThan(0.6);
    expect(said()).toEqual([]);
    expect(await stuck!.first('pace')).toMatchObject({ reason: 'unfinished-tick' });
    blocker.close();
    const [first, second] = await listed();
    expect(first).toMatchObject({ isSlow: true, slowReason: 'unfinished-tick' });
    expect(first!.speed).toBeLessThan(0.5);
    expect(second).toMatchObject({ isSlow: false });
    expect(said()).toEqual([[ids[0], 'unfinished-tick']]);
    // It plays again.
    expect(await stuck!.first('pace', ({ reason }) => reason === '')).toMatchObject({ speed: expect.any(Number) });
    expect(neighbour!.messages.filter(({ kind }) => kind === 'pace')).toEqual([]);
  },
);
