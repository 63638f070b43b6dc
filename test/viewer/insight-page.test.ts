import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Input, type JournalRecord, Simulation } from '../../engine/index.ts';
import { type InsightMessage, insightBytes } from '../../src/journal/insight-feed.ts';
import { InsightPage } from '../../src/server/viewer/insight/insight-page.ts';
import { GrowingJournal } from '../../src/server/viewer/insight/room-journal.ts';
import { keepOperatorToken, operatorToken } from '../../src/server/viewer/operator.ts';
import { document, joinAs, load, unitType } from '../support/play.ts';
import { FakeElement, type FakePage, fakePage } from './fake-page.ts';

const data = { title: 'The yard', unitTypes: { walker: unitType() }, scripts: { join: joinAs('walker') } };
const definition = new Uint8Array(gzipSync(JSON.stringify(document(data))));

/** A room that is being played, and what the server sends of it. */
class Room {
  readonly sim = new Simulation(load(data), { seed: 'insight' });
  private readonly records: JournalRecord[] = [];

  constructor() {
    this.sim.journal((record) => this.records.push(record));
    for (let i = 0; i < 5; i++) this.sim.step();
  }

  get head() {
    const { kind: _kind, ...head } = this.records.find((record) => record.kind === 'head')!;
    return { ...head, tick: this.sim.tick };
  }

  begin(): InsightMessage[] {
    return [{ kind: 'start', head: this.head, room: 'hill-1', definition }, this.snapshot()];
  }

  snapshot(): InsightMessage {
    return { kind: 'snapshot', tick: this.sim.tick, bytes: this.sim.snapshot() };
  }

  tick(inputs: readonly Input[] = []): InsightMessage {
    for (const input of inputs) this.sim.input(input);
    this.sim.step();
    return { kind: 'tick', tick: this.sim.tick, inputs, hash: this.sim.hash(), playMs: 2, encodeMs: 1, lateMs: 0.25 };
  }
}

