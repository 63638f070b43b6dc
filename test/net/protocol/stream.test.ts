import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LoadedGame } from '../../../engine/index.ts';
import { setState } from '../../../engine/rules/entities/state.ts';
import { internalsOf, Kind } from '../../../engine/tools.ts';
import { FrameReader } from '../../../src/net/protocol/frames/frame-reader.ts';
import { body, joinAs, load, unitType } from '../../support/play.ts';
import { isLong, runs, sampleOf } from '../../support/property.ts';
import { sampleGame } from '../../support/samples.ts';
import { type Seat, StreamedRoom } from './streamed-room.ts';

const games: Record<string, LoadedGame> = {
  infection: sampleGame('infection.json'),
  outbreak: sampleGame('outbreak.json'),
  'ray-casting': sampleGame('ray-casting.json'),
  'team-elimination': sampleGame('team-elimination.json'),
};

describe('what a client has decoded is the state of the room', () => {
  const dialects = Object.keys(games).flatMap((name) => [[name, 'standard'] as const, [name, 'moddio'] as const]);
  test.each(sampleOf(dialects, 4))('at every tick of %s in %s with bots that fight, buy and die', (name, dialect) => {
    const room = new StreamedRoom(games[name]!, 'full', 8, { dialect });
    const seat = room.sit('bot1');
    for (let tick = 0; tick < (isLong ? 12 : 5) * room.sim.rate; tick++) {
      room.step();
      // A tick without changes sends nothing; the client extrapolates by itself.
      if (seat.reader.frame === room.sim.tick) expect(room.differences(seat), `tick ${tick}`).toEqual([]);
    }
  });

  test.each(['standard', 'moddio'] as const)(
    'in %s, where a unit loses its body: it looks as its state says',
    (dialect) => {
      const states = { default: { name: 'default', body: 'big' }, seen: { name: 'seen', body: 'seen' } };
      const bodies = {
        big: body({ width: 80, height: 90 }),
        seen: body({ type: 'spriteOnly', width: 30, height: 31 }),
      };
      const game = load({
        unitTypes: { walker: unitType({ states, bodies }) },
        scripts: { join: joinAs('walker') },
      });
      const room = new StreamedRoom(game, 'sizes', 0, { dialect });
      const seat = room.sit('ann');
      room.sim.input({ kind: 'join', clientId: 'ann', name: 'Ann' });
      room.step();
      expect([...seat.reader.all('unit')]).toMatchObject([{ width: 80, height: 90 }]);
      const inside = internalsOf(room.sim);
      setState(inside.game, inside.world.lists[Kind.unit]!.entries[0]!, 'seen');
      room.step();
      expect([...seat.reader.all('unit')]).toMatchObject([{ width: 30, height: 31 }]);
      expect(room.differences(seat)).toEqual([]);
    },
  );

  test('with clients that come and go, acknowledge late or never, and ask for the full state', () => {
    const moves = fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('step'), ticks: fc.integer({ min: 1, max: 60 }) }),
        fc.record({ do: fc.constant('sit'), who: fc.integer({ min: 1, max: 8 }) }),
        fc.record({ do: fc.constant('leave'), who: fc.nat(5) }),
        fc.record({ do: fc.constant('again'), who: fc.nat(5) }),
      ),
      { minLength: 5, maxLength: 25 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(games)), fc.nat(1000), moves, (name, seed, all) => {
        const room = new StreamedRoom(games[name]!, String(seed), 6, { windowSeconds: 1 });
        room.sit('bot2');
        let random = seed;
        const next = (below: number) => {
          random = (random * 1103515245 + 12345) % 2147483648;
          return random % below;
        };
        const acknowledges = (seat: Seat) => {
          const lost = next(4) === 0 || (seat.player === 'bot3' && next(10) > 0);
          return lost ? undefined : next(room.sim.rate);
        };
        for (const move of all) {
          if (move.do === 'sit' && room.seats.length < 6) room.sit(`bot${'who' in move ? move.who : 1}`);
          if (move.do === 'leave' && 'who' in move) room.leave(move.who);
          if (move.do === 'again' && 'who' in move) {
            const seat = room.seats[move.who];
            if (seat !== undefined) room.stream.acknowledge(seat.client, 0);
          }
          for (let tick = 0; move.do === 'step' && 'ticks' in move && tick < move.ticks; tick++) {
            const sent = room.step(acknowledges);
            for (const seat of sent.keys()) {
              expect(room.differences(seat), `${seat.player} at tick ${room.sim.tick}`).toEqual([]);
            }
          }
        }
      }),
      runs(12),
    );
  });

  test('a newcomer has the same state as a client from the start', () => {
    const room = new StreamedRoom(games['outbreak']!, 'late', 8);
    const first = room.sit('a spectator');
    for (let tick = 0; tick < 150; tick++) room.step();
    const second = room.sit('another');
    const sent = room.step();
    expect(sent.get(second)!.length).toBeGreaterThan(500);
    for (let tick = 0; tick < 100; tick++) {
      const after = room.step();
      // From now on they have the same frame, and therefore share the same buffer.
      if (after.has(first)) expect(after.get(second)).toBe(after.get(first));
      expect([...room.differences(first), ...room.differences(second)]).toEqual([]);
    }
  });

  test('within the sight of its player, and nothing beyond', () => {
    const sight = 500;
    const room = new StreamedRoom(games['infection']!, 'sight', 10, { sight });
    const seats = ['bot1', 'bot4', 'bot7'].map((player) => room.sit(player));
    const known = new Set<number>();
    for (let tick = 0; tick < (isLong ? 400 : 200); tick++) {
      room.step();
      for (const seat of seats) {
        const isPlaying = seat.reader.find(seat.player)?.selectedUnit !== undefined;
        if (seat.reader.frame !== room.sim.tick || !isPlaying) continue;
        expect(room.differences(seat, sight), `${seat.player} at tick ${tick}`).toEqual([]);
        known.add([...seat.reader.all('unit')].length);
      }
    }
    expect(Math.min(...known)).toBeLessThan(Math.max(...known));
    expect(Math.max(...known)).toBeLessThanOrEqual(room.sim.units().length + 5);
  });
});

test('no bytes make a client fail: it applies a frame, or needs the full state', () => {
  const room = new StreamedRoom(games['outbreak']!, 'hostile', 6);
  const seat = room.sit('bot1');
  const frames: Uint8Array[] = [];
  for (let tick = 0; tick < 120; tick++) for (const bytes of room.step().values()) frames.push(bytes.subarray(1));
  expect(seat.reader.frame).toBeGreaterThan(0);
  const damaged = fc
    .tuple(fc.nat(frames.length - 1), fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(3)), { maxLength: 5 }))
    .map(([which, changes]) => {
      let bytes = [...frames[which]!];
      for (const [where, byte, how] of changes) {
        const at = bytes.length === 0 ? 0 : where % bytes.length;
        if (how === 0) bytes = bytes.slice(0, at);
        else bytes[at] = byte;
      }
      return Uint8Array.from(bytes);
    });
  const reader = new FrameReader();
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 300 })), (bytes) => {
      const applied = reader.apply(bytes);
      if (!applied.ok) expect(['malformed', 'waiting']).toContain(applied.fault);
      for (const kind of ['player', 'unit', 'item', 'projectile'] as const) {
        for (const replica of reader.all(kind)) void [replica.x, replica.owner, replica.state, replica.attributes];
      }
      // The full state is always accepted.
      expect(reader.apply(frames[0]!).ok).toBe(true);
    }),
    runs(1500),
  );
});
