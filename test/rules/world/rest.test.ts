import { describe, expect, test } from 'vitest';
import { type DialectName, type LoadedGame, Simulation } from '../../../engine/index.ts';
import { createProjectile } from '../../../engine/rules/combat/projectile.ts';
import { restsUntilMs } from '../../../engine/rules/world/rest.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { type Entity, Kind, rowOf } from '../../../engine/world/entity.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { foe, later, scene } from '../../support/ai-scene.ts';
import { intricate } from '../../support/intricate.ts';
import {
  attribute,
  itemType,
  type Play,
  play as playOf,
  projectileType,
  script,
  unitType,
} from '../../support/play.ts';
import { isLong, sampleOf } from '../../support/property.ts';
import { sampleGame } from '../../support/samples.ts';

const games: [string, DialectName, LoadedGame][] = ['outbreak', 'infection', 'team-elimination', 'ray-casting'].flatMap(
  (name) =>
    (['standard', 'moddio'] as const).map((dialect): [string, DialectName, LoadedGame] => [
      name,
      dialect,
      sampleGame(`${name}.json`),
    ]),
);
const played = [...games, ['everything', 'standard', intricate], ['everything', 'moddio', intricate]] as const;

/** A game with six players who press keys. */
function play(game: LoadedGame, dialect: DialectName): { readonly sim: Simulation; tick(): void } {
  const sim = new Simulation(game, { seed: 'rest', dialect });
  const bots = new Bots(sim, { count: 6, seed: 'rest' });
  return {
    sim,
    tick() {
      bots.beforeStep();
      sim.step();
    },
  };
}

describe('an entity at rest has nothing to do', () => {
  test.each(sampleOf(played, 4))('at any tick of %s, %s', (_, dialect, game) => {
    const { sim, tick } = play(game, dialect);
    const { order } = internalsOf(sim).world;
    const busy: string[] = [];
    let resting = 0;
    for (let i = 0; i < (isLong ? 200 : 80); i++) {
      tick();
      // The next pass begins with it: bodies that the step or a script woke may move.
      internalsOf(sim).game.physics.wakeCarried();
      for (const entity of order.entries) {
        if (!internalsOf(sim).world.exists(entity) || order.isAwake(entity)) continue;
        resting++;
        if (!(restsUntilMs(internalsOf(sim).game, entity) > sim.nowMs))
          busy.push(`${internalsOf(sim).world.ref(entity)?.id} in tick ${i}`);
      }
    }
    expect(busy).toEqual([]);
    expect(resting).toBeGreaterThan(0);
  });
});

describe('a game in which no entity ever rests plays the same', () => {
  test.each(sampleOf(played, 4))('%s, %s', (_, dialect, game) => {
    const resting = play(game, dialect);
    const restless = play(game, dialect);
    const { order } = internalsOf(restless.sim).world;
    for (let i = 1; i <= (isLong ? 160 : 80); i++) {
      for (const entity of order.entries) order.wake(entity);
      resting.tick();
      restless.tick();
      if (i % 8 === 0 && resting.sim.hash() !== restless.sim.hash()) throw new Error(`They have parted by tick ${i}.`);
    }
  });
});

