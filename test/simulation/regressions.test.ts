import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { RandomStreams } from '../../engine/core/random.ts';
import { defaultLimits, type Input } from '../../engine/index.ts';
import { metaKey } from '../../src/cluster/redis/names.ts';
import { RedisJournal } from '../../src/cluster/redis/redis-journal.ts';
import { append as appendTicks, readRoom, takeRoom } from '../../src/cluster/redis/scripts.ts';
import type { RoomIdentity } from '../../src/cluster/stored-room.ts';
import { frameOf, readFrames } from '../../src/journal/frames.ts';
import { hostClock, within } from '../../src/machine/clock.ts';
import { replaceFile } from '../../src/machine/disk.ts';
import { RoomClient } from '../../src/net/index.ts';
import { encodeClientMessage, encodeServerMessage, protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import type { EndPolicy, JournalFailurePolicy, SyncPolicy } from '../../src/server/base/options.ts';
import { FileJournal, type FileJournalOptions } from '../../src/server/journal/files.ts';
import { RoomEntry, tell } from '../../src/server/lobby/room.ts';
import { Seats } from '../../src/server/lobby/seats.ts';
import { ThreadPool } from '../../src/server/lobby/thread-pool.ts';
import type { RoomThread } from '../../src/server/lobby/threads.ts';
import { AccountStore } from '../../src/store/account-store.ts';
import { MemoryRecordStore } from '../../src/store/records.ts';
import { VirtualDisk } from './disk.ts';
import { servedSample } from './game.ts';
import { ServerMachine } from './machine.ts';
import { anywhere, Network, Pipe, socketClass, type VirtualSocket, type Way } from './network.ts';
import { Process } from './process.ts';
import { VirtualRedis } from './redis.ts';
import { Timeline } from './timeline.ts';
import { Watch } from './watch.ts';

/** A machine without a server, for trying parts of one in virtual time. */
class Bench {
  readonly timeline: Timeline;
  readonly disk: VirtualDisk;
  readonly process: Process;
  readonly notices: string[] = [];

  constructor(seed = 'regressions', timeline = new Timeline()) {
    this.timeline = timeline;
    const streams = new RandomStreams(seed);
    this.disk = new VirtualDisk(this.timeline, streams.stream('disk'));
    this.process = new Process(this.timeline, { startMs: 0 }, streams.stream('timers'));
  }

  /** Advances virtual time by this many seconds. */
  seconds(seconds: number): Promise<void> {
    return this.timeline.run(this.timeline.nowMs + seconds * 1000);
  }

  async journal(
    disk = this.disk,
    sync: SyncPolicy = 'always',
    options: Partial<FileJournalOptions> = {},
  ): Promise<FileJournal> {
    const opening = FileJournal.open({
      disk: disk.for(this.process, () => false),
      clock: this.process.clock,
      processes: { pid: 1, namespace: 'here', isAlive: () => false },
      folder: '/journal',
      sync,
      listener: { failing: () => {}, working: () => {}, lost: () => {}, taken: () => {} },
      waitingBytesMax: 500,
      onNotice: (code) => this.notices.push(code),
      ...options,
    });
    const guarded = opening.catch((error: unknown) => error as Error);
    await this.seconds(5);
    const journal = await guarded;
    if (journal instanceof Error) throw journal;
    return journal;
  }
}

const room: RoomIdentity = {
  id: 'small-game-1',
  slug: 'small-game',
  version: 'v',
  seed: 's',
  dialect: 'standard',
  limits: defaultLimits,
  epochMs: 0,
};

const tick = (number: number) => ({ tick: number, atMs: 0, inputs: [], sequences: [] });

test('an acknowledged tick survives a power failure, also in a new segment', async () => {
  const bench = new Bench();
  const journal = await bench.journal();
  void journal.keepRoom(room);
  const kept: string[] = [];
  journal.append(room.id, tick(1), (fate) => kept.push(fate));
  await bench.seconds(1);
  expect(kept).toEqual(['kept']);
  const later = await bench.journal(bench.disk.image('power'));
  expect(later.stored).toMatchObject([{ room: { id: room.id }, ticks: [{ tick: 1 }] }]);
});

test.each(['always', 'second', 'never'] as const)(
  'each process that opens a journal has a higher incarnation, whatever a power failure loses (%s)',
  async (sync) => {
    const bench = new Bench(sync);
    let { disk } = bench;
    const lives: number[] = [];
    for (let i = 0; i < 4; i++) {
      lives.push((await bench.journal(disk, sync)).incarnation());
      disk = disk.image('power');
    }
    expect(lives).toEqual([1, 2, 3, 4]);
  },
);

test('a journal whose count of starts is unreadable is not opened', async () => {
  const bench = new Bench();
  const disk = bench.disk.for(bench.process, () => false);
  const written = disk
    .makeFolder('/journal')
    .then(() => replaceFile(disk, '/journal/starts', new Uint8Array([120]), { sync: false }));
  await Promise.all([written, bench.seconds(1)]);
  await expect(bench.journal()).rejects.toThrow('/journal/starts must contain a number.');
});

test('a room resumed from before lost ticks never reads ticks that were played after them', async () => {
  const bench = new Bench();
  const write = async (journal: FileJournal, atMs: number, ticks: readonly number[]) => {
    for (const number of ticks) journal.append(room.id, { ...tick(number), atMs }, () => {});
    await bench.seconds(1);
  };
  const first = await bench.journal();
  await Promise.all([first.keepRoom(room), bench.seconds(1)]);
  await write(first, 1, [1, 2]);
  // Ticks 3 and 4 were not stored.
  await write(first, 1, [5, 6, 7, 8]);
  const disk = bench.disk.image('power');
  await write(await bench.journal(disk), 2, [3, 4, 5]);
  const { stored } = await bench.journal(disk.image('power'));
  expect(stored[0]!.ticks.map(({ tick: number, atMs }) => [number, atMs])).toEqual([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 2],
  ]);
});

test('no tick of a room is acknowledged before its definition is stored', async () => {
  const bench = new Bench('definition');
  const journal = await bench.journal();
  const fates: string[] = [];
  const failing = journal.keepRoom(room, () => Promise.reject(new Error('The disk is full.'))).catch(() => {});
  journal.append(room.id, tick(1), (fate) => fates.push(fate));
  await Promise.all([failing, bench.seconds(2)]);
  expect(fates).toEqual([]);
  await Promise.all([journal.keepRoom(room, () => journal.keepDefinition(room.version, '{}')), bench.seconds(2)]);
  expect(fates).toEqual(['kept']);
});

