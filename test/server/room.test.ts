import { describe, expect, test } from 'vitest';
import { defaultLimits, loadDefinition } from '../../engine/index.ts';
import type { RoomSnapshot } from '../../src/cluster/stored-room.ts';
import { hostClock, type ServerClock } from '../../src/machine/clock.ts';
import { defaultPlay, type PlayOptions } from '../../src/server/base/options.ts';
import { RoomHost } from '../../src/server/room/host.ts';
import { Room, type RoomReport } from '../../src/server/room/room.ts';
import type { RoomProtocol } from '../../src/server/room/room-protocol.ts';
import { setVariable } from '../support/actions.ts';
import { script, unitType } from '../support/play.ts';
import { variable } from '../support/trail.ts';
import { smallGame } from './support.ts';

const protocol = 'names';

/** A room whose clock the test controls. Its protocol sends each client the room time and its own name. */
class Play {
  nowMs = 500;
  dateMs = 1e12;
  readonly room: Room;

  constructor(startMs: number, snapshot?: RoomSnapshot, options: Partial<PlayOptions> = {}, document = smallGame()) {
    const names: RoomProtocol = {
      name: protocol,
      stream: (_sim, _sight, play) => {
        const clients = new Set<string>();
        return {
          add: (player) => {
            clients.add(player);
            return player;
          },
          remove: (client) => clients.delete(client as string),
          acknowledge: () => {},
          *messages() {
            for (const client of clients) {
              yield [client, new TextEncoder().encode(`${client} at ${play.timeMs()}`), 'frame'] as const;
            }
          },
        };
      },
    };
    const clock = {
      ...hostClock,
      now: () => this.nowMs,
      date: () => this.dateMs,
      busy: () => 0,
      every: () => ({ cancel: () => {} }),
      soon: () => {},
    };
    const { game } = loadDefinition(document);
    const identity = { id: 'r', slug: 'small-game', version: 'v', seed: 's', epochMs: 1e12, limits: defaultLimits };
    const protocols = new Map([[protocol, names]]);
    this.room = new Room(
      game!,
      { ...identity, dialect: 'standard' },
      { ...defaultPlay, ...options },
      protocols,
      clock,
      snapshot,
    );
    this.room.begin(startMs);
  }

  join(session: number, clientId: string): void {
    this.room.join(session, protocol, { kind: 'join', clientId });
  }

  /** Plays a tick, and returns what each session was sent. */
  tick(): (readonly [session: number, text: string])[] {
    this.nowMs += 50;
    const { sendings } = this.room.tick(this.dateMs, 0);
    return sendings.flatMap(({ sessions, bytes }) =>
      sessions.map((session) => [session, new TextDecoder().decode(bytes)] as const),
    );
  }
}

test('room time starts from the given time and never follows the wall clock', () => {
  const play = new Play(7000);
  play.join(1, 'ann');
  const told = [0, 3_600_000, -7_200_000].map((jumpMs) => {
    play.dateMs += jumpMs;
    return play.tick();
  });
  expect(told).toEqual([[[1, 'ann at 7050']], [[1, 'ann at 7100']], [[1, 'ann at 7150']]]);
});

test('a room resumed from a snapshot has the time of its own start', () => {
  const first = new Play(7000);
  first.join(1, 'ann');
  first.tick();
  const next = new Play(9000, first.room.snapshot());
  next.room.attach(2, protocol, 'ann');
  expect(next.tick()).toEqual([[2, 'ann at 9050']]);
});

test('a connection that is lost before its player has joined receives nothing, and the player stays for the next one', () => {
  const play = new Play(0);
  play.join(1, 'ann');
  play.join(2, 'bob');
  play.room.detach(1);
  expect(play.tick().map(([session]) => session)).toEqual([2]);
  expect(play.room.players.map(({ id }) => id)).toEqual(['ann', 'bob']);
  play.room.attach(3, protocol, 'ann');
  expect(play.tick().map(([session]) => session)).toEqual([2, 3]);
});

