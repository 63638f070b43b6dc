import { describe, expect, test } from 'vitest';
import { type ListedRoom, NoJournal, type SharedRooms } from '../../../src/cluster/journal.ts';
import type { Observer } from '../../../src/cluster/operator/observer.ts';
import { hostClock, type ServerClock } from '../../../src/machine/clock.ts';
import { type Ban, Bans } from '../../../src/server/community/bans.ts';
import type { Definitions, ServedDefinition } from '../../../src/server/definitions/served.ts';
import { Directory } from '../../../src/server/lobby/directory.ts';
import { EndedAtStart } from '../../../src/server/lobby/openings.ts';
import { Pace } from '../../../src/server/lobby/pace.ts';
import { listedRoom, type RoomEntry } from '../../../src/server/lobby/room.ts';
import type { PlacementPolicy } from '../../../src/server/lobby/room-choice.ts';
import { MemoryRecordStore } from '../../../src/store/records.ts';

interface RoomOptions {
  readonly players?: number;
  readonly reserved?: number;
  readonly version?: string;
  readonly state?: RoomEntry['state'];
  readonly isClosed?: boolean;
  readonly code?: string;
  readonly properties?: Readonly<Record<string, string>>;
  readonly game?: ServedDefinition;
}

const gameOf = (slug: string) =>
  ({ slug, version: 'v2', title: slug, playersMax: () => 3 }) as unknown as ServedDefinition;
const hill = gameOf('hill');
const lake = gameOf('lake');
const library: Definitions = { all: [hill, lake], get: (slug) => library.all.find((game) => game.slug === slug) };

/** A room for three players, by default of the hill. */
function roomOf(id: string, options: RoomOptions = {}): RoomEntry {
  const { players = 0, reserved = 0, version = 'v2', state = 'open', isClosed = false, code, properties } = options;
  const { game: definition = hill } = options;
  const { slug } = definition;
  const identity = { id, slug, version, code, properties, dialect: 'standard', limits: { players: 100 } };
  return {
    identity,
    definition,
    state,
    isClosed,
    rate: 20,
    watchers: new Set(),
    pace: new Pace(20),
    seats: new Map(Array.from({ length: players }, (_, i) => [`p${i}`, { isIn: true }])),
    reserved: new Map(Array.from({ length: reserved }, (_, i) => [`r${i}`, {}])),
  } as unknown as RoomEntry;
}

interface Elsewhere {
  readonly url?: string;
  readonly admits?: boolean;
  readonly rooms: readonly RoomEntry[];
}

/** A server with rooms. `opened` counts the rooms that it opens for newcomers, which have the id `new`. */
function serverWith(
  rooms: readonly RoomEntry[],
  more: {
    placement?: PlacementPolicy;
    isFull?: boolean;
    isEmptying?: boolean;
    isOver?: boolean;
    elsewhere?: Elsewhere;
  } = {},
) {
  const { placement = 'fill', isFull = false, isEmptying = false, isOver = false, elsewhere } = more;
  const byId = new Map(rooms.map((room) => [room.identity.id, room]));
  const server = { opened: 0, directory: undefined as unknown as Directory };
  const listed = async () => [
    {
      id: 'b',
      url: undefined,
      inside: 'ws://b',
      admits: elsewhere!.admits ?? true,
      rooms: elsewhere!.rooms.map((room): ListedRoom => listedRoom(room, 0)),
    },
  ];
  server.directory = new Directory({
    rooms: byId,
    library,
    clock: hostClock,
    placement,
    isDraining: () => false,
    shared: elsewhere && ({ self: { id: 'a', url: elsewhere.url }, listed } as unknown as SharedRooms),
    mayOpen: () => !isFull && !isEmptying,
    admits: () => !isEmptying,
    isCurrent: ({ identity }) => identity.version === 'v2',
    async open(game, properties) {
      server.opened++;
      const room = roomOf('new', { game, players: 2, properties: properties as Record<string, string> });
      await Promise.resolve();
      if (isOver) throw new EndedAtStart(room);
      byId.set('new', room);
      return room;
    },
  });
  return server;
}

const idOf = (found: unknown): unknown => (found as RoomEntry | undefined)?.identity?.id ?? found;
const ranked = { properties: { mode: 'ranked' } };
const duel = { properties: { mode: 'duel' } };
const other = { url: undefined, inside: 'ws://b' };