test('writes that failed and were repeated by the same process do not make a journal torn', async () => {
  const bench = new Bench('torn');
  const journal = await bench.journal();
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  let number = 0;
  for (let trouble = 0; trouble < 6; trouble++) {
    bench.disk.trouble = 'full';
    for (let each = 0; each < 4; each++) journal.append(room.id, tick(++number), () => {});
    await bench.seconds(2);
    bench.disk.trouble = 'none';
    await bench.seconds(2);
  }
  const [stored] = await Promise.all([journal.history(room.id), bench.seconds(2)]);
  expect(stored?.ticks.length).toBe(number);
  expect(bench.notices).toEqual([]);
});

test('ticks after lost ones are acknowledged once a snapshot replaces the lost ones', async () => {
  const bench = new Bench();
  const journal = await bench.journal();
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  bench.disk.trouble = 'full';
  const fates = new Map<number, string>();
  const append = (number: number) => journal.append(room.id, tick(number), (fate) => fates.set(number, fate));
  append(1);
  await bench.seconds(1);
  for (let number = 2; number <= 30; number++) append(number);
  await bench.seconds(1);
  bench.disk.trouble = 'none';
  await bench.seconds(5);
  append(31);
  await bench.seconds(1);
  expect([fates.get(1), fates.get(31)]).toEqual(['lost', undefined]);
  const snapshot = { tick: 30, bytes: new Uint8Array(1), players: [], playersMade: 0, requests: [] };
  await Promise.all([journal.keepSnapshot(room.id, snapshot), bench.seconds(1)]);
  expect(fates.get(31)).toBe('kept');
  const later = await bench.journal(bench.disk.image('power'));
  expect(later.stored).toMatchObject([{ snapshot: { tick: 30 }, ticks: [{ tick: 31 }] }]);
});

test('ticks of a room whose file could not be written are acknowledged once it is', async () => {
  const bench = new Bench();
  const journal = await bench.journal();
  bench.disk.trouble = 'full';
  const refused = journal.keepRoom(room).catch((error: unknown) => error);
  await bench.seconds(1);
  expect(await refused).toBeInstanceOf(Error);
  bench.disk.trouble = 'none';
  const kept: string[] = [];
  journal.append(room.id, tick(1), (fate) => kept.push(fate));
  await bench.seconds(5);
  expect(kept).toEqual([]);
  const read = journal.read(room.id);
  await Promise.all([read, bench.seconds(1)]);
  expect(await read).toMatchObject({ ticks: [{ tick: 1 }] });
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  expect(kept).toEqual(['kept']);
  const later = await bench.journal(bench.disk.image('power'));
  expect(later.stored).toMatchObject([{ room: { id: room.id }, ticks: [{ tick: 1 }] }]);
});

test('a room that fails while the disk fails is resumed from pending writes', async () => {
  const bench = new Bench();
  const journal = await bench.journal();
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  bench.disk.trouble = 'full';
  for (let number = 1; number <= 3; number++) journal.append(room.id, tick(number), () => {});
  await bench.seconds(1);
  const read = journal.read(room.id);
  await bench.seconds(1);
  expect(await read).toMatchObject({ ticks: [{ tick: 1 }, { tick: 2 }, { tick: 3 }] });
});

test('rooms that cannot be read temporarily are not discarded', async () => {
  const bench = new Bench();
  const journal = await bench.journal();
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  bench.disk.trouble = 'broken';
  let failed = 0;
  for (let start = 0; start < 20; start++) await bench.journal().catch(() => failed++);
  expect(failed).toBeGreaterThan(0);
  bench.disk.trouble = 'none';
  const later = await bench.journal();
  expect(later.stored).toMatchObject([{ room: { id: room.id } }]);
});

test('the end of a room survives a power failure', async () => {
  const bench = new Bench();
  const journal = await bench.journal();
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  await Promise.all([journal.forget(room.id), bench.seconds(1)]);
  expect((await bench.journal(bench.disk.image('power'))).stored).toEqual([]);
});

test('a disk that fails while a journal is closed prevents neither the shutdown nor the next start', async () => {
  // The disk sometimes fails, so in some attempts the lock cannot be removed.
  for (let attempt = 0; attempt < 12; attempt++) {
    const bench = new Bench(`closing ${attempt}`);
    const journal = await bench.journal();
    await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
    bench.disk.trouble = 'broken';
    const closing = journal.close().then(
      () => 'closed',
      (error: Error) => error.message,
    );
    await bench.seconds(60);
    expect(await closing).toBe('closed');
    bench.disk.trouble = 'none';
    expect((await bench.journal()).stored).toMatchObject([{ room: { id: room.id } }]);
  }
});

test('a segment of zeros after a power failure is reported as torn, not as another version', async () => {
  const bench = new Bench();
  const journal = await bench.journal();
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  const disk = bench.disk.for(bench.process, () => false);
  const leave = async (): Promise<void> => {
    const file = await disk.open('/journal/log/00000001.log', 'append');
    await file.write(new Uint8Array(600));
    await file.close();
  };
  await Promise.all([leave(), bench.seconds(1)]);
  await bench.journal();
  expect(bench.notices).toEqual(['journal-torn']);
});

/** Simulates servers that accept connections, the first of which sends a welcome and then nothing. */
class SilentSocket {
  static made: SilentSocket[] = [];
  binaryType = '';
  isClosed = false;
  onopen: ((event: object) => void) | null = null;
  onmessage: ((event: object) => void) | null = null;
  onclose = null;
  onerror = null;

  constructor() {
    SilentSocket.made.push(this);
  }

  send(): void {}

  close(): void {
    this.isClosed = true;
  }
}

test('a client reconnects if the server does not answer', async () => {
  const bench = new Bench();
  SilentSocket.made = [];
  const client = new RoomClient({
    url: 'ws://nowhere',
    name: 'ann',
    WebSocket: SilentSocket,
    time: bench.process.clock,
  });
  const heard: string[] = [];
  for (const event of ['welcome', 'lost', 'end'] as const) client.on(event, () => heard.push(event));
  client.connect().catch(() => {});
  const [first] = SilentSocket.made;
  first!.onopen!({});
  const welcome = {
    protocol: protocolVersion,
    room: 'r',
    player: 'p1',
    tick: 0,
    rate: 20,
    resume: 't',
    sequence: 0,
    slug: 's',
    hash: '',
  };
  first!.onmessage!({ data: encodeServerMessage({ kind: 'welcome', ...welcome }) });
  await bench.seconds(8);
  expect(heard).toEqual(['welcome']);
  await bench.seconds(8);
  expect(heard).toEqual(['welcome', 'lost']);
  expect([first!.isClosed, SilentSocket.made.length]).toEqual([true, 2]);
});

