import {
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { arrangeJournal, loadDefinition, Replay } from '../../engine/index.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import type { Disk } from '../../src/machine/disk.ts';
import { nodeClock } from '../../src/machine/node-clock.ts';
import { nodeDisk } from '../../src/machine/node-disk.ts';
import { protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { FileJournal } from '../../src/server/journal/files.ts';
import { readSegment } from '../../src/server/journal/log.ts';
import { Recovery } from '../../src/server/lobby/recovery.ts';
import type { RoomEntry } from '../../src/server/lobby/room.ts';
import { eventually, hostForEach, type Serving, type ServingOptions, smallGame, type TestClient } from './support.ts';

const host = hostForEach();

const gameData = { _id: 'other', title: 'Other', frameRate: 20, engineTickRate: 20 };

/** A hash at every tick, so that a resumed room is compared at every tick. */
const everyTick = { hashSeconds: 0.05 };

function startWith(data: string, options: ServingOptions = {}): Promise<Serving> {
  return host.start({ data: join(host.folder, data), play: everyTick, ...options });
}

const joined = (serving: Serving, wishes = {}) => host.joined(wishes, serving);

/** Copies the disk, as a killed process would leave it. */
function crash(from: string, to: string): string {
  cpSync(join(host.folder, from), join(host.folder, to), { recursive: true });
  return to;
}

const room = ({ server }: Serving) => [...server.rooms.byId.values()][0]!;
const resumed = ({ log }: Serving) => log.find(({ msg }) => msg === 'room-resumed');
const codes = ({ log }: Serving) => log.map(({ code }) => code).filter((code) => code !== undefined);

async function play(client: TestClient, inputs: number): Promise<number> {
  let last = 0;
  for (let i = 0; i < inputs; i++) {
    const result = await client.result(client.input({ kind: i % 2 === 0 ? 'keyDown' : 'keyUp', key: 'd' }));
    last = (result as { tick: number }).tick;
  }
  return last;
}

describe('after a crash', () => {
  test('a room continues at or after the last acknowledged tick, with the same state at every tick', async () => {
    const first = await startWith('one');
    const ann = await joined(first);
    const acknowledged = await play(ann, 20);
    const second = await startWith(crash('one', 'two'));
    expect(room(second).identity).toEqual(room(first).identity);
    expect(resumed(second)!['tick']).toBeGreaterThanOrEqual(acknowledged);
    expect(codes(second)).toEqual([]);
  });

  test('the same holds from a snapshot and the ticks after it', async () => {
    const snapshots = { play: { ...everyTick, snapshotSeconds: 0.25 } };
    const first = await startWith('one', snapshots);
    const ann = await joined(first);
    const acknowledged = await play(ann, 20);
    const rooms = join(host.folder, 'one/journal/rooms');
    expect(readdirSync(rooms).some((name) => name.endsWith('.snapshot'))).toBe(true);
    const second = await startWith(crash('one', 'two'), snapshots);
    expect(resumed(second)!['tick']).toBeGreaterThanOrEqual(acknowledged);
    expect(codes(second)).toEqual([]);
  });

  test('players resume as themselves, and none of their inputs is played twice', async () => {
    const first = await startWith('one');
    const ann = await joined(first);
    const { resume, player } = await ann.welcome();
    await play(ann, 3);
    const second = await startWith(crash('one', 'two'));
    const again = await joined(second, { resume });
    expect(await again.welcome()).toMatchObject({ player, sequence: 3 });
    again.send({ kind: 'input', sequence: 3, input: { kind: 'customInput', text: 'again' } });
    const repeated = { sequence: 3, refused: 'repeated' };
    await again.first('inputResults', ({ results }) => results.some((result) => isDeepStrictEqual(result, repeated)));
    again.countFrom(3);
    expect(await again.result(again.input({ kind: 'customInput', text: 'new' }))).toMatchObject({ sequence: 4 });
  });

  test('resume tokens that had ended before do not come back to life, from a snapshot or from ticks', async () => {
    for (const snapshotSeconds of [0.05, 600]) {
      const names = [`one ${snapshotSeconds}`, `two ${snapshotSeconds}`] as const;
      const options = { play: { ...everyTick, snapshotSeconds } };
      const first = await startWith(names[0], options);
      const { resume: older, player } = await (await joined(first)).welcome();
      const again = await joined(first, { resume: older });
      const { resume: newer } = await again.welcome();
      await eventually(() => room(first).seats.get(player)!.resumableFromMs > 0);
      await play(again, 3);
      const second = await startWith(crash(...names), options);
      expect(await host.refused({ resume: older }, second)).toBe('resume-unknown');
      expect(await (await joined(second, { resume: newer })).welcome()).toMatchObject({ player });
    }
  });

  test('players can return for the whole grace period after a slow start, during which nobody could connect', async () => {
    const graceMs = 2000;
    const paths = ['one.json', 'two.json'].map((name) => join(host.folder, name));
    const [game, other] = [smallGame(), smallGame({ defaultData: { ...gameData, gameSlug: 'other' } })];
    for (const [i, each] of [game, other].entries()) writeFileSync(paths[i]!, JSON.stringify(each));
    const first = await startWith('one', { paths, graceMs });
    const ann = await joined(first, { room: 'small-game' });
    const { resume, player } = await ann.welcome();
    await play(ann, 1);
    // Its definition is read from the journal, because it is no longer served.
    const { readDefinition } = FileJournal.prototype;
    vi.spyOn(FileJournal.prototype, 'readDefinition').mockImplementation(async function (this: FileJournal, version) {
      await new Promise((done) => setTimeout(done, 1.5 * graceMs));
      return readDefinition.call(this, version);
    });
    const second = await startWith(crash('one', 'two'), { paths: [paths[0]!], graceMs });
    vi.restoreAllMocks();
    const again = await joined(second, { resume });
    expect(await again.welcome()).toMatchObject({ player });
  });

  test('while only snapshots cannot be written, the process is not ready if its readiness follows the journal', async () => {
    const play = { snapshotSeconds: 0.25 };
    const [follows, ignores] = [
      await startWith('one', { play, readyz: 'journal' }),
      await startWith('two', { play, readyz: 'players' }),
    ];
    for (const serving of [follows, ignores]) await joined(serving);
    const statusOf = async ({ url }: Serving) => (await fetch(`${url}/readyz`)).status;
    const until = async (serving: Serving, status: number) => {
      let found = 0;
      await eventually(() => {
        void statusOf(serving).then((each) => (found = each));
        return found === status;
      }, `status ${status}`);
    };
    const rooms = (name: string) => join(host.folder, name, 'journal/rooms');
    for (const name of ['one', 'two']) renameSync(rooms(name), `${rooms(name)}-away`);
    await until(follows, 503);
    await eventually(() => codes(ignores).includes('journal-failed'), 'the failure');
    expect(await statusOf(ignores)).toBe(200);
    for (const name of ['one', 'two']) renameSync(`${rooms(name)}-away`, rooms(name));
    await until(follows, 200);
  });

  test('an id of a player is never given to another', async () => {
    const first = await startWith('one');
    const ann = await joined(first);
    const bob = await joined(first);
    bob.send({ kind: 'leave' });
    await bob.end();
    await play(ann, 1);
    const second = await startWith(crash('one', 'two'));
    expect((await (await joined(second)).welcome()).player).toBe('p3');
  });

  test('without sync, nobody gets the id of a player that was lost in a power failure', async () => {
    const first = await startWith('one', { sync: 'second' });
    const ann = await joined(first);
    const { resume, player } = await ann.welcome();
    await play(ann, 1);
    crash('one', 'two');
    rmSync(join(host.folder, 'two/journal/log'), { recursive: true });
    const second = await startWith('two', { sync: 'second' });
    expect(resumed(second)).toMatchObject({ tick: 0 });
    expect((await (await joined(second, { name: 'bob' })).welcome()).player).not.toBe(player);
    const again = await host.connected({}, second);
    again.send({ kind: 'join', protocol: protocolVersion, name: 'ann', resume });
    expect(await again.first('refused')).toMatchObject({ code: 'resume-unknown' });
  });

  test('the resume token of a player that was lost in a power failure does not lead to a later player with its id', async () => {
    const first = await startWith('one', { sync: 'second' });
    await play(await joined(first), 1);
    crash('one', 'two');
    rmSync(join(host.folder, 'two/journal/log'), { recursive: true });
    const second = await startWith('two', { sync: 'second' });
    const bob = await joined(second, { name: 'bob' });
    const { resume, player } = await bob.welcome();
    await play(bob, 1);
    crash('two', 'three');
    rmSync(join(host.folder, 'three/journal/log'), { recursive: true });
    const third = await startWith('three', { sync: 'second' });
    const cat = await (await joined(third, { name: 'cat' })).welcome();
    expect(cat.player).toBe(player);
    const again = await host.connected({}, third);
    again.send({ kind: 'join', protocol: protocolVersion, name: 'bob', resume });
    expect(await again.first('refused')).toMatchObject({ code: 'resume-unknown' });
  });

  test('a player that does not reconnect leaves after the grace period', async () => {
    const first = await startWith('one');
    await play(await joined(first), 1);
    const second = await startWith(crash('one', 'two'), { graceMs: 50 });
    await eventually(() => room(second).seats.size === 0);
  });

  test('a room plays the definition that it was opened with, whatever the file contains now', async () => {
    const first = await startWith('one');
    await play(await joined(first), 2);
    const { version } = room(first).identity;
    const second = await startWith(crash('one', 'two'), { game: smallGame({ title: 'Another game' }) });
    const old = [...second.server.rooms.byId.values()].find(({ identity }) => identity.version === version)!;
    expect(old.definition.title).not.toBe('Another game');
    expect(codes(second)).toEqual([]);
    // Newcomers play the new version.
    const welcome = await (await joined(second)).welcome();
    expect(welcome.room).not.toBe(old.identity.id);
  });

  test('a server that was shut down and ended its games leaves no room to resume', async () => {
    const first = await startWith('one', { onEnd: 'end' });
    await play(await joined(first), 1);
    await first.server.stop();
    const second = await startWith('one');
    expect(resumed(second)).toBeUndefined();
  });
});

describe('a journal', () => {
  const log = (data: string) => {
    const path = join(host.folder, data, 'journal/log');
    return join(path, readdirSync(path).sort().at(-1)!);
  };

  test('with a torn last record loses only that record', async () => {
    const first = await startWith('one');
    const acknowledged = await play(await joined(first), 3);
    crash('one', 'two');
    truncateSync(log('two'), statSync(log('two')).size - 3);
    const second = await startWith('two');
    expect(codes(second)).toEqual(['journal-torn']);
    expect(resumed(second)!['tick']).toBeGreaterThanOrEqual(acknowledged - 1);
  });

  test('that is damaged is reported, and its rooms are not resumed', async () => {
    const first = await startWith('one');
    await play(await joined(first), 2);
    crash('one', 'two');
    const rooms = join(host.folder, 'two/journal/rooms');
    for (const name of readdirSync(rooms)) truncateSync(join(rooms, name), 10);
    const second = await startWith('two');
    expect(codes(second)).toContain('journal-version');
    expect(resumed(second)).toBeUndefined();
    expect(readdirSync(rooms).some((name) => name.endsWith('.aside'))).toBe(true);
  });

  test('belongs to one process', async () => {
    await startWith('one');
    writeFileSync(join(host.folder, 'one/journal/lock'), `${process.ppid}\n`);
    await expect(startWith('one')).rejects.toMatchObject({ code: 'journal-in-use' });
  });

  test('is refused while another process acquires the lock, and taken over if that one was killed meanwhile', async () => {
    const folder = join(host.folder, 'one/journal');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `lock-claim-${process.ppid}`), '');
    await expect(startWith('one')).rejects.toMatchObject({ code: 'journal-in-use' });
    rmSync(join(folder, `lock-claim-${process.ppid}`));
    writeFileSync(join(folder, 'lock-claim-4194305'), '');
    await startWith('one');
    expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
  });

  test('has exactly one owner if several processes start at once', async () => {
    for (let round = 0; round < 10; round++) {
      const folder = join(host.folder, `journal-${round}`);
      const numbers = [3, 1, 4, 2].slice(0, 2 + (round % 3));
      const opened = await Promise.allSettled(
        numbers.map((own, i) =>
          new Promise((resolve) => setTimeout(resolve, ((round + i) % 3) * i)).then(() =>
            FileJournal.open({
              disk: nodeDisk,
              clock: nodeClock,
              folder,
              sync: 'never',
              onNotice: () => {},
              processes: { pid: own, namespace: 'here', isAlive: () => true },
              listener: { failing: () => {}, working: () => {}, lost: () => {}, taken: () => {} },
            }),
          ),
        ),
      );
      const owners = opened.filter(({ status }) => status === 'fulfilled');
      expect(owners).toHaveLength(1);
      for (const each of opened) {
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'journal-in-use' });
        else await each.value.close();
      }
    }
  });

  test('can be downloaded while the room is played, and replays to the same state', async () => {
    const serving = await startWith('one', { adminToken: 'a token of sixteen' });
    await play(await joined(serving), 5);
    const { id } = room(serving).identity;
    const address = `${serving.url}/rooms/${id}/journal`;
    expect((await fetch(address)).status).toBe(401);
    const answer = await fetch(address, { headers: { authorization: 'Bearer a token of sixteen' } });
    const read = readJournalBytes(new Uint8Array(await answer.arrayBuffer()))!;
    expect(read.lostBytes).toBe(0);
    const journal = arrangeJournal(read.records)!;
    expect(journal.lastTick).toBeGreaterThan(5);
    const replay = new Replay(loadDefinition(smallGame()).game!, journal);
    while (!replay.isAtEnd) {
      replay.step();
      expect(replay.difference()).toBeUndefined();
    }
  });

  /** Makes the first segments unwritable: they are links to a device that is always full. */
  function fullDisk(data: string, segments: number): void {
    const path = join(host.folder, data, 'journal/log');
    mkdirSync(path, { recursive: true });
    for (let i = 1; i <= segments; i++) symlinkSync('/dev/full', join(path, `${String(i).padStart(8, '0')}.log`));
  }

  test('that cannot be written is reported; the room continues, and nothing is acknowledged before it is written', async () => {
    const second = await startWith('full');
    fullDisk('full', 2);
    const ann = await host.connected({}, second);
    ann.send({ kind: 'join', protocol: protocolVersion, name: 'ann' });
    await eventually(() => codes(second).includes('journal-failed'));
    // The room continues meanwhile.
    const { tick } = room(second);
    await eventually(() => room(second).tick > tick + 2);
    await ann.welcome();
    const acknowledged = await play(ann, 1);
    expect(second.log.some(({ msg }) => msg === 'journal-working')).toBe(true);
    crash('full', 'later');
    for (const name of ['00000001.log', '00000002.log']) rmSync(join(host.folder, 'later/journal/log', name));
    const third = await startWith('later');
    expect(resumed(third)!['tick']).toBeGreaterThanOrEqual(acknowledged);
    expect(codes(third)).toEqual([]);
  });

  test('that cannot be written pauses rooms if the operator wants it, until it can', async () => {
    const serving = await startWith('full', { onJournalFailure: 'stop', readyz: 'journal' });
    const readyz = async () => (await fetch(`${serving.url}/readyz`)).status;
    fullDisk('full', 1);
    const ann = await host.connected({}, serving);
    ann.send({ kind: 'join', protocol: protocolVersion, name: 'ann' });
    await eventually(() => codes(serving).includes('journal-failed'));
    const { tick } = room(serving);
    const ticks: number[] = [];
    await eventually(() => {
      if (serving.log.some(({ msg }) => msg === 'journal-working')) return true;
      ticks.push(room(serving).tick);
      return false;
    }, 'writing again');
    expect(Math.max(tick, ...ticks) - tick).toBeLessThanOrEqual(1);
    await ann.welcome();
    await play(ann, 1);
    expect(room(serving).tick).toBeGreaterThan(tick);
    expect(await readyz()).toBe(200);
  });

  test('that is slow keeps no player in the game whose seat was freed meanwhile', async () => {
    const serving = await startWith('full', { onJournalFailure: 'stop', graceMs: 50 });
    fullDisk('full', 1);
    const ann = await host.connected({}, serving);
    ann.send({ kind: 'join', protocol: protocolVersion, name: 'ann' });
    await eventually(() => codes(serving).includes('journal-failed'));
    await ann.lose();
    await eventually(() => room(serving).seats.size === 0);
    await eventually(() => serving.log.some(({ msg }) => msg === 'journal-working'));
    // A room without players is not played.
    let last = -1;
    let stillFor = 0;
    await eventually(() => {
      stillFor = room(serving).tick === last ? stillFor + 1 : 0;
      last = room(serving).tick;
      return stillFor > 200;
    });
  });

  test('that fails while a player returns or joins has it later: another process resumes it with its token', async () => {
    const first = await startWith('kept');
    const ann = await joined(first);
    const { resume, player } = await ann.welcome();
    first.server.rooms.journalFails('the disk is full');
    await ann.lose();
    const again = await (await joined(first, { resume })).welcome();
    const bob = await joined(first, { name: 'bob' });
    const { resume: ofBob, player: bobPlayer } = await bob.welcome();
    // The answer says that it has been written.
    await play(bob, 1);
    crash('kept', 'later');
    const second = await startWith('later');
    expect((await (await joined(second, { resume: again.resume })).welcome()).player).toBe(player);
    expect((await (await joined(second, { resume: ofBob })).welcome()).player).toBe(bobPlayer);
  });

  test('that was never written does not give anybody another’s player: reused ids have other tokens', async () => {
    const first = await startWith('full');
    fullDisk('full', 8);
    const zoe = await host.connected({}, first);
    zoe.send({ kind: 'join', protocol: protocolVersion, name: 'zoe' });
    await eventually(() => codes(first).includes('journal-failed'));
    const { resume, player } = await (await joined(first)).welcome();
    crash('full', 'later');
    for (let i = 1; i <= 8; i++) rmSync(join(host.folder, `later/journal/log/0000000${i}.log`));
    const second = await startWith('later');
    await joined(second, { name: 'bob' });
    expect((await (await joined(second, { name: 'cat' })).welcome()).player).toBe(player);
    const again = await host.connected({}, second);
    again.send({ kind: 'join', protocol: protocolVersion, name: 'ann', resume });
    expect(await again.first('refused')).toMatchObject({ code: 'resume-unknown' });
  });
});