describe('a newcomer enters', () => {
  const two = [roomOf('a', { players: 1 }), roomOf('b', { players: 2 })];
  test.each<[string, RoomEntry[], Parameters<typeof serverWith>[1], unknown]>([
    ['the fullest room with a free seat', [...two, roomOf('full', { players: 3 })], {}, 'b'],
    ['the emptiest if the operator spreads players', two, { placement: 'spread' }, 'a'],
    ['no room whose last seat is reserved', [roomOf('b', { players: 2, reserved: 1 })], {}, 'new'],
    ['no private room', [roomOf('secret', { code: 'ABCD2345' })], {}, 'new'],
    ['no room of an older version of the game', [roomOf('old', { version: 'v1' })], {}, 'new'],
    ['no room that is closed', [roomOf('closed', { isClosed: true })], {}, 'new'],
    ['no room that is being opened', [roomOf('early', { state: 'opening' })], {}, 'new'],
    [
      'no room if all are full and no other may be opened',
      [roomOf('full', { players: 3 })],
      { isFull: true },
      'server-full',
    ],
    ['no room of a process that is being emptied', two, { isEmptying: true }, 'not-accepting'],
    [
      'a process that lets newcomers in, if this one does not',
      two,
      { isEmptying: true, elsewhere: { rooms: [] } },
      other,
    ],
    ['no process that does not', two, { isEmptying: true, elsewhere: { rooms: [], admits: false } }, 'not-accepting'],
    ['no room if its game is over before the first tick', [], { isOver: true }, 'room-ended'],
    [
      'the own room if none of another process is fuller',
      two,
      { elsewhere: { rooms: [roomOf('c', { players: 2 })] } },
      'b',
    ],
    [
      'a fuller room of another process',
      two.slice(0, 1),
      { elsewhere: { rooms: [roomOf('c', { players: 2 })] } },
      other,
    ],
    [
      'a room of another process if all here are fuller and players are spread',
      two,
      { placement: 'spread', elsewhere: { rooms: [roomOf('c')] } },
      other,
    ],
    ['a room of another process before a new one', [], { elsewhere: { rooms: [roomOf('c')] } }, other],
    ['no full room of another process', [], { elsewhere: { rooms: [roomOf('c', { players: 3 })] } }, 'new'],
    ['no private room of another process', [], { elsewhere: { rooms: [roomOf('c', { code: 'ABCD2345' })] } }, 'new'],
    ['no older room of another process', [], { elsewhere: { rooms: [roomOf('c', { version: 'v1' })] } }, 'new'],
    ['this process if each has its own address', [], { elsewhere: { url: 'wss://a', rooms: [roomOf('c')] } }, 'new'],
  ])('%s', async (_name, rooms, options, expected) => {
    expect(idOf(await serverWith(rooms, options).directory.roomFor('hill', true))).toEqual(expected);
  });

  test.each<[string, string, unknown]>([
    ['the room that has them', 'duel', 'b'],
    ['a new room like those that are full', 'ranked', 'new'],
    ['none if there never was one', 'other', 'no-such-room'],
  ])('by the properties that it asks for, %s', async (_name, mode, expected) => {
    const { directory } = serverWith([roomOf('a', { players: 3, ...ranked }), roomOf('b', duel)]);
    const found = await directory.roomFor(undefined, false, new Map([['mode', mode]]));
    expect(idOf(found)).toBe(expected);
    if (expected === 'new') expect((found as RoomEntry).identity.properties).toEqual({ mode });
  });

  test.each<[string, RoomEntry[], Parameters<typeof serverWith>[1], unknown]>([
    [
      'the fullest room of all with a free seat',
      [roomOf('a', { players: 1 }), roomOf('b', { players: 2, game: lake }), roomOf('c', { players: 3 })],
      {},
      'b',
    ],
    [
      'a fuller room of any game in another process',
      [roomOf('a', { players: 1 })],
      { elsewhere: { rooms: [roomOf('b', { players: 2, game: lake })] } },
      other,
    ],
    [
      'no room of a game that is not served here',
      [roomOf('a', { players: 1 })],
      { elsewhere: { rooms: [roomOf('b', { players: 2, game: gameOf('moor') })] } },
      'a',
    ],
    ['a new room of the first game if all are full', [roomOf('b', { players: 3, game: lake })], {}, 'new'],
  ])('if it names no game, %s', async (_name, rooms, options, expected) => {
    const found = await serverWith(rooms, options).directory.roomFor(undefined, true);
    expect(idOf(found)).toEqual(expected);
    if (expected === 'new') expect((found as RoomEntry).identity.slug).toBe('hill');
  });

  test('one new room, if many find all rooms full at once', async () => {
    const server = serverWith([]);
    const found = await Promise.all([1, 2, 3].map(() => server.directory.roomFor(undefined)));
    expect([found.map(idOf), server.opened]).toEqual([['new', 'new', 'new'], 1]);
  });

  test('no game that the server does not have', async () => {
    const { directory } = serverWith([roomOf('a')]);
    expect(await directory.roomFor('valley')).toBe('no-such-room');
    expect([directory.isGame('valley'), directory.isGame('hill'), directory.isGame('a')]).toEqual([false, true, false]);
  });
});