/** A server of one game with a journal in files, and its violations of the rules. */
function oneServer(seed: string, onJournalFailure: JournalFailurePolicy, rooms = 1) {
  const timeline = new Timeline();
  const streams = new RandomStreams(seed);
  const failures: string[] = [];
  const watch = new Watch((message) => failures.push(message));
  const network = new Network(timeline, streams.stream('network'));
  const machine = new ServerMachine(
    { timeline, streams, network, watch, definition: servedSample('infection.json', 1) },
    {
      dialect: 'standard',
      sync: 'always',
      onJournalFailure,
      sight: Number.POSITIVE_INFINITY,
      variables: [],
      rooms,
      threads: 1,
      graceMs: 5000,
      snapshotSeconds: 10,
    },
  );
  const seconds = (count: number): Promise<void> => timeline.run(timeline.nowMs + count * 1000);
  return { machine, watch, failures, seconds, network, timeline };
}

test('rooms that end while the disk fails leave no files for the next process', async () => {
  for (let attempt = 0; attempt < 8; attempt++) {
    const { machine, failures, seconds } = oneServer(`over ${attempt}`, 'go-on', 4);
    machine.boot();
    await seconds(5);
    const ending = [...machine.core!.rooms.byId.values()];
    expect(ending).toHaveLength(4);
    machine.disk.trouble = 'broken';
    for (const each of ending) void machine.core!.rooms.close(each);
    await seconds(10);
    machine.disk.trouble = 'none';
    machine.noteTrouble();
    await seconds(5);
    const disk = machine.disk.for(machine.process!, () => false);
    const [files] = await Promise.all([disk.list('/data/journal/rooms'), seconds(1)]);
    const { byId } = machine.core!.rooms;
    expect(files.map((name) => name.split('.')[0]).filter((id) => !byId.has(id!))).toEqual([]);
    expect(failures).toEqual([]);
    machine.process!.kill();
  }
});

test('a game whose room used too much opens a new one after ten seconds, then after twice as many, and a changed one at once', async () => {
  const { machine, seconds } = oneServer('excess', 'go-on');
  machine.boot();
  await seconds(5);
  const { rooms } = machine.core!;
  const open = () => Array.from(rooms.byId.values(), ({ identity: { slug } }) => rooms.mayOpen(slug));
  const exceed = () => {
    for (const { thread, identity } of rooms.byId.values())
      rooms.report(thread, {
        kind: 'failed',
        room: identity.id,
        message: 'It is too large.',
        excess: 'room-too-large',
      });
  };
  for (const rest of [10, 20, 40]) {
    exceed();
    await seconds(rest - 1);
    expect([open(), rooms.mayOpen('infection')]).toEqual([[], false]);
    await seconds(2);
    expect(open()).toEqual([true]);
  }
  exceed();
  machine.change(servedSample('infection.json', 2));
  await seconds(5);
  expect(open()).toEqual([true]);
  machine.die(false);
});

test('rooms of a game changed during a disk failure are opened after it', async () => {
  const { machine, failures, seconds } = oneServer('changed', 'stop');
  const versions = () => Array.from(machine.core?.rooms.byId.values() ?? [], ({ identity }) => identity.version);
  machine.boot();
  await seconds(5);
  const changed = servedSample('infection.json', 2);
  expect(versions()).toEqual([servedSample('infection.json', 1).version]);
  machine.disk.trouble = 'full';
  machine.change(changed);
  await seconds(5);
  expect(versions()).not.toContain(changed.version);
  machine.disk.trouble = 'none';
  machine.noteTrouble();
  await seconds(5);
  expect(versions()).toContain(changed.version);
  expect(failures).toEqual([]);
  machine.die(false);
});

/** Joins a player who then does nothing. */
function joinTo(network: Network, address: string, name = 'ann'): VirtualSocket {
  const Socket = socketClass(network, address, { latencyMs: 20, bytesPerSecond: 1e6, stalledUntilMs: 0 }, () => {});
  const socket = new Socket(`ws://${anywhere}`);
  socket.onopen = () => socket.send(encodeClientMessage({ kind: 'join', protocol: protocolVersion, name }));
  return socket;
}

/** A server with a journal in Redis, and its first room. */
async function servedByRedis(leaseMs: number, onEnd: EndPolicy = 'hand-over') {
  const timeline = new Timeline();
  const streams = new RandomStreams('lost');
  const failures: string[] = [];
  const watch = new Watch((message) => failures.push(message));
  watch.isShared = true;
  const network = new Network(timeline, streams.stream('network'));
  const redis = new VirtualRedis(timeline, streams.stream('redis'));
  const machine = new ServerMachine(
    { timeline, streams, network, watch, definition: servedSample('infection.json', 1) },
    {
      dialect: 'standard',
      sync: 'always',
      onJournalFailure: 'stop',
      rooms: 1,
      threads: 1,
      onEnd,
      shared: {
        redis,
        players: new AccountStore(new MemoryRecordStore(hostClock)),
        secret: new Uint8Array(32),
        leaseMs,
      },
      sight: Number.POSITIVE_INFINITY,
      variables: [],
      graceMs: 5000,
      snapshotSeconds: 10,
    },
  );
  machine.boot();
  await timeline.run(5000);
  const { rooms } = machine.core!;
  const [found] = rooms.byId.values();
  return { timeline, failures, network, watch, redis, machine, rooms, found: found! };
}

test('a room that Redis lost before its last tick can end', async () => {
  const { timeline, failures, redis, machine, rooms, found } = await servedByRedis(2000);
  const { id } = found.identity;
  redis.data.delete(metaKey(id));
  let isClosed = false;
  void rooms.close(found).then(() => {
    isClosed = true;
  });
  await timeline.run(10_000);
  expect([isClosed, rooms.byId.has(id)]).toEqual([true, false]);
  expect(rooms.byId.size).toBe(1);
  expect(failures).toEqual([]);
  machine.die(false);
});

test('a room can end if the loss of earlier ticks is known only after its last tick', async () => {
  // No heartbeat of the process reports the loss a second time while the test waits.
  const { timeline, redis, machine, network, watch, rooms, found } = await servedByRedis(60_000);
  const { id } = found.identity;
  joinTo(network, '10.0.0.1');
  await timeline.run(6000);
  redis.data.delete(metaKey(id));
  redis.data.isFull = true;
  machine.noteTrouble();
  // From now on nothing can be written, not even a snapshot that would replace the lost ticks.
  await timeline.run(7000);
  const report = watch.report.bind(watch);
  let lastTicks = 0;
  watch.report = (base, host, said) => {
    report(base, host, said);
    if (said.kind !== 'tick' || !said.ended) return;
    lastTicks++;
    // The last tick is in transit from its thread, so the snapshot requested here comes too late.
    rooms.journalLost(id);
  };
  let isClosed = false;
  void rooms.close(found).then(() => {
    isClosed = true;
  });
  await timeline.run(12_000);
  expect(lastTicks).toBe(1);
  expect([isClosed, rooms.byId.has(id)]).toEqual([true, false]);
  machine.die(false);
});

