import { describe, expect, test } from 'vitest';
import { Simulation } from '../../../engine/index.ts';
import { rewindTicksMax } from '../../../engine/rules/combat/rewind.ts';
import { internalsOf, rowOf } from '../../../engine/tools.ts';
import { body, held, itemType, load, script, unitType } from '../../support/play.ts';

const inHand = { function: 'getItemCurrentlyHeldByUnit', entity: { function: 'getTriggeringUnit' } };
const collidesWith = { units: false, items: false, projectiles: false, walls: false };
const damage = { targetsAffected: ['everything'], unitAttributes: { health: 10 }, playerAttributes: {} };
const soldier = {
  bodies: { default: body({ collidesWith }) },
  controls: {
    movementControlScheme: 'wasd',
    movementMethod: 'velocity',
    mouseBehaviour: {},
    abilities: { button1: { keyDown: { scriptName: 'use' } } },
  },
};
const weapons = {
  ray: { isGun: true, bulletType: 'raycast', bulletDistance: 600, bulletStartPosition: { x: 0, y: 40 } },
  // Strikes 280 to 320 px ahead.
  blade: { isGun: false, damageHitBox: { width: 20, height: 20, offsetX: 0, offsetY: 300 } },
};

/** Ann at 640, 640 looks up to where Bob walks past, 15 px per tick to the right, above her in tick 20. */
function crossing(weapon: keyof typeof weapons, more: Record<string, unknown> = {}) {
  const game = load({
    unitTypes: { soldier: unitType({ ...soldier, defaultItems: ['weapon'] }) },
    itemTypes: {
      weapon: itemType({
        type: 'weapon',
        damage,
        bodies: { selected: held({ jointType: 'none' }) },
        ...weapons[weapon],
      }),
    },
    scripts: {
      join: script('playerJoinsGame', [
        { type: 'assignPlayerType', entity: { function: 'getTriggeringPlayer' }, playerType: 'human' },
        {
          type: 'createUnitAtPosition',
          unitType: 'soldier',
          entity: { function: 'getTriggeringPlayer' },
          angle: 0,
          position: { x: 640, y: 640 },
        },
      ]),
      use: script(
        [],
        [
          { type: 'startUsingItem', entity: inHand },
          { type: 'stopUsingItem', entity: inHand },
        ],
      ),
    },
    ...more,
  });
  const sim = new Simulation(game, { seed: 1 });
  const ann = sim.join({ clientId: 'ann' });
  const bob = sim.join({ clientId: 'bob' });
  const see = (tick: number) => sim.input({ kind: 'seen', player: 'ann', tick });
  sim.run({ ticks: 2 });
  bob.press('d');
  sim.edit.move(bob.unit!, 640 - 17 * 15, 340);
  const to = (tick: number) => sim.run({ ticks: tick - sim.tick });
  const shoot = () => {
    ann.press('button1');
    sim.run({ ticks: 2 });
    return bob.unit!.attribute('health') === 90;
  };
  return { sim, ann, bob, see, to, shoot };
}

describe.each(['ray', 'blade'] as const)('a %s', (weapon) => {
  test('hits where its target is', () => {
    const { to, shoot, bob } = crossing(weapon);
    to(20);
    expect(bob.unit!.x).toBeCloseTo(640, 0);
    expect(shoot()).toBe(true);
  });

  test('hits where its target was seen, and only there', () => {
    const late = crossing(weapon);
    late.to(26);
    expect(late.shoot()).toBe(false);
    const compensated = crossing(weapon);
    compensated.to(10);
    compensated.see(5);
    compensated.to(26);
    compensated.see(20);
    expect(compensated.shoot()).toBe(true);
    const missed = crossing(weapon);
    missed.to(10);
    missed.see(5);
    missed.to(20);
    missed.see(14.5);
    expect(missed.shoot()).toBe(false);
  });

  test('goes on to see as late as the client said last', () => {
    const { to, see, shoot } = crossing(weapon);
    to(10);
    see(4);
    to(25);
    expect(shoot()).toBe(true);
  });
});

describe('what a player sees', () => {
  test('lies between two ticks where its client shows that', () => {
    const { to, see, shoot } = crossing('ray');
    to(10);
    see(5);
    to(26);
    // Bob's left edge is 2 px beside the ray then.
    see(21.5);
    expect(shoot()).toBe(false);
  });

  test('is never earlier than before, in the future, or older than the limit', () => {
    const { to, see, sim } = crossing('ray');
    const { world } = internalsOf(sim);
    to(40);
    for (const [said, taken] of [
      [5, 41 - rewindTicksMax],
      [1e9, 42],
      [0, 42],
    ] as const) {
      see(said);
      sim.step();
      expect(world.components.seen[rowOf(sim.player('ann').entity)]).toEqual({ tick: taken, atTick: sim.tick });
    }
  });

  test('is part of the state, which has nothing of it unless a client says so', () => {
    const { to, see, sim, ann } = crossing('ray');
    to(10);
    const { world } = internalsOf(sim);
    expect(world.components.trail.some((trail) => trail !== undefined)).toBe(false);
    see(5);
    to(26);
    see(20);
    ann.press('button1');
    const restored = sim.fork();
    for (const each of [sim, restored]) each.run({ ticks: 5 });
    expect(restored.hash()).toBe(sim.hash());
    expect(restored.player('bob').unit!.attribute('health')).toBe(90);
  });
});