let page: FakePage;
let root: FakeElement;
let frames: ((now: number) => void)[];
let nowMs: number;
let reloads: number;
/** The connections that the page opened, in order. */
let connections: {
  path: string;
  token: string | null;
  signal: AbortSignal;
  send(...messages: InsightMessage[]): void;
  close(): void;
}[];
/** The status of the next answers, in place of 200. */
let statuses: number[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  page = fakePage();
  root = new FakeElement('div');
  page.body.append(root);
  [frames, connections, statuses] = [[], [], []];
  [nowMs, reloads] = [0, 0];
  Object.assign(page.location, { reload: () => reloads++, pathname: '/insight', hash: '#room=hill-1' });
  vi.stubGlobal('requestAnimationFrame', (frame: (now: number) => void) => frames.push(frame));
  vi.stubGlobal('matchMedia', () => ({ addEventListener: () => {} }));
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.stubGlobal(
    'fetch',
    async (path: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
      let controller!: ReadableStreamDefaultController;
      const body = new ReadableStream({
        start: (given) => {
          controller = given;
        },
      });
      signal.addEventListener('abort', () => controller.error(signal.reason));
      connections.push({
        path,
        signal,
        token: new Headers(headers).get('authorization'),
        send: (...messages) => messages.forEach((message) => void controller.enqueue(insightBytes(message))),
        close: () => controller.close(),
      });
      const status = statuses.shift() ?? 200;
      if (status === 0) throw new TypeError('Failed to fetch');
      return new Response(status === 200 ? (body as never) : '{}', { status });
    },
  );
  keepOperatorToken('secret');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function settled(): Promise<void> {
  for (let i = 0; i < 12; i++) await new Promise(setImmediate);
}

async function open(): Promise<void> {
  new InsightPage(root as never).open();
  await settled();
}

async function send(...messages: InsightMessage[]): Promise<void> {
  connections.at(-1)!.send(...messages);
  await settled();
  for (let i = 0; i < 4; i++) {
    nowMs += 100;
    for (const each of frames.splice(0)) each(nowMs);
  }
}

/** The page shows the room after it has unpacked the definition. */
async function begin(room: Room): Promise<void> {
  await send(...room.begin());
  while (state() !== 'ready') await settled();
}

async function later(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await settled();
}

const state = () => page.documentElement.dataset['state'];
const alert = () => root.one('[role=alert]').textContent;
const tick = () => Number(root.one('#tick').textContent);
const banner = () => (root.one('.banner').hidden ? '' : root.one('.banner').textContent);

describe('the page that inspects a room', () => {
  test('plays what the server sends, with its hashes and times', async () => {
    const room = new Room();
    await open();
    expect([state(), root.textContent]).toEqual(['opening', 'Opening the room …']);
    expect(connections[0]).toMatchObject({ path: '/rooms/hill-1/insight', token: 'Bearer secret' });
    await begin(room);
    expect([state(), page.title, tick()]).toEqual(['ready', expect.stringContaining('The yard'), 5]);
    await send(
      room.tick([{ kind: 'join', clientId: 'ann', name: 'Ann' }]),
      room.tick(),
      room.snapshot(),
      { kind: 'alive' },
      room.tick(),
    );
    expect(tick()).toBe(8);
    expect(root.one('.verdict').textContent).toBe('✓ as on the server');
    expect(root.one('#panel').textContent).toContain('Ann');
    expect(root.one('#tick-time').textContent).toBe('tick 3.00 ms · median 3.00 · max 3.00 of 50.0 ms · 0.3 late');
    await send({ kind: 'end', code: 'room-ended' });
    expect([state(), banner()]).toEqual(['ended', 'The game is over.']);
    await later(60_000);
    expect(connections).toHaveLength(1);
  });

  test('an address without a room is refused; a token in it is kept, and removed from it', async () => {
    page.location.hash = '';
    await open();
    expect([state(), alert(), connections.length]).toEqual([
      'ended',
      'The address of this page contains no room. Choose one from the list.',
      0,
    ]);
    page.fire('hashchange');
    expect(reloads).toBe(1);
    page.location.hash = '#room=a%2Fb&admin=better';
    await open();
    expect([operatorToken(), page.visits.at(-1)]).toEqual(['better', '/insight#room=a%2Fb']);
    expect(connections[0]).toMatchObject({ path: '/rooms/a%2Fb/insight', token: 'Bearer better' });
  });

  test('asks for a token if there is none or it is wrong', async () => {
    keepOperatorToken(undefined);
    await open();
    expect([state(), page.activeElement?.id, connections.length]).toEqual(['asking', 'admin', 0]);
    expect(root.textContent).toContain('may see the scripts, triggers and variables of hill-1.');
    const enter = async (token: string) => {
      root.one('#admin').value = token;
      root.one('form').fire('submit');
      await settled();
    };
    await enter(' ');
    expect([state(), connections.length]).toEqual(['asking', 0]);
    statuses = [401];
    await enter('guess');
    expect([state(), alert(), operatorToken()]).toEqual(['asking', 'This token is wrong.', undefined]);
    // No header can carry it.
    await enter('ключ');
    expect([state(), alert(), connections.length]).toEqual(['asking', 'This token is wrong.', 1]);
    await enter(' better ');
    await begin(new Room());
    expect([state(), operatorToken(), reloads]).toEqual(['ready', 'better', 0]);
    // The viewer listens to the keys of the page, so the page is loaded again.
    await send({ kind: 'end', code: 'not-permitted' });
    await enter('best');
    expect([reloads, connections.length]).toEqual([1, 2]);
  });

  test('reconnects ever more slowly, and goes on from the current tick', async () => {
    const room = new Room();
    statuses = [0, 503, 0, 0, 0, 0];
    await open();
    expect([state(), root.one('[role=status]').textContent]).toEqual(['lost', 'Connection lost. Reconnecting …']);
    const waits = [];
    while (connections.length < 7) {
      const { length } = connections;
      let ms = 0;
      for (; connections.length === length; ms += 500) await later(500);
      waits.push(ms);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 4000, 4000]);
    await begin(room);
    await send(room.tick());
    expect([state(), tick()]).toEqual(['ready', 6]);
    connections.at(-1)!.close();
    for (let i = 0; i < 3; i++) room.tick();
    await settled();
    expect([state(), banner()]).toEqual(['lost', 'Connection lost. Reconnecting …']);
    await later(500);
    await begin(room);
    await send(room.tick());
    expect([state(), tick(), banner()]).toEqual(['ready', 10, '']);
  });

  test('reconnects if ticks are missing, or nothing comes for fifteen seconds', async () => {
    const room = new Room();
    await open();
    await begin(room);
    room.tick();
    await send(room.tick());
    expect(state()).toBe('lost');
    await later(500);
    await begin(room);
    for (let i = 0; i < 3; i++) {
      await later(14_000);
      await send({ kind: 'alive' });
    }
    expect([state(), connections.length]).toEqual(['ready', 2]);
    await later(15_000);
    expect([state(), connections[1]!.signal.aborted]).toEqual(['lost', true]);
    await later(500);
    // A snapshot of another tick than the first.
    const [start] = room.begin();
    await send(start!, { ...room.snapshot(), tick: 3 } as InsightMessage);
    expect(state()).toBe('lost');
  });

  test('a room that does not exist is refused at once, unless it was there before', async () => {
    statuses = [404];
    await open();
    expect([state(), alert(), connections.length]).toEqual(['ended', 'This room does not exist.', 1]);
    await later(10_000);
    expect(connections).toHaveLength(1);
    await open();
    await begin(new Room());
    // A server that restarts takes a while to resume its rooms.
    statuses = [404, 404, 404, 404];
    connections.at(-1)!.close();
    await settled();
    for (const ms of [500, 1000, 2000]) {
      await later(ms);
      expect(state()).toBe('lost');
    }
    await later(4000);
    expect([state(), banner()]).toEqual(['ended', 'This room does not exist.']);
  });
});

test('the journal of a room keeps its last 150 snapshots, and what came after them', () => {
  const room = new Room();
  const bytes = room.sim.snapshot();
  const journal = new GrowingJournal(room.head, bytes);
  const first = room.sim.tick;
  const more = { inputs: [{ kind: 'leave', player: 'p1' } as const], hash: 'a', playMs: 1, encodeMs: 1, lateMs: 0 };
  for (let tick = first + 1; tick <= first + 160; tick++) {
    expect([journal.add({ tick: tick + 1, ...more }), journal.add({ tick, ...more })]).toEqual([false, true]);
    for (const each of [tick - 1, tick, tick]) journal.keep(each, bytes);
  }
  const begins = first + 11;
  expect(journal.snapshots.map(({ tick }) => tick)).toEqual(Array.from({ length: 150 }, (_, i) => begins + i));
  expect([journal.head.tick, journal.lastTick]).toEqual([begins, first + 160]);
  for (const list of [journal.inputs, journal.hashes, journal.times]) {
    expect([...list.keys()][0]).toBe(begins + 1);
    expect(list.size).toBe(149);
  }
  // Ticks without inputs take no place.
  journal.add({ ...more, tick: first + 161, inputs: [], hash: undefined });
  expect([journal.inputs.size, journal.hashes.size, journal.times.size]).toEqual([149, 149, 150]);
});