/** Two processes with a journal in one Redis. Commands of one kind fail for the second process for a while. */
class Fleet {
  readonly timeline = new Timeline();
  readonly redis: VirtualRedis;
  /** Rooms that each process was given. */
  readonly found: string[] = [];
  readonly taken: string[] = [];
  /** Whether Redis can be reached, as operators are told. */
  readonly told: string[] = [];
  /** Time that each answer takes, in addition to the usual delay. */
  answerMs = 0;
  /** Maximum number of bytes pending in each journal. */
  waitingBytesMax = 1e6;
  private readonly random = new RandomStreams('fleet');

  constructor() {
    this.redis = new VirtualRedis(this.timeline, this.random.stream('redis'));
  }

  seconds(seconds: number): Promise<void> {
    return this.timeline.run(this.timeline.nowMs + seconds * 1000);
  }

  /**
   * A process and its journal. `fate` decides for each command whether it is executed, is lost, or is executed but its
   * answer is lost.
   */
  async begin(name: string, fate: (digest: string) => 'done' | 'lost' | 'unanswered' = () => 'done') {
    const process = new Process(this.timeline, { startMs: 0 }, this.random.stream(name));
    const ports = this.redis.portsOf(process, () => false);
    const makeClient: typeof ports.makeClient = (url, connectMs) => {
      const client = ports.makeClient(url, connectMs);
      const send: typeof client.send = async (args) => {
        const kind = fate(String(args[1]));
        if (this.answerMs > 0) await new Promise<void>((resolve) => process.clock.after(this.answerMs, resolve));
        const answer = kind === 'lost' ? undefined : await client.send(args);
        if (kind !== 'done') throw new Error('Socket closed unexpectedly');
        return answer;
      };
      return { connect: () => client.connect(), send, destroy: () => client.destroy() };
    };
    let journal: RedisJournal | undefined;
    const opening = RedisJournal.open({
      url: 'redis://virtual',
      replicas: 0,
      leaseMs: 2000,
      orphanMs: 3_600_000,
      publicUrl: undefined,
      sealOf: () => 'seal',
      storeMark: '',
      takes: 'all',
      listener: {
        failing: () => this.told.push(`${name} fails`),
        working: () => this.told.push(`${name} works`),
        // As the server does: stores a lost room again, as a snapshot.
        lost: (id) => {
          const snapshot = { tick: 2, bytes: new Uint8Array(1), players: [], playersMade: 0, requests: [] };
          void journal?.keepSnapshot(id ?? room.id, snapshot).catch(() => {});
        },
        taken: (id) => this.taken.push(`${name} has lost ${id}`),
        found: async ({ room: { id }, ticks }) => {
          this.found.push(`${name} has ${id} up to tick ${ticks.at(-1)?.tick}`);
        },
        mayTake: () => true,
        admits: () => true,
        newer: () => {},
        rooms: () => [],
      },
      onNotice: () => {},
      waitingBytesMax: this.waitingBytesMax,
      machine: { clock: process.clock, random: (count) => new Uint8Array(count).fill(name.charCodeAt(0)) },
      ports: { ...ports, makeClient },
    });
    await this.seconds(1);
    journal = await opening;
    await Promise.all([journal.begin(), this.seconds(1)]);
    return { journal, process };
  }
}

test.each(['files', 'redis'] as const)(
  'a journal can be read while other rooms write continuously (%s)',
  async (kind) => {
    const bench = new Bench('busy');
    const fleet = new Fleet();
    const { journal, process } =
      kind === 'files'
        ? { journal: await bench.journal(bench.disk, 'always', { waitingBytesMax: 1e6 }), process: bench.process }
        : await fleet.begin('a');
    const busy = { ...room, id: 'busy-game-1' };
    const seconds = (count: number) => (kind === 'files' ? bench : fleet).seconds(count);
    await Promise.all([journal.keepRoom(room), journal.keepRoom(busy), seconds(1)]);
    for (const number of [1, 2, 3]) journal.append(room.id, tick(number), () => {});
    bench.disk.slowness = 200;
    fleet.answerMs = 200;
    let number = 0;
    const playing = process.clock.every(5, () => journal.append(busy.id, tick(++number), () => {}));
    await seconds(1);
    const read = Promise.all([journal.history(room.id), journal.read(room.id)]);
    const inTime = within(process.clock, 30_000, read);
    await seconds(40);
    playing.cancel();
    expect(await inTime).toBe(true);
    const ticks = (await read).map((stored) => stored!.ticks.map((each) => each.tick));
    expect(ticks).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    // It goes on from what was read.
    const fates: string[] = [];
    journal.append(room.id, tick(4), (fate) => fates.push(fate));
    await seconds(40);
    expect(fates).toEqual(['kept']);
  },
);

test.each([
  ['cannot be read once', readRoom, 'lost'],
  ['cannot be read twice', readRoom, 'lost twice'],
  ['is given away by a command whose reply is lost', takeRoom, 'unanswered'],
] as const)('a room that %s during a takeover is played by the new process later', async (_what, script, how) => {
  const fleet = new Fleet();
  const { journal, process } = await fleet.begin('a');
  await Promise.all([journal.keepRoom(room), fleet.seconds(1)]);
  const kept = new Promise((resolve) => journal.append(room.id, tick(1), resolve));
  await fleet.seconds(1);
  expect(await kept).toBe('kept');
  let failures = how === 'lost twice' ? 2 : 1;
  const later = await fleet.begin('b', (digest) => {
    if (digest !== script.digest || failures === 0) return 'done';
    failures--;
    return how === 'unanswered' ? 'unanswered' : 'lost';
  });
  process.kill();
  const life = journal.incarnation(room.id);
  await fleet.seconds(10);
  expect(failures).toBe(0);
  expect(later.journal.incarnation(room.id)).toBeGreaterThan(life);
  expect(fleet.found).toEqual([`b has ${room.id} up to tick 1`]);
});

