import { get as httpGet, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { type InsightMessage, InsightReader, insightBytes } from '../../src/journal/insight-feed.ts';
import { type InsightSink, Insights } from '../../src/server/lobby/insights.ts';
import { eventually, type Serving, type ServingOptions, serve, TestClient, temporaryFolder } from './support.ts';

const adminToken = 'a token of sixteen';
const admin = { authorization: `Bearer ${adminToken}` };

let folder: ReturnType<typeof temporaryFolder>;
let serving: Serving;
const clients: TestClient[] = [];
const feeds: TestFeed[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.terminate();
  for (const feed of feeds.splice(0)) feed.close();
  await serving.server.stop();
  folder.remove();
});

/** An operator's connection to the insight feed of a room. */
class TestFeed {
  readonly messages: InsightMessage[] = [];
  isEnded = false;
  private readonly response: IncomingMessage;

  private constructor(response: IncomingMessage) {
    this.response = response;
    const reader = new InsightReader();
    response.on('data', (piece: Buffer) => this.messages.push(...reader.take(new Uint8Array(piece))));
    response.on('close', () => {
      this.isEnded = true;
    });
    response.on('error', () => {});
  }

  static open(path: string): Promise<TestFeed> {
    return new Promise((resolve, reject) => {
      const request = httpGet(`${serving.url}${path}`, { headers: admin }, (response) => {
        const feed = new TestFeed(response);
        feeds.push(feed);
        resolve(feed);
      });
      request.on('error', reject);
    });
  }

  close(): void {
    this.response.destroy();
  }

  first<K extends InsightMessage['kind']>(kind: K): Promise<Extract<InsightMessage, { kind: K }>> {
    type Found = Extract<InsightMessage, { kind: K }>;
    return eventually(() => this.messages.find((message): message is Found => message.kind === kind), `a ${kind}`);
  }

  get ticks(): Extract<InsightMessage, { kind: 'tick' }>[] {
    return this.messages.filter((message) => message.kind === 'tick');
  }
}

async function start(options: ServingOptions = {}): Promise<void> {
  serving = await serve(folder.path, { adminToken, ...options });
}

async function playing(): Promise<TestClient> {
  const client = await TestClient.join(serving.wsUrl);
  clients.push(client);
  return client;
}

const room = () => [...serving.server.rooms.byId.values()][0]!;
const path = () => `/rooms/${room().identity.id}/insight`;

