import { expect, test } from 'vitest';
import { HandOver } from '../../src/cluster/hand-over.ts';
import { hostClock } from '../../src/machine/clock.ts';

type Parts = ConstructorParameters<typeof HandOver<Room>>[0];
type Room = Parameters<HandOver<never>['keep']>[0];

/** Hands over a room with two connections and a watcher; `happened` lists the events in order. */
async function leaving({
  isJournalDown = false,
  takenBy,
  what,
}: {
  isJournalDown?: boolean;
  takenBy?: string;
  what?: 'room-kept';
}) {
  const happened: unknown[] = [];
  const journal = {
    keepSnapshot: (id: string, { tick }: { tick: number }) => {
      if (isJournalDown) return Promise.reject(new Error('the disk is full'));
      happened.push(['kept', id, tick]);
      return Promise.resolve();
    },
    settled: () => Promise.resolve().then(() => happened.push('settled')),
  };
  const observer = {
    problem: (code: string, text: string, { room }: { room: string }) => happened.push([code, text, room]),
    event: (name: string, { tick }: { tick: number }) => happened.push([name, tick]),
  };
  const seats = {
    stopWaiting: () => {},
    listener: { dropped: (...what: unknown[]) => happened.push(['dropped', ...what]) },
  };
  const hand = new HandOver({ journal, observer, seats, clock: hostClock } as unknown as Parts);
  const room = {
    identity: { id: 'arena', slug: 'small-game' },
    reserved: new Map(),
    seats: new Map([
      ['ann', { session: 1 }],
      ['bob', { session: undefined }],
      ['cid', { session: 3 }],
    ]),
    watchers: new Set([7]),
  };
  await hand.keep(
    room as unknown as Room,
    { snapshot: { tick: 70 }, hash: 'h' } as Parameters<HandOver<Room>['keep']>[1],
    what,
  );
  const place = takenBy === undefined ? undefined : { isAlive: true, isOurs: false, reach: { url: takenBy } };
  const locate = () => Promise.resolve(place);
  await hand.announce({ locate } as unknown as Parameters<HandOver<Room>['announce']>[0], 100);
  return { happened, isEmpty: room.seats.size + room.watchers.size === 0 };
}

test('a room is written to the journal before its players are sent to the process that takes it over', async () => {
  const { happened, isEmpty } = await leaving({ takenBy: 'ws://second' });
  expect(happened).toEqual([
    ['kept', 'arena', 70],
    'settled',
    ['room-handed-over', 70],
    ['dropped', 1, 'elsewhere', 'ws://second'],
    ['dropped', 3, 'elsewhere', 'ws://second'],
    ['dropped', 7, 'elsewhere', 'ws://second'],
  ]);
  expect(isEmpty).toBe(true);
});

test('if it cannot be written, the operator is told, and its players follow to the room as last acknowledged', async () => {
  const { happened } = await leaving({ isJournalDown: true, takenBy: 'ws://second' });
  expect(happened.slice(0, 2)).toEqual([
    ['journal-failed', 'The last snapshot of the room could not be written: the disk is full', 'arena'],
    'settled',
  ]);
  expect(happened).toContainEqual(['dropped', 3, 'elsewhere', 'ws://second']);
});

test('a room that is kept for the next process is logged as kept', async () => {
  const { happened } = await leaving({ what: 'room-kept' });
  expect(happened[2]).toEqual(['room-kept', 70]);
});

test('if nobody takes it over in time, its players are sent off without an address', async () => {
  const { happened } = await leaving({});
  expect(happened.slice(-3)).toEqual([
    ['dropped', 1, 'elsewhere', ''],
    ['dropped', 3, 'elsewhere', ''],
    ['dropped', 7, 'elsewhere', ''],
  ]);
});