test('a spectator watches the fullest public room that is open, however full', () => {
  const rooms = [
    roomOf('a', { players: 1 }),
    roomOf('b', { players: 3 }),
    roomOf('secret', { players: 3, code: 'ABCD2345' }),
    roomOf('failed', { players: 3, state: 'failed' }),
    roomOf('c', { players: 2, game: lake }),
  ];
  const { directory } = serverWith(rooms);
  const watched = [undefined, 'hill', 'lake', 'valley'].map((slug) => idOf(directory.roomToWatch(slug)));
  expect(watched).toEqual(['b', 'b', 'c', 'no-such-room']);
});

test('a room is found by its id or code while it is open', async () => {
  const { directory } = serverWith([roomOf('a', { code: 'ABCD2345' }), roomOf('gone', { state: 'failed' })]);
  const found = [directory.find('a'), directory.find('gone'), directory.findHere('a'), directory.findHere('gone')];
  expect((await Promise.all(found)).map(idOf)).toEqual(['a', undefined, 'a', undefined]);
  expect(idOf(await directory.roomOfCode('ABCD2345'))).toBe('a');
  expect(await directory.roomOfCode('ABCD2346')).toBeUndefined();
});

describe('a ban', () => {
  const at = { now: 1_000_000 };
  const clock = { ...hostClock, date: () => at.now, every: () => ({ cancel() {} }) } as unknown as ServerClock;
  const bans = () => {
    const machine = { clock, random: (count: number) => new Uint8Array(count) };
    return new Bans(new MemoryRecordStore(clock), machine, {} as Observer);
  };
  const basis = { reason: 'spam', by: 'root' };

  test.each<[string, Partial<Ban>, readonly [slug: string, userId: string | undefined, address: string], boolean]>([
    ['of an account holds from everywhere', { userId: 'ann' }, ['hill', 'ann', '192.0.2.9'], true],
    ['of an account holds for nobody else', { userId: 'ann' }, ['hill', 'bob', '192.0.2.9'], false],
    ['of an account does not hold for guests', { userId: 'ann' }, ['hill', undefined, '192.0.2.9'], false],
    ['of a network holds for guests', { network: '192.0.2.9' }, ['hill', undefined, '192.0.2.9'], true],
    ['of a network holds for its accounts', { network: '192.0.2.9' }, ['hill', 'ann', '192.0.2.9'], true],
    ['of a network holds for no other', { network: '192.0.2.9' }, ['hill', undefined, '192.0.2.8'], false],
    [
      'of an IPv6 network holds for all its addresses',
      { network: '2001:db8:0:1::/64' },
      ['hill', undefined, '2001:db8:0:1::7'],
      true,
    ],
    ['in one game holds there', { userId: 'ann', slug: 'hill' }, ['hill', 'ann', ''], true],
    ['in one game holds in no other', { userId: 'ann', slug: 'hill' }, ['valley', 'ann', ''], false],
    ['that ends later holds', { userId: 'ann', untilMs: 1_000_001 }, ['hill', 'ann', ''], true],
    ['that is over does not hold', { userId: 'ann', untilMs: 1_000_000 }, ['hill', 'ann', ''], false],
  ])('%s', async (_name, ban, [slug, userId, address], holds) => {
    const all = bans();
    await all.add({ ...basis, ...ban });
    expect(all.of(slug, userId, address) !== undefined).toBe(holds);
    expect(all.all.length).toBe(ban.untilMs === 1_000_000 ? 0 : 1);
  });

  test('replaces another of the same account in the same game, and can be lifted', async () => {
    const all = bans();
    let heard = 0;
    all.onAdded = () => heard++;
    const first = await all.add({ ...basis, userId: 'ann' });
    at.now++;
    const second = await all.add({ ...basis, userId: 'ann', reason: 'threats' });
    expect([second.id, all.all.map(({ reason }) => reason), heard]).toEqual([first.id, ['threats'], 2]);
    expect([await all.remove(first.id), await all.remove(first.id), all.all]).toEqual([true, false, []]);
    expect(all.of('hill', 'ann', '')).toBeUndefined();
  });
});

test('a server without a journal keeps the definitions of its rooms as long as they are played', async () => {
  const journal = new NoJournal();
  await journal.keepDefinition('v1', 'text');
  expect(await journal.readDefinition('v1')).toBe('text');
  await journal.forgetDefinition('v1');
  expect(await journal.readDefinition('v1')).toBeUndefined();
  const done: unknown[] = [];
  await journal.keepRoom({} as never, async () => void done.push('before'));
  journal.append('a', {} as never, (outcome) => done.push(outcome));
  expect([done, journal.incarnation(), await journal.read()]).toEqual([['before', 'kept'], 1, undefined]);
});