describe('entities at rest', () => {
  /** By id: in which of the next ticks a unit, sensor, item or projectile is visited. */
  function visits(game: Play, ticks: number): Record<string, number> {
    const { order, lists } = internalsOf(game.sim).world;
    const watched = [Kind.unit, Kind.sensor, Kind.item, Kind.projectile].flatMap((kind) => lists[kind]!.entries);
    const found = watched.map((entity): [string, number] => [internalsOf(game.sim).world.ref(entity)!.id, 0]);
    for (let i = 0; i < ticks; i++) {
      order.wakeDue(game.sim.nowMs + 1000 / game.sim.rate);
      watched.forEach((entity, at) => {
        if (order.isAwake(entity)) found[at]![1]++;
      });
      game.ticks(1);
    }
    return Object.fromEntries(found);
  }

  test('include idle units, with and without AI, and their sensors', () => {
    const game = scene({ ai: { sensorRadius: 100 } }, { dialect: 'standard' });
    game.seconds(2);
    expect(visits(game, 20)).toEqual({ u1: 0, u2: 0, s1: 0 });
  });

  test('include units between two pulses of regeneration', () => {
    const game = scene({ ai: { sensorRadius: 100 } }, { dialect: 'moddio' });
    game.seconds(2);
    const { u1, u2, s1 } = visits(game, 60);
    expect([s1, u1! > 0 && u1! <= 20, u2! <= 20]).toEqual([0, true, true]);
  });

  test('include a unit with full health until it is damaged', () => {
    const regenerating = { attributes: { health: attribute(9, { max: 10, regenerateSpeed: 1 }) } };
    const hurt = later(3000, [{ type: 'setEntityAttribute', attribute: 'health', entity: foe, value: 9.5 }]);
    const game = scene({ prey: regenerating, scripts: { hurt } }, { dialect: 'standard' });
    game.seconds(2.5);
    expect(visits(game, 1)['u2']).toBe(0);
    game.seconds(0.6);
    expect([visits(game, 2)['u2'], game.attribute('u2', 'health')! > 9.5]).toEqual([2, true]);
  });

  test('include a wandering unit while it pauses', () => {
    const game = scene({ ai: { idleBehaviour: 'wander' } }, { dialect: 'standard' });
    game.ticks(2);
    expect(visits(game, 30)['u1']).toBe(0);
    expect(visits(game, 6 * game.sim.rate)['u1']).toBeGreaterThan(10);
  });

  test('include a unit with AI once its sprite is mirrored as it faces', () => {
    const game = scene({ ai: { sensorRadius: 100 } }, { dialect: 'standard' });
    game.seconds(2);
    const { world, game: rules } = internalsOf(game.sim);
    const { entity } = game.sim.find('u1')!;
    const facing = world.components.facing;
    facing.angle[rowOf(entity)] = -1;
    facing.flip[rowOf(entity)] = 0;
    expect(restsUntilMs(rules, entity)).toBe(Number.NEGATIVE_INFINITY);
    world.wake(entity);
    game.ticks(1);
    expect([facing.flip[rowOf(entity)], restsUntilMs(rules, entity)]).toEqual([1, Number.POSITIVE_INFINITY]);
  });

  /** A standing unit with the first item in its hand and the second in its bag. */
  function carrier(): Play & { readonly carrying: Entity; readonly inHand: Entity; readonly inBag: Entity } {
    const game = playOf({ itemTypes: { gun: itemType(), rope: itemType() } }, { dialect: 'standard' });
    const carrying = game.unit();
    const inHand = game.give(carrying, 'gun');
    const inBag = game.give(carrying, 'rope');
    game.seconds(2);
    return { ...game, carrying, inHand, inBag };
  }

  test('include items carried by an idle unit', () => {
    expect(visits(carrier(), 20)).toEqual({ u1: 0, i1: 0, i2: 0 });
  });

  test('exclude carried items once their carrier is pushed, turned or moved', () => {
    const game = carrier();
    const { transform } = game.world.components;
    const held = () => [game.inHand, game.inBag].map((item) => [transform.x[rowOf(item)], transform.y[rowOf(item)]]);
    const [hand, bag] = held();
    game.game.physics.setVelocity(game.carrying, 4, 0);
    game.ticks(3);
    const pushed = held();
    expect([pushed[0]![0]! > hand![0]!, pushed[1]![0]! > bag![0]!]).toEqual([true, true]);
    game.game.physics.setVelocity(game.carrying, 0, 0);
    game.seconds(2);
    const before = held()[0]!;
    game.game.physics.turnTo(game.carrying, Math.PI / 2);
    game.ticks(2);
    const turned = held()[0]!;
    // The item is held 20 px ahead: at first below the unit, then beside it.
    expect([turned[0]! - before[0]!, turned[1]! - before[1]!].map(Math.abs)).toEqual([
      expect.closeTo(20, 6),
      expect.closeTo(20, 6),
    ]);
    game.seconds(2);
    game.game.physics.teleportTo(game.carrying, 200, 300);
    game.ticks(2);
    expect(held()[1]).toEqual([200, 300]);
  });

  test('include listeners until a trigger that they listen to is queued', () => {
    const counting = (trigger: string) => ({
      scripts: { count: script(trigger, [{ type: 'increaseVariableByNumber', variable: 'count', number: 1 }]) },
    });
    const game = playOf(
      {
        unitTypes: {
          second: unitType(counting('secondTick')),
          frame: unitType(counting('frameTick')),
          chat: unitType(counting('playerSendsChatMessage')),
        },
        variables: { count: { dataType: 'number', default: 0 } },
      },
      { dialect: 'standard' },
    );
    game.unit({ type: 'second', x: 200 });
    game.unit({ type: 'frame', x: 400 });
    game.unit({ type: 'chat', x: 600 });
    game.seconds(3);
    // Awake in the tick of the trigger, and found to be at rest in the next one, which is counted.
    expect(visits(game, 2 * game.sim.rate)).toEqual({ u1: 2, u2: 2 * game.sim.rate, u3: 0 });
  });

  test('include a projectile in flight', () => {
    const game = playOf({ projectileTypes: { ball: projectileType() } }, { dialect: 'standard' });
    createProjectile(game.game, { type: 'ball', x: 300, y: 300, angle: 0, launch: { how: 'setVelocity', x: 3, y: 0 } });
    game.ticks(4);
    const { transform } = game.world.components;
    const before = transform.x[rowOf(game.entity('b1'))]!;
    expect(visits(game, 10)).toEqual({ b1: 0 });
    expect(transform.x[rowOf(game.entity('b1'))]).toBeGreaterThan(before);
  });
});