describe('the insight feed of a room', () => {
  test.each([0, 1])('can be replayed tick by tick, with the hashes of the room (%i threads)', async (workers) => {
    await start({ workers });
    const ann = await playing();
    const feed = await TestFeed.open(path());
    const { head, definition } = await feed.first('start');
    const { tick, bytes } = await feed.first('snapshot');
    expect(tick).toBe(head.tick);
    await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
    const hashed = await eventually(() => feed.ticks.filter(({ hash }) => hash != null)[1]);
    const { game } = loadDefinition(JSON.parse(gunzipSync(definition).toString()));
    const sim = Simulation.restore(game!, bytes);
    for (const each of feed.ticks.filter((one) => one.tick <= hashed.tick)) {
      expect(each.tick).toBe(sim.tick + 1);
      for (const input of each.inputs) sim.input(input);
      sim.step();
      if (each.hash != null) expect(sim.hash()).toBe(each.hash);
    }
    expect(sim.tick).toBe(hashed.tick);
    const { inputs, playMs, encodeMs, lateMs } = feed.ticks.find((each) => each.inputs.length > 0)!;
    expect(inputs[0]).toMatchObject({ kind: 'keyDown', key: 'd' });
    expect([playMs, encodeMs, lateMs].every((ms) => ms >= 0)).toBe(true);
  });

  test('contains the scripts, which the public definition lacks', async () => {
    await start();
    const feed = await TestFeed.open(path());
    const { definition } = await feed.first('start');
    expect(gunzipSync(definition).toString()).toContain('"scripts"');
    const open = await (await fetch(`${serving.url}/rooms/${room().identity.id}/definition`)).text();
    expect(open).not.toContain('playerCustomInput');
  });

  test('is for the operator only', async () => {
    await start();
    for (const headers of [{}, { authorization: 'Bearer another' }] as Record<string, string>[]) {
      const answer = await fetch(`${serving.url}${path()}`, { headers });
      expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'not-permitted' }]);
    }
    expect(room().insights.size).toBe(0);
    expect((await fetch(`${serving.url}/rooms/nowhere/insight`, { headers: admin })).status).toBe(404);
  });

  test('does not exist without an admin token', async () => {
    await start({ adminToken: undefined });
    expect((await fetch(`${serving.url}${path()}`, { headers: admin })).status).toBe(404);
    expect((await fetch(`${serving.url}/insight`)).status).toBe(404);
  });

  test('is limited to four at a time, and costs nothing without any', async () => {
    await start();
    await playing();
    const four = await Promise.all([1, 2, 3, 4].map(() => TestFeed.open(path())));
    for (const feed of four) await feed.first('tick');
    const fifth = await fetch(`${serving.url}${path()}`, { headers: admin });
    expect([fifth.status, await fifth.json()]).toMatchObject([409, { code: 'too-many' }]);
    for (const feed of four) feed.close();
    await eventually(() => room().insights.size === 0);
  });

  test('of a sleeping room shows its state, and the room stays asleep', async () => {
    await start();
    const feed = await TestFeed.open(path());
    expect((await feed.first('snapshot')).tick).toBe(0);
    await playing();
    expect((await feed.first('tick')).tick).toBe(1);
  });

  test('ends with the room, with the reason', async () => {
    await start();
    const feed = await TestFeed.open(path());
    await feed.first('snapshot');
    void serving.server.rooms.close(room());
    expect((await feed.first('end')).code).toBe('room-ended');
    await eventually(() => feed.isEnded);
  });

  test('changes nothing that players and watchers receive', async () => {
    await start({ watchersMax: 5 });
    const ann = await playing();
    await ann.first('events', ({ events }) =>
      events.some((event) => event.kind === 'chat' && event.text === 'welcome'),
    );
    await TestFeed.open(path()).then((feed) => feed.first('tick'));
    const before = ann.messages.length;
    await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
    await eventually(() => ann.messages.length > before + 3);
    const kinds = new Set(ann.messages.slice(before).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['frame', 'inputResults']);
  });
});

/** A sink that accepts a limited number of messages. */
function sinkOf(messagesMax: number) {
  const taken: number[] = [];
  let isClosed = false;
  const sink: InsightSink = {
    start: () => ({ kind: 'alive' }),
    write: ({ length }) => taken.push(length) < messagesMax,
    close: () => {
      isClosed = true;
    },
  };
  return { sink, taken, isClosed: () => isClosed };
}

test('is cut off if its operator does not read, and others continue', () => {
  const insights = new Insights();
  const [slow, quick] = [sinkOf(3), sinkOf(1000)];
  insights.add(slow.sink);
  insights.add(quick.sink);
  insights.snapshot({ tick: 5, bytes: new Uint8Array(10), players: [], requests: [], playersMade: 0 });
  for (let beats = 0; beats < 10; beats++) insights.beat();
  expect([slow.taken.length, slow.isClosed()]).toEqual([3, true]);
  expect([quick.taken.length, quick.isClosed()]).toEqual([12, false]);
});

describe('the reader of a feed', () => {
  const message: InsightMessage = { kind: 'tick', tick: 7, inputs: [], hash: 'x', playMs: 1, encodeMs: 0, lateMs: 2 };

  test('assembles messages from pieces', () => {
    const bytes = insightBytes(message);
    const reader = new InsightReader();
    const read: InsightMessage[] = [];
    for (const byte of [...bytes, ...bytes]) read.push(...reader.take(Uint8Array.of(byte)));
    expect(read).toEqual([message, message]);
  });

  test('refuses invalid data', () => {
    expect(() => new InsightReader().take(new Uint8Array(64).fill(255))).toThrow('not the feed');
  });
});
