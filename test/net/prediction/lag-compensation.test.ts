import { expect, test } from 'vitest';
import { rewindTicksMax } from '../../../engine/rules/combat/rewind.ts';
import { DistantRoom } from './distant-room.ts';
import { shootingRange } from './shooting-range.ts';

/**
 * Ada, far from the server, with a gun whose rays hit at once, and Bob, who walks past in front of her at 300 px per
 * second.
 */
function range(lagCompensationMs: number) {
  const room = new DistantRoom(shootingRange, { roundTripMs: 100, jitterMs: 10 }, 'standard', { lagCompensationMs });
  room.play(2);
  const { sim } = room.room;
  const bob = sim.join({ clientId: 'p2' });
  room.play(0.2);
  sim.input({ kind: 'customInput', player: 'p2', text: 'go' });
  bob.press('d');
  room.play(0.2);
  const target = [...room.client.state.all('unit')].find((unit) => unit !== room.unit)!;
  /** Shoots when Bob is in front of her, on her screen. Returns whether that hit. */
  const shoot = (): boolean => {
    const health = bob.unit!.attribute('health');
    while (room.client.placeOf(target).x < 640) room.play(1 / 60);
    room.press('button1');
    room.play(0.6);
    return bob.unit!.attribute('health') !== health;
  };
  return { room, bob, shoot };
}

test('a ray hits what was in front of the shooter on its screen, if the operator allows that', () => {
  expect(range(0).shoot()).toBe(false);
  const { room, shoot } = range(250);
  expect(shoot()).toBe(true);
  const replayed = room.server.replayed();
  expect(replayed.differsAt).toBeUndefined();
  expect(replayed.room.sim.hash()).toBe(room.room.sim.hash());
});

test('without it, clients send nothing more', () => {
  const { room } = range(0);
  const kinds: string[] = [];
  room.server.onInput = ({ input }) => kinds.push(input.kind);
  for (let i = 0; i < 3; i++) {
    room.press('button1');
    room.play(0.5);
  }
  expect(kinds).toEqual(['keyDown', 'keyDown', 'keyDown']);
  expect(room.refused).toEqual([]);
});

test('a modified client that claims to see old ticks sees none beyond the limit', () => {
  const { room, bob, shoot } = range(100);
  const { client } = room;
  const send = client.send.bind(client);
  // The range would reach Bob wherever he was in the last second and a half.
  expect(rewindTicksMax).toBeGreaterThan(20);
  client.send = (input, tick) => {
    if (input.kind === 'keyDown') send({ kind: 'seen', tick: 1 });
    return send(input, tick);
  };
  expect(shoot()).toBe(false);
  expect(bob.unit!.attribute('health')).toBe(100);
});