test.each([
  ['another version wrote', 'RNCTLOG0', undefined],
  ['has its length but no content', '\0'.repeat(8), { records: [], lostBytes: 12 }],
  ['is not a log', 'RNCTJRN1', { records: [], lostBytes: 12 }],
])('a segment that %s is read as such', async (_what, start, content) => {
  const disk = { read: () => Promise.resolve(new TextEncoder().encode(`${start}rest`)) } as unknown as Disk;
  expect(await readSegment(disk, { number: 1, path: '00000001.log' })).toEqual(content);
});

test.each([
  ['three times within a minute is resumed', [0, 20, 40], 3, []],
  ['a fourth time is closed', [0, 20, 40, 59], 3, ['The room failed 4 times within a minute and is closed.']],
  ['four times within more than a minute is resumed', [0, 20, 40, 61], 4, []],
])('a room that fails %s', async (_what, seconds, begun, problems) => {
  let now = 0;
  const found = { begun: 0, problems: [] as string[], given: 0 };
  const room = { identity: { id: 'r' }, failures: [] } as unknown as RoomEntry;
  const parts = {
    clock: { now: () => now },
    seats: { drop: () => {} },
    pool: { leastBusy: () => ({}) },
    journal: { read: async () => ({ snapshot: undefined, ticks: [] }) },
    openings: { begin: async () => found.begun++ },
    observer: { problem: (_code: string, text: string) => found.problems.push(text) },
    rooms: new Map([['r', room]]),
    giveUp: () => found.given++,
  };
  const recovery = new Recovery(parts as unknown as ConstructorParameters<typeof Recovery>[0]);
  for (const second of seconds) {
    now = second * 1000;
    await recovery.recover(room);
  }
  expect(found).toEqual({ begun, problems, given: problems.length });
});