test('after a Redis failover that loses a takeover, the process that took the room keeps it', async () => {
  const fleet = new Fleet();
  const a = await fleet.begin('a');
  await Promise.all([a.journal.keepRoom(room), fleet.seconds(1)]);
  const fates: string[] = [];
  const append = (who: RedisJournal, name: string, number: number) =>
    who.append(room.id, tick(number), (fate) => fates.push(`${name} ${number} ${fate}`));
  append(a.journal, 'a', 1);
  await fleet.seconds(1);
  const replica = fleet.redis.data.copy();
  a.process.freeze(8000);
  const b = await fleet.begin('b');
  await fleet.seconds(4);
  expect(fleet.found).toEqual([`b has ${room.id} up to tick 1`]);
  append(b.journal, 'b', 2);
  await fleet.seconds(1);
  fleet.redis.data.become(replica);
  for (const client of [...fleet.redis.clients]) client.reset();
  await fleet.seconds(10);
  append(a.journal, 'a', 2);
  append(b.journal, 'b', 3);
  await fleet.seconds(10);
  expect(fates).toEqual(['a 1 kept', 'b 2 kept', 'b 3 kept']);
  expect(fleet.taken).toEqual([`a has lost ${room.id}`]);
});

test('a process that has too little processor time keeps its rooms, and its leases are short again later', async () => {
  const fleet = new Fleet();
  const a = await fleet.begin('a');
  await fleet.begin('b');
  await Promise.all([a.journal.keepRoom(room), fleet.seconds(1)]);
  for (let pause = 0; pause < 5; pause++) {
    a.process.freeze(1400 + 1000 * pause);
    await fleet.seconds(2 + pause);
  }
  expect([fleet.found, fleet.taken]).toEqual([[], []]);
  await fleet.seconds(60);
  a.process.kill();
  await fleet.seconds(3);
  expect(fleet.found).toEqual([`b has ${room.id} up to tick undefined`]);
});

test('a process that has too little processor time takes over the rooms of a dead one', async () => {
  const fleet = new Fleet();
  const a = await fleet.begin('a');
  const b = await fleet.begin('b');
  await Promise.all([a.journal.keepRoom(room), fleet.seconds(1)]);
  a.process.kill();
  for (let pause = 0; pause < 5; pause++) {
    b.process.freeze(1400);
    await fleet.seconds(1.5);
  }
  expect(fleet.found).toEqual([`b has ${room.id} up to tick undefined`]);
});

test('a new room goes to the thread without players, however many rooms sleep there', () => {
  const threads: RoomThread[] = [];
  const rooms = new Map<string, RoomEntry>();
  const make = (id: number): RoomThread => {
    threads.push({ id, send: () => {}, close: async () => {} });
    return threads.at(-1)!;
  };
  const pool = new ThreadPool({ count: 2, areThreads: true, make }, rooms, undefined as never);
  const definition = servedSample('infection.json', 1);
  const open = (id: string, thread: RoomThread): RoomEntry => {
    const opened = new RoomEntry({ ...room, id }, definition, thread, 0);
    rooms.set(id, opened);
    return opened;
  };
  const played = open('played', threads[1]!);
  played.rate = 20;
  played.pace.busyMs = 2;
  for (let number = 1; number <= 10; number++) {
    expect(pool.leastBusy()).toBe(threads[0]);
    open(`sleeping-${number}`, pool.leastBusy());
  }
});

test('a process that lost rooms to others buffers as many ticks as before while Redis is unreachable', async () => {
  const fleet = new Fleet();
  fleet.waitingBytesMax = 1000;
  const a = await fleet.begin('a');
  await fleet.begin('b');
  await Promise.all([a.journal.keepRoom(room), fleet.seconds(1)]);
  const long = (number: number) => ({ ...tick(number), hash: 'h'.repeat(600) });
  // Cut off for longer than its lease, it continues to play a room that another process has taken over.
  fleet.redis.cutOff.add(a.process);
  for (const client of [...fleet.redis.clients]) client.reset();
  a.journal.append(room.id, long(1), () => {});
  await fleet.seconds(8);
  fleet.redis.cutOff.delete(a.process);
  await fleet.seconds(8);
  expect(fleet.taken).toEqual([`a has lost ${room.id}`]);
  const own = { ...room, id: 'small-game-2' };
  await Promise.all([a.journal.keepRoom(own), fleet.seconds(1)]);
  fleet.redis.begin('gone');
  await fleet.seconds(3);
  const fates: string[] = [];
  a.journal.append(own.id, long(1), (fate) => fates.push(fate));
  await fleet.seconds(1);
  expect(fates).toEqual([]);
  fleet.redis.begin('none');
  await fleet.seconds(10);
  expect(fates).toEqual(['kept']);
  // It stores no more than that either.
  fleet.redis.begin('gone');
  await fleet.seconds(3);
  for (const number of [2, 3]) a.journal.append(own.id, long(number), (fate) => fates.push(fate));
  expect(fates).toEqual(['kept', 'lost', 'lost']);
});

test('a process that ends while Redis is unreachable reports the ticks that were never written as lost', async () => {
  const fleet = new Fleet();
  const { journal } = await fleet.begin('a');
  await Promise.all([journal.keepRoom(room), fleet.seconds(1)]);
  const fates: string[] = [];
  journal.append(room.id, tick(1), (fate) => fates.push(`1 ${fate}`));
  await fleet.seconds(1);
  expect(fleet.told).toEqual([]);
  fleet.redis.begin('gone');
  await fleet.seconds(3);
  expect(fleet.told).toEqual(['a fails']);
  for (const number of [2, 3]) journal.append(room.id, tick(number), (fate) => fates.push(`${number} ${fate}`));
  await fleet.seconds(1);
  expect(fates).toEqual(['1 kept']);
  await Promise.all([journal.close(), fleet.seconds(30)]);
  expect(fates).toEqual(['1 kept', '2 lost', '3 lost']);
});

test('the journal of a room can be read from a slow Redis while the room is played', async () => {
  const fleet = new Fleet();
  const { journal } = await fleet.begin('a');
  await Promise.all([journal.keepRoom(room), fleet.seconds(1)]);
  // Each answer takes as long as twelve ticks.
  fleet.redis.wayMs = () => 300;
  let played = 0;
  const play = (): void => {
    journal.append(room.id, tick(++played), () => {});
    fleet.timeline.after(50, play);
  };
  play();
  await fleet.seconds(5);
  const askedAt = played;
  let readTo: number | undefined;
  void journal.history(room.id).then((stored) => {
    readTo = stored?.ticks.at(-1)?.tick;
  });
  await fleet.seconds(30);
  // Everything that was played is read, because a write is always in progress.
  expect(readTo).toBeGreaterThanOrEqual(askedAt);
  expect(played).toBeGreaterThan(readTo!);
});