test('a player who comes back on another connection is shown there, also after its former connection is lost', () => {
  const play = new Play(0);
  play.join(1, 'ann');
  play.tick();
  play.room.attach(2, protocol, 'ann');
  expect(play.tick()).toEqual([[2, 'ann at 100']]);
  play.room.detach(1);
  expect(play.tick()).toEqual([[2, 'ann at 150']]);
  play.room.detach(2);
  expect(play.tick()).toEqual([]);
});

test('hashes are recorded every second of play by default', () => {
  const play = new Play(0);
  const ticks = Array.from({ length: 45 }, () => play.room.tick(play.dateMs, 0).record);
  expect(ticks.flatMap(({ tick, hash }) => (hash === undefined ? [] : [tick]))).toEqual([20, 40]);
});

test.each([
  [0.01, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  [0.2, [4, 8]],
  [10, []],
])('snapshots are taken every %d seconds of play, of the state after the tick', (snapshotSeconds, ticks) => {
  const play = new Play(0, undefined, { snapshotSeconds });
  play.join(1, 'ann');
  const taken: number[] = [];
  for (let tick = 1; tick <= 10; tick++) {
    const { snapshot } = play.room.tick(play.dateMs, 0);
    if (snapshot === undefined) continue;
    taken.push(tick);
    expect(new Play(0, snapshot).room.sim.hash()).toBe(play.room.sim.hash());
  }
  expect(taken).toEqual(ticks);
});

describe('keys are released', () => {
  /** A game in which the key e counts its presses and releases, and a player `ann` who has joined. */
  class Keys extends Play {
    private sequence = 0;

    constructor(snapshot?: RoomSnapshot) {
      const count = (name: string) =>
        script([], [setVariable(name, { function: 'calculate', items: [{ operator: '+' }, variable(name), 1] })]);
      const e = { keyDown: { scriptName: 'press', cost: {} }, keyUp: { scriptName: 'letGo', cost: {} } };
      const controls = { movementControlScheme: 'wasd', movementMethod: 'velocity', abilities: { e } };
      const { data } = smallGame() as { data: Record<string, object> };
      const added = {
        unitTypes: { walker: unitType({ controls }) },
        variables: { presses: { dataType: 'number', default: 0 }, releases: { dataType: 'number', default: 0 } },
        scripts: { ...data['scripts'], press: count('presses'), letGo: count('releases') },
      };
      super(0, snapshot, {}, { data: { ...data, ...added } });
      if (snapshot !== undefined) return;
      this.join(1, 'ann');
      this.tick();
    }

    send(kind: 'keyDown' | 'keyUp', key: string, tick = 0): unknown {
      return this.room.input(1, 'ann', ++this.sequence, tick, { kind, player: 'ann', key });
    }

    get held(): readonly string[] | undefined {
      return this.room.sim.view().players.find(({ clientId }) => clientId === 'ann')?.keysDown;
    }

    /** How often the key e went down and up. */
    get counts(): unknown[] {
      return [this.room.sim.variable('presses'), this.room.sim.variable('releases')];
    }

    get walks(): boolean {
      return this.room.sim.view().units[0]!.moving;
    }
  }

  test('when the connection is lost, after what the player sent before', () => {
    const play = new Keys();
    play.send('keyDown', 'd');
    play.send('keyDown', 'e');
    play.tick();
    expect([play.held, play.counts, play.walks]).toEqual([['d', 'e'], [1, 0], true]);
    play.send('keyDown', 'w', play.room.sim.tick + 3);
    play.room.detach(1);
    for (let i = 0; i < 4; i++) play.tick();
    expect([play.held, play.counts, play.walks]).toEqual([[], [1, 1], false]);
  });

  test('when the player continues on another connection, whose keys count', () => {
    const play = new Keys();
    play.send('keyDown', 'd');
    play.tick();
    play.room.attach(2, protocol, 'ann');
    play.send('keyDown', 'w');
    play.tick();
    play.room.detach(1);
    play.tick();
    expect(play.held).toEqual(['w']);
  });

  test('when the room is resumed: nobody is connected to it any more', () => {
    const play = new Keys();
    play.send('keyDown', 'd');
    play.tick();
    const resumed = new Keys(play.room.snapshot());
    resumed.tick();
    expect([resumed.held, resumed.walks]).toEqual([[], false]);
  });

  test('in the journal, so that a replay has the same state and results', () => {
    const play = new Keys();
    const twin = new Keys(play.room.snapshot());
    play.send('keyDown', 'd');
    play.room.detach(1);
    play.send('keyUp', 'e');
    const { record } = play.room.tick(play.dateMs, 0);
    expect(record.inputs.map(({ kind }) => kind)).toEqual(['keyDown', 'releaseKeys', 'keyUp']);
    twin.room.replay([record]);
    expect(twin.room.sim.hash()).toBe(play.room.sim.hash());
    expect(twin.room.snapshot().players).toEqual(play.room.snapshot().players);
  });

  test('by the player, however many inputs wait', () => {
    const play = new Keys();
    const later = play.room.sim.tick + 5;
    for (let i = 0; i < 512; i++) play.send('keyDown', 'd', later);
    expect([play.send('keyDown', 'd'), play.send('keyUp', 'd')]).toEqual(['too-many', undefined]);
    for (let i = 0; i < 40; i++) play.tick();
    expect(play.held).toEqual([]);
  });

  test('or not: a key that was not let go counts again when it is pressed, once in a tick', () => {
    const play = new Keys();
    for (const presses of [1, 1, 2]) {
      for (let i = 0; i < presses; i++) play.send('keyDown', 'e');
      play.tick();
    }
    expect(play.counts).toEqual([3, 0]);
  });
});

test('a player has at most 512 inputs waiting, and any number over time', () => {
  const play = new Play(0);
  play.join(1, 'ann');
  play.tick();
  let sequence = 0;
  const send = (tick: number) =>
    play.room.input(1, 'ann', ++sequence, tick, { kind: 'keyDown', player: 'ann', key: 'd' });
  for (let i = 0; i < 600; i++) {
    expect(send(0)).toBeUndefined();
    if (i % 8 === 7) play.room.tick(play.dateMs, 0);
  }
  const later = Array.from({ length: 513 }, () => send(play.room.sim.tick + 5));
  expect(later.slice(0, 512)).toEqual(later.slice(0, 512).fill(undefined));
  expect(later[512]).toBe('too-many');
});

test('an input for a later tick waits for it, but no longer than half a second', () => {
  const play = new Play(0);
  play.join(1, 'ann');
  play.tick();
  for (const [i, tick] of [4, 1000].entries()) {
    expect(play.room.input(1, 'ann', i + 1, tick, { kind: 'keyDown', player: 'ann', key: 'd' })).toBeUndefined();
  }
  const played = Array.from({ length: 15 }, () => play.room.tick(play.dateMs, 0).record).flatMap(({ tick, inputs }) =>
    inputs.map(() => tick),
  );
  expect(played).toEqual([4, 12]);
});

test.each([
  [0.05, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  [0.2, [4, 8]],
  [10, []],
])('hashes are recorded every %d seconds of play, of the state after the tick', (hashSeconds, ticks) => {
  const play = new Play(0, undefined, { hashSeconds });
  play.join(1, 'ann');
  const recorded: number[] = [];
  for (let tick = 1; tick <= 10; tick++) {
    const { hash } = play.room.tick(play.dateMs, 0).record;
    if (hash === undefined) continue;
    recorded.push(tick);
    expect(hash).toBe(play.room.sim.hash());
  }
  expect(recorded).toEqual(ticks);
});

test('a key in capitals that a client sends is played and replayed: only programs are told of the slip', () => {
  const play = new Play(0);
  play.join(1, 'ann');
  play.tick();
  expect(play.room.input(1, 'ann', 1, 0, { kind: 'keyDown', player: 'ann', key: 'D' })).toBeUndefined();
  const { record, results } = play.room.tick(play.dateMs, 0);
  expect([record.inputs, results]).toMatchObject([[{ key: 'D' }], [{ sequence: 1 }]]);
  const twin = new Play(0);
  twin.join(1, 'ann');
  twin.tick();
  twin.room.replay([record]);
  expect(twin.room.sim.hash()).toBe(play.room.sim.hash());
});

test('an input that names a tick is played in that tick, one that names none or an earlier one in the next', () => {
  const play = new Play(0);
  play.join(1, 'ann');
  play.tick();
  const next = play.room.sim.tick + 1;
  const key = (letter: string) => ({ kind: 'keyDown', player: 'ann', key: letter }) as const;
  const said = [
    play.room.input(1, 'ann', 1, 0, key('a')),
    play.room.input(1, 'ann', 2, next, key('b')),
    play.room.input(1, 'ann', 3, next + 2, key('c')),
    // It waits for the input before it.
    play.room.input(1, 'ann', 4, next, key('d')),
  ];
  expect(said).toEqual([undefined, undefined, undefined, undefined]);
  const played = Array.from({ length: 4 }, () => play.room.tick(play.dateMs, 0)).map(({ record, results }) => [
    record.tick,
    record.inputs.map((input) => (input.kind === 'keyDown' ? input.key : input.kind)),
    results.map(({ sequence }) => sequence),
  ]);
  expect(played).toEqual([
    [next, ['a', 'b'], [1, 2]],
    [next + 1, [], []],
    [next + 2, ['c', 'd'], [3, 4]],
    [next + 3, [], []],
  ]);
});

test('a replay reports the first tick whose state differs from the recorded hash, and plays on', () => {
  const play = new Play(0, undefined, { hashSeconds: 0.05 });
  play.join(1, 'ann');
  const records = Array.from({ length: 6 }, () => play.room.tick(play.dateMs, 0).record);
  const replayed = (wrong: readonly number[]) => {
    const twin = new Play(0);
    const given = records.map((record) => (wrong.includes(record.tick) ? { ...record, hash: '0' } : record));
    const { differsAt } = twin.room.replay(given);
    return [differsAt, twin.room.sim.tick, twin.room.sim.hash() === play.room.sim.hash()];
  };
  expect([replayed([]), replayed([3]), replayed([5, 3, 4]), replayed([1])]).toEqual([
    [undefined, 6, true],
    [3, 6, true],
    [3, 6, true],
    [1, 6, true],
  ]);
});

test('ticks that do not follow are left out of a replay', () => {
  const play = new Play(0);
  play.join(1, 'ann');
  const records = Array.from({ length: 4 }, () => play.room.tick(play.dateMs, 0).record);
  const twin = new Play(0);
  twin.room.replay([records[0]!, records[1]!, records[1]!, records[3]!]);
  expect(twin.room.sim.tick).toBe(2);
});

test('a paused room that is closed plays on until its end', () => {
  const due: (() => void)[] = [];
  let nowMs = 0;
  const timer = (then: () => void) => {
    due.push(then);
    return { cancel: () => due.splice(due.indexOf(then) >>> 0, 1) };
  };
  const clock = {
    ...hostClock,
    now: () => nowMs,
    date: () => 1e12,
    busy: () => 0,
    every: () => ({ cancel: () => {} }),
    after: (_ms: number, then: () => void) => timer(then),
    soon: (then: () => void) => timer(then),
  };
  const reports: RoomReport[] = [];
  const host = new RoomHost(
    { play: defaultPlay, isForSlow: false, movesGreedy: false },
    new Map(),
    clock as unknown as ServerClock,
    (each) => reports.push(each),
  );
  const identity = { id: 'r', slug: 'small-game', version: 'v', seed: 's', epochMs: 1e12, limits: defaultLimits };
  host.handle({ kind: 'define', version: 'v', text: JSON.stringify(smallGame()) });
  host.handle({ kind: 'open', room: { ...identity, dialect: 'standard' }, startMs: 0 });
  host.handle({ kind: 'pause', room: 'r', on: true });
  host.handle({ kind: 'close', room: 'r' });
  for (let i = 0; i < 200 && host.rooms.size > 0; i++) {
    nowMs += 50;
    for (const then of due.splice(0)) then();
  }
  expect(reports.at(-1)).toMatchObject({ kind: 'tick', room: 'r', ended: true });
  expect(host.rooms.size).toBe(0);
});
