import { expect, test } from 'vitest';
import { RandomStreams } from '../../engine/core/random.ts';
import { defaultLimits } from '../../engine/index.ts';
import type { RoomIdentity, TickRecord } from '../../src/cluster/stored-room.ts';
import type { Disk } from '../../src/machine/disk.ts';
import { FileJournal } from '../../src/server/journal/files.ts';
import { VirtualDisk } from './disk.ts';
import { Process } from './process.ts';
import { Timeline } from './timeline.ts';

/** A folder shared by processes in several containers, each of which has process id 7. Time is virtual. */
class Folder {
  readonly timeline = new Timeline();
  readonly disk: VirtualDisk;
  private readonly streams: RandomStreams;
  private made = 0;

  constructor(seed = 'folder') {
    this.streams = new RandomStreams(seed);
    this.disk = new VirtualDisk(this.timeline, this.streams.stream('disk'));
  }

  seconds(seconds: number): Promise<void> {
    return this.timeline.run(this.timeline.nowMs + seconds * 1000);
  }

  /** Starts a process that opens the journal of the folder. After ten seconds it is either open or refused. */
  async open(place: string, onTaken?: () => void, through?: (disk: Disk) => Disk) {
    const { process, opening } = this.begin(place, onTaken, through);
    const guarded = opening.catch((error: unknown) => error as Error);
    await this.seconds(10);
    const journal = await guarded;
    if (journal instanceof Error) throw journal;
    return { process, journal };
  }

  /** `through` wraps the disk that the process uses. */
  begin(place: string, onTaken = (): void => {}, through = (disk: Disk): Disk => disk) {
    const process = new Process(this.timeline, { startMs: 0 }, this.streams.stream(`process ${++this.made}`));
    const opening = FileJournal.open({
      disk: through(this.disk.for(process, () => false)),
      clock: process.clock,
      processes: { pid: 7, namespace: place, isAlive: () => false },
      folder: '/journal',
      sync: 'always',
      listener: { failing: () => {}, working: () => {}, lost: () => {}, taken: onTaken },
      onNotice: () => {},
    });
    return { process, opening };
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
const record = (tick: number): TickRecord => ({ tick, atMs: tick * 50, inputs: [], sequences: [], hash: undefined });

test('a data folder whose owner is alive in another container is refused', async () => {
  const folder = new Folder();
  const { process } = await folder.open('one');
  await expect(folder.open('two')).rejects.toMatchObject({ code: 'journal-in-use' });
  // Also after a power failure it is known whose folder it was; of the attempts nothing is left.
  const [after, now] = (['power', 'process'] as const).map((end) => folder.disk.image(end).for(process, () => false));
  const [kept, list] = [after!.read('/journal/lock'), now!.list('/journal')];
  await folder.seconds(1);
  expect(new TextDecoder().decode(await kept)).toBe('7@one\n');
  expect([...(await list)].sort()).toEqual(['beat-7@one', 'lock', 'starts']);
});

test('a data folder whose owner died in another container is taken over, with all its data', async () => {
  const folder = new Folder();
  const { journal, process } = await folder.open('one');
  const kept: number[] = [];
  void journal.keepRoom(room);
  for (let tick = 1; tick <= 3; tick++) journal.append(room.id, record(tick), () => kept.push(tick));
  await folder.seconds(1);
  expect(kept).toEqual([1, 2, 3]);
  process.kill();
  const startMs = folder.timeline.nowMs;
  const next = await folder.open('two');
  expect(next.journal.stored[0]!.ticks.map(({ tick }) => tick)).toEqual([1, 2, 3]);
  // The lock is not taken before the lease has expired.
  expect(folder.timeline.nowMs - startMs).toBeGreaterThan(3000);
  await expect(folder.open('three')).rejects.toMatchObject({ code: 'journal-in-use' });
});

test.each(Array.from({ length: 8 }, (_, i) => `still ${i}`))(
  'an owner that was suspended acknowledges nothing once another has the folder, and reports it: %s',
  async (seed) => {
    const folder = new Folder(seed);
    let taken = 0;
    const { journal, process } = await folder.open('one', () => taken++);
    const kept: number[] = [];
    void journal.keepRoom(room);
    journal.append(room.id, record(1), () => kept.push(1));
    await folder.seconds(1);
    // This tick is still being written, or waits behind the pause.
    journal.append(room.id, record(2), () => kept.push(2));
    process.freeze(15_000);
    const next = await folder.open('two');
    const found = next.journal.stored[0]!.ticks.map(({ tick }) => tick);
    expect(found).toEqual(expect.arrayContaining([1]));
    const isKept: number[] = [];
    for (let tick = found.length + 1; tick <= 6; tick++) {
      next.journal.append(room.id, record(tick), () => isKept.push(tick));
    }
    await folder.seconds(1);
    process.run(() => journal.append(room.id, record(3), () => kept.push(3)));
    await folder.seconds(10);
    expect(taken).toBe(1);
    expect(kept.filter((tick) => !found.includes(tick))).toEqual([]);
    const snapshot = { tick: 3, bytes: new Uint8Array(1), players: [], requests: [], playersMade: 0 };
    const refused = journal.keepSnapshot(room.id, snapshot).catch(() => 'refused');
    await folder.seconds(1);
    expect(await refused).toBe('refused');
    await Promise.race([journal.close(), folder.seconds(1)]);
    // The other process's journal is complete, and that process still owns it.
    next.process.kill();
    const last = await folder.open('three');
    expect(last.journal.stored[0]!.ticks.map(({ tick }) => tick)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(isKept.at(-1)).toBe(6);
  },
);

test('an owner that was suspended and cannot read whose the folder is leaves it to the other when it ends', async () => {
  const folder = new Folder();
  let isReadable = true;
  const { journal, process } = await folder.open('one', undefined, (disk) => ({
    ...disk,
    read: (path) => (isReadable ? disk.read(path) : Promise.reject(new Error('EIO'))),
  }));
  process.freeze(15_000);
  await folder.open('two');
  isReadable = false;
  await folder.seconds(10);
  await Promise.race([journal.close(), folder.seconds(2)]);
  await expect(folder.open('three')).rejects.toMatchObject({ code: 'journal-in-use' });
});

test('of processes in several containers that start at once after a crash exactly one gets the folder', async () => {
  for (let round = 0; round < 20; round++) {
    const folder = new Folder(`round ${round}`);
    (await folder.open('gone')).process.kill();
    const openings = ['a', 'b', 'c'].map((place, i) =>
      folder.timeline.wait((round % 4) * i * 40).then(() => folder.begin(place).opening),
    );
    const ended = Promise.allSettled(openings);
    await folder.seconds(30);
    const opened = await ended;
    const owners = opened.filter(({ status }) => status === 'fulfilled');
    expect(owners).toHaveLength(1);
    for (const each of opened)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'journal-in-use' });
  }
});