test('a silent connection is closed, and one that answers is not', async () => {
  const timeline = new Timeline();
  const streams = new RandomStreams('silent');
  const watch = new Watch((message) => expect.fail(message));
  const network = new Network(timeline, streams.stream('network'));
  const machine = new ServerMachine(
    { timeline, streams, network, watch, definition: servedSample('infection.json', 1) },
    {
      dialect: 'standard',
      sync: 'always',
      onJournalFailure: 'stop',
      rooms: 1,
      threads: 1,
      sight: Number.POSITIVE_INFINITY,
      variables: [],
      graceMs: 5000,
      snapshotSeconds: 10,
    },
  );
  machine.boot();
  await timeline.run(5000);
  const made = ['10.0.0.1', '10.0.0.2'].map((address) => joinTo(network, address));
  await timeline.run(10_000);
  const [talking, silent] = made.map(({ connection }) => connection!);
  silent!.silence();
  await timeline.run(45_000);
  expect([talking!.serverOpen, silent!.serverOpen]).toEqual([true, false]);
  machine.die(false);
});

test('commands to a Redis that is unresponsive for a while arrive in order', async () => {
  const timeline = new Timeline();
  const redis = new VirtualRedis(timeline, new RandomStreams('deaf').stream('redis'));
  const process = new Process(timeline, { startMs: 0 }, new RandomStreams('deaf').stream('timers'));
  const client = redis.portsOf(process, () => false).makeClient('redis://virtual', 1000);
  await Promise.all([client.connect(), timeline.run(100)]);
  const append = "return redis.call('HINCRBY', KEYS[1], 'n', 1) * 1000 + ARGV[1]";
  const loaded = client.send(['SCRIPT', 'LOAD', append]);
  await timeline.run(200);
  const digest = String(await loaded);
  redis.begin('deaf');
  const answers: number[] = [];
  for (let asked = 1; asked <= 50; asked++) {
    void client.send(['EVALSHA', digest, '1', 'list', String(asked)]).then((reply) => answers.push(Number(reply)));
  }
  await timeline.run(1000);
  redis.begin('none');
  await timeline.run(2000);
  expect(answers).toEqual(Array.from({ length: 50 }, (_, i) => (i + 1) * 1001));
});

test('messages over a connection that stalls repeatedly arrive in order', async () => {
  const timeline = new Timeline();
  const random = new RandomStreams('stalls').stream('way');
  const way: Way = { latencyMs: 30, bytesPerSecond: 400, stalledUntilMs: 0 };
  const pipes = [new Pipe(timeline, random, way, true), new Pipe(timeline, random, way, false)];
  const arrived: number[][] = pipes.map(() => []);
  for (let sent = 0; sent < 1000; sent++) {
    timeline.after(sent * 50 + random.next(), () => {
      for (const [i, pipe] of pipes.entries()) pipe.send(8, () => arrived[i]!.push(sent));
      if (random.chance(0.05)) way.stalledUntilMs = timeline.nowMs + random.between(100, 3000);
    });
  }
  await timeline.run(80_000);
  for (const numbers of arrived) expect(numbers).toEqual(Array.from({ length: 1000 }, (_, sent) => sent));
  expect(pipes.map(({ bytes }) => bytes)).toEqual([0, 0]);
});

test('messages to a process that is suspended repeatedly arrive in order', async () => {
  const timeline = new Timeline();
  const random = new RandomStreams('frozen').stream('stops');
  const process = new Process(timeline, { startMs: 0 }, random);
  const arrived: number[] = [];
  for (let sent = 0; sent < 1000; sent++) {
    timeline.after(sent * 10 + random.next(), () => {
      process.run(() => arrived.push(sent));
      if (random.chance(0.05)) process.freeze(random.between(10, 700));
    });
  }
  await timeline.run(20_000);
  expect(arrived).toEqual(Array.from({ length: 1000 }, (_, sent) => sent));
});

test('a room whose thread dies while it opens is opened in another thread', async () => {
  for (const afterMs of [0, 20, 50, 100, 300]) {
    const { machine, failures, seconds } = oneServer(`thread ${afterMs}`, 'stop');
    machine.boot();
    await seconds(5);
    machine.disk.slowness = 20;
    const changed = servedSample('infection.json', 2);
    machine.change(changed);
    await seconds(afterMs / 1000);
    machine.threads[0]!.die();
    await seconds(20);
    const { rooms } = machine.core!;
    const states = Array.from(rooms.byId.values(), ({ identity, state }) => [identity.version, state]);
    expect(states).toEqual([[changed.version, 'open']]);
    // If its thread dies, opening a room is logged as a problem and retried.
    expect(failures.filter((failure) => !failure.includes('this is retried: The simulator ended it.'))).toEqual([]);
    machine.die(false);
  }
});

test('a room ended while it opens is over even if it cannot be written', async () => {
  const { machine, failures, seconds } = oneServer('ended early', 'stop');
  machine.boot();
  await seconds(5);
  machine.disk.trouble = 'full';
  const { rooms } = machine.core!;
  const opening = rooms.open(servedSample('infection.json', 1)).catch((error: unknown) => error);
  const [made] = [...rooms.byId.values()].filter(({ state }) => state === 'opening');
  const closing = rooms.close(made!);
  const way = Promise.race([
    closing,
    new Promise((resolve) => machine.process!.clock.after(5000, () => resolve('never'))),
  ]);
  await seconds(10);
  expect(await way).toBe('over');
  expect(await opening).toBeInstanceOf(Error);
  expect(failures).toEqual([]);
  machine.die(false);
});

test('a room given up during a disk failure is set aside after it', async () => {
  for (let attempt = 0; attempt < 8; attempt++) {
    const { machine, failures, seconds } = oneServer(`given up ${attempt}`, 'go-on');
    machine.boot();
    await seconds(5);
    const [failing] = machine.core!.rooms.byId.values();
    machine.disk.trouble = 'broken';
    for (let ends = 0; ends < 4; ends++) {
      machine.threads[0]!.die();
      await seconds(4);
    }
    machine.disk.trouble = 'none';
    machine.noteTrouble();
    await seconds(5);
    const disk = machine.disk.for(machine.process!, () => false);
    const [files] = await Promise.all([disk.list('/data/journal/rooms'), seconds(1)]);
    const isThere = machine.core!.rooms.byId.has(failing!.identity.id);
    const left = files.filter((name) => name.startsWith(failing!.identity.id) && /(room|snapshot)$/.test(name));
    expect(isThere ? [] : left).toEqual([]);
    expect(failures).toEqual([]);
    machine.process!.kill();
  }
});

test('a request for the journal of a room that is opening is answered', async () => {
  const { machine, failures, seconds } = oneServer('asked early', 'stop');
  machine.boot();
  await seconds(5);
  machine.disk.slowness = 50;
  const { rooms } = machine.core!;
  void rooms.open(servedSample('infection.json', 1));
  const [made] = [...rooms.byId.values()].filter(({ state }) => state === 'opening');
  let isAnswered = false;
  void machine.core!.journalOf(made!).then(() => {
    isAnswered = true;
  });
  await seconds(10);
  expect([isAnswered, made!.state]).toEqual([true, 'open']);
  expect(failures).toEqual([]);
  machine.die(false);
});

test('ending a room that another process has taken over is refused with that reason', async () => {
  const { timeline, redis, machine, rooms, found, failures } = await servedByRedis(2000);
  const meta = metaKey(found.identity.id);
  const closing = rooms.close(found);
  redis.data.evaluate("return redis.call('HSET', KEYS[1], 'token', '99')", [meta], [], timeline.nowMs);
  await timeline.run(timeline.nowMs + 10_000);
  expect(await Promise.race([closing, 'never'])).toBe('elsewhere');
  expect(failures).toEqual([]);
  machine.die(false);
});

test('ticks in transit when their room ended are not written repeatedly', async () => {
  const fleet = new Fleet();
  let writes = 0;
  let isFailing = false;
  const { journal } = await fleet.begin('a', (digest) => {
    if (digest !== appendTicks.digest) return 'done';
    writes++;
    return isFailing ? 'lost' : 'done';
  });
  await Promise.all([journal.keepRoom(room), fleet.seconds(1)]);
  isFailing = true;
  const fates: string[] = [];
  journal.append(room.id, tick(1), (fate) => fates.push(fate));
  await Promise.all([journal.forget(room.id).catch(() => {}), fleet.seconds(0.5)]);
  isFailing = false;
  await fleet.seconds(5);
  expect(writes).toBeLessThan(10);
  expect(fates).toEqual(['lost']);
});

const snapshotOf = (number: number) => ({
  tick: number,
  bytes: new Uint8Array(10),
  players: [],
  playersMade: 0,
  requests: [],
});

test('a sleeping room does not keep segments of others from being removed', async () => {
  const bench = new Bench('segments');
  const options = { waitingBytesMax: 1e9, keptBytesMax: 0 };
  const journal = await bench.journal(bench.disk, 'always', options);
  const never = { ...room, id: 'small-game-2' };
  const asleep = { ...room, id: 'small-game-3' };
  await Promise.all([...[room, never, asleep].map((each) => journal.keepRoom(each)), bench.seconds(1)]);
  journal.append(asleep.id, tick(1), () => {});
  await Promise.all([journal.keepSnapshot(asleep.id, snapshotOf(1)), bench.seconds(1)]);
  // More than a segment holds.
  const hash = 'x'.repeat(9e6);
  for (let number = 1; number <= 8; number++) {
    journal.append(room.id, { ...tick(number), hash }, () => {});
    await bench.seconds(1);
  }
  await Promise.all([journal.keepSnapshot(room.id, snapshotOf(8)), bench.seconds(1)]);
  const disk = bench.disk.for(bench.process, () => false);
  const [segments] = await Promise.all([disk.list('/journal/log'), bench.seconds(1)]);
  expect(segments).toHaveLength(1);
  await Promise.all([journal.close(), bench.seconds(1)]);
  const later = await bench.journal(bench.disk.image('power'), 'always', options);
  const newest = Object.fromEntries(later.stored.map((each) => [each.room.id, each.snapshot?.tick]));
  expect(newest).toEqual({ [room.id]: 8, [never.id]: undefined, [asleep.id]: 1 });
});

test('of snapshots waiting for a slow disk only the newest of each room is written', async () => {
  const bench = new Bench('snapshots');
  const journal = await bench.journal();
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  bench.disk.slowness = 1000;
  const kept: number[] = [];
  for (let number = 1; number <= 100; number++) {
    void journal.keepSnapshot(room.id, snapshotOf(number)).then(() => kept.push(number));
    await bench.seconds(0.01);
  }
  bench.disk.slowness = 1;
  const { operations } = bench.disk.counts;
  await bench.seconds(30);
  expect(kept).toHaveLength(100);
  // Each one takes eight.
  expect(bench.disk.counts.operations - operations).toBeLessThan(400);
  const stored = journal.read(room.id);
  await bench.seconds(1);
  expect((await stored)?.snapshot?.tick).toBe(100);
});

test('a snapshot that replaces lost ticks is requested until it is written', async () => {
  const bench = new Bench('gap');
  let asked = 0;
  const listener = { failing: () => {}, working: () => {}, lost: () => asked++, taken: () => {} };
  const journal = await bench.journal(bench.disk, 'always', { listener });
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  bench.disk.trouble = 'full';
  const fates: string[] = [];
  for (let number = 1; number <= 40; number++) journal.append(room.id, tick(number), (fate) => fates.push(fate));
  await bench.seconds(3);
  expect(fates).toContain('lost');
  const askedAtFirst = asked;
  const failing = journal.keepSnapshot(room.id, snapshotOf(40)).catch(() => 'failed');
  await bench.seconds(3);
  expect(await failing).toBe('failed');
  expect(asked).toBeGreaterThan(askedAtFirst);
  bench.disk.trouble = 'none';
  journal.append(room.id, tick(41), (fate) => fates.push(fate));
  await Promise.all([journal.keepSnapshot(room.id, snapshotOf(41)), bench.seconds(5)]);
  expect(fates.at(-1)).toBe('kept');
  const askedThen = asked;
  await bench.seconds(5);
  expect(asked).toBe(askedThen);
});

test('writes that wait for a hanging disk are dropped beyond the limit', async () => {
  const bench = new Bench('hanging');
  const journal = await bench.journal();
  await Promise.all([journal.keepRoom(room), bench.seconds(1)]);
  bench.disk.slowness = 1e9;
  const fates: string[] = [];
  for (let number = 1; number <= 100; number++) {
    journal.append(room.id, tick(number), (fate) => fates.push(fate));
    await bench.seconds(0.1);
  }
  expect(fates).toContain('lost');
});

test('a room that falls asleep is stored completely', async () => {
  const { machine, failures, seconds, network, timeline } = oneServer('asleep', 'go-on');
  machine.boot();
  await seconds(5);
  const [found] = machine.core!.rooms.byId.values();
  const socket = joinTo(network, '10.0.0.1');
  await seconds(13);
  const tickThen = found!.tick;
  socket.close();
  await seconds(7);
  expect(found!.tick).toBeGreaterThan(tickThen);
  const at = found!.tick;
  await seconds(1);
  expect(found!.tick).toBe(at);
  machine.die(false);
  const bench = new Bench('asleep', timeline);
  const { stored } = await bench.journal(machine.disk.image('power'), 'always', { folder: '/data/journal' });
  expect(stored.map(({ snapshot, ticks }) => [snapshot?.tick, ticks.length])).toEqual([[at, 0]]);
  expect(failures).toEqual([]);
});

test('reports of ticks are not retained while the journal cannot be written', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { machine, watch, seconds, network } = oneServer('frames', 'go-on');
  machine.boot();
  await seconds(5);
  joinTo(network, '10.0.0.1');
  await seconds(2);
  const reports: WeakRef<object>[] = [];
  const report = watch.report.bind(watch);
  watch.report = (base, host, said) => {
    report(base, host, said);
    if (said.kind === 'tick') reports.push(new WeakRef(said));
  };
  machine.disk.trouble = 'full';
  machine.noteTrouble();
  await seconds(10);
  await new Promise((resolve) => setTimeout(resolve, 1));
  collect();
  expect(reports.length).toBeGreaterThan(100);
  expect(reports.filter((each) => each.deref() !== undefined).length).toBeLessThan(reports.length / 4);
  machine.die(false);
});

test('a server that keeps its rooms for others shuts down gracefully while Redis is unreachable', async () => {
  const { timeline, redis, machine } = await servedByRedis(2000, 'keep');
  redis.begin('gone');
  machine.noteTrouble();
  const outcome = machine.stop().then(
    () => 'ended',
    (error: unknown) => error,
  );
  await timeline.run(timeline.nowMs + 30_000);
  expect(await Promise.race([outcome, 'never'])).toBe('ended');
});

test('a platform result that arrives while its room is resumed is answered, and played when it is repeated', async () => {
  const { machine, seconds, network } = oneServer('result', 'go-on');
  machine.boot();
  await seconds(5);
  const { rooms } = machine.core!;
  const [found] = rooms.byId.values();
  joinTo(network, '10.0.0.1');
  await seconds(2);
  const bring = () => rooms.hostInput(found!, { kind: 'adResult', player: 'p1', result: 'Completed' }, 'key');
  machine.disk.slowness = 20;
  machine.threads[0]!.die();
  while (found!.isBegun) await seconds(0.001);
  const early = within(machine.process!.clock, 3000, bring());
  while (found!.state !== 'open') await seconds(0.1);
  machine.disk.slowness = 1;
  await seconds(3);
  expect(await early).toBe(true);
  const later = bring();
  await seconds(1);
  expect(await Promise.race([later, 'never'])).toBe('kept');
  machine.die(false);
});

test('a platform reply that arrives while its room is resumed is played once', async () => {
  const { machine, seconds, network, watch } = oneServer('answer', 'go-on');
  machine.boot();
  await seconds(5);
  const { rooms } = machine.core!;
  const [found] = rooms.byId.values();
  joinTo(network, '10.0.0.1');
  await seconds(2);
  const played: unknown[] = [];
  const report = watch.report.bind(watch);
  watch.report = (base, host, said) => {
    report(base, host, said);
    if (said.kind === 'tick') played.push(...said.record.inputs.filter(({ kind }) => kind === 'adResult'));
  };
  machine.disk.slowness = 20;
  machine.threads[0]!.die();
  while (found!.isBegun) await seconds(0.001);
  machine.platformAnswer = { kind: 'adResult', player: 'p1', result: 'Completed' };
  rooms.services.askPlatform(found!, { kind: 'ad', player: 'p1' });
  await seconds(20);
  expect(found!.state).toBe('open');
  expect(played).toHaveLength(1);
  machine.die(false);
});

test('a room whose definition cannot be read temporarily is not discarded', async () => {
  const { machine, seconds, network } = oneServer('definition', 'go-on');
  machine.boot();
  await seconds(5);
  const [found] = machine.core!.rooms.byId.keys();
  joinTo(network, '10.0.0.1');
  await seconds(2);
  machine.change(servedSample('infection.json', 2));
  await seconds(2);
  machine.die(false);
  let isUnreadable = true;
  const forProcess = machine.disk.for.bind(machine.disk);
  machine.disk.for = (...owner) => {
    const disk = forProcess(...owner);
    const read = (path: string) =>
      isUnreadable && path.includes('/definitions/') ? Promise.reject(new Error(`EIO: ${path}`)) : disk.read(path);
    return { ...disk, read };
  };
  machine.noteTrouble();
  machine.boot();
  await seconds(3);
  isUnreadable = false;
  await seconds(5);
  expect(machine.core!.rooms.byId.get(found!)?.state).toBe('open');
  machine.die(false);
});

test('the end of a grace period does not affect a later player with the same id', async () => {
  const bench = new Bench('seats');
  const sent: string[] = [];
  const thread: RoomThread = { id: 0, send: (command) => sent.push(command.kind), close: async () => {} };
  const seats = new Seats({ watchersMax: 0, graceMs: 5000 }, bench.process.clock);
  const told = { admitted: () => {}, results: () => {}, sending: () => {}, watched: () => {}, unseated: () => {} };
  seats.listener = { ...told, paced: () => {}, dropped: () => {} };
  const guest = { userId: undefined, canReturn: true, preferredId: 'g1' };
  for (const goes of ['refused', 'lost with its room'] as const) {
    const own = new RoomEntry(room, servedSample('infection.json', 1), thread, 0);
    const first = seats.take(own, { ...guest, session: 1 });
    if (goes !== 'refused') seats.admit(own, { session: 1, player: 'g1', sequence: 0 }, true);
    seats.lose(own, first, 1, false);
    if (goes === 'refused') seats.admit(own, { session: 1, player: 'g1', sequence: 0, code: 'not-accepting' }, true);
    else seats.settle(own, []);
    const second = seats.take(own, { ...guest, session: 2 });
    seats.admit(own, { session: 2, player: 'g1', sequence: 0 }, true);
    await bench.seconds(10);
    expect(own.seats.get('g1'), goes).toBe(second);
  }
  expect(sent).not.toContain('leave');
});

test('played and recorded inputs are equal, also if a text ends with half a character', async () => {
  const { machine, failures, seconds, network, watch } = oneServer('halves', 'go-on');
  machine.boot();
  await seconds(5);
  const played: (readonly Input[])[] = [];
  const report = watch.report.bind(watch);
  watch.report = (base, host, said) => {
    report(base, host, said);
    if (said.kind === 'tick' && said.record.inputs.length > 0) played.push(said.record.inputs);
  };
  joinTo(network, '10.0.0.1', `${'a'.repeat(31)}\u{1f600}`);
  await seconds(2);
  const [found] = machine.core!.rooms.byId.values();
  const said: Input = { kind: 'chat', player: 'p1', text: 'half \ud83d' };
  tell(found!, { kind: 'input', session: 1, player: 'p1', sequence: 1, tick: undefined, input: said });
  await seconds(2);
  expect(played.flat().map(({ kind }) => kind)).toEqual(['join', 'chat']);
  expect(played[0]![0]).toMatchObject({ name: 'a'.repeat(31) });
  const { messages } = readFrames(frameOf(played), 0, Array.isArray);
  expect(messages[0]).toEqual(played);
  expect(failures).toEqual([]);
  machine.die(false);
});
