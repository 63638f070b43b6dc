import { describe, expect, test } from 'vitest';
import { Simulation } from '../../../engine/index.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { createUnitAt, setVariable } from '../../support/actions.ts';
import { body, load, type Play, play, script, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

function map(objects: readonly Json[]): Json {
  return {
    width: 20,
    height: 20,
    tilewidth: 64,
    tileheight: 64,
    layers: [
      {
        name: 'walls',
        type: 'tilelayer',
        width: 20,
        height: 20,
        data: Array.from({ length: 400 }, (_, i) => (i % 20 === 15 ? 1 : 0)),
      },
      { name: 'debris', type: 'objectgroup', objects },
    ],
    tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
  };
}

const crate = {
  id: 12,
  x: 500,
  y: 500,
  width: 60,
  height: 40,
  rotation: 0,
  type: 'dynamic',
  name: 'crate',
  visible: true,
};
const run = (...actions: Json[]) => ({ scripts: { click: script('secondTick', actions) } });
const crateEntity = { function: 'getDebrisVariable', debrisId: '12' };

function yard(objects: readonly Json[] = [crate], data: Json = {}, options = {}): Play {
  return play(
    {
      map: map(objects),
      unitTypes: { unit: unitType({ bodies: { default: body({ collidesWith: { debris: true } }) } }) },
      ...data,
    },
    options,
  );
}

const place = (game: Play, id = 'd1') => {
  const row = rowOf(game.entity(id));
  const { x, y, angle } = game.world.components.transform;
  return { x: Math.round(x[row]!), y: Math.round(y[row]!), angle: Number(angle[row]!.toFixed(3)) };
};
const push = (game: Play, x: number, y: number): void => game.game.physics.setVelocity(game.entity('d1'), x, y);

describe('debris of the map', () => {
  test('has the position and angle of the map, and is neither a unit nor an item', () => {
    const game = yard([crate, { ...crate, id: 13, x: '300', y: 200, rotation: '90' }]);
    game.ticks(5);
    expect(place(game)).toEqual({ x: 500, y: 500, angle: 0 });
    expect(place(game, 'd2')).toEqual({ x: 300, y: 200, angle: 1.571 });
    expect(game.sim.entities('debris')).toHaveLength(2);
    expect(game.sim.entities('unit')).toHaveLength(0);
    expect(game.faults()).toEqual([]);
  });

  test.each([
    [{}, 1],
    [{ density: '3' }, 3],
    [{ density: '0' }, 1],
  ])('with %j weighs by its density', (more, density) => {
    const game = yard([{ ...crate, ...more }]);
    game.ticks(2);
    expect(game.game.physics.massOf(game.entity('d1'))).toBeCloseTo(((60 * 40) / 900) * density, 6);
  });

  test('can be pushed, slows down, comes to rest, and stops at walls', () => {
    const game = yard();
    game.ticks(2);
    push(game, 60, 0);
    game.seconds(3);
    const { x, y } = place(game);
    // The wall begins at 960.
    expect(x).toBeGreaterThan(600);
    expect(x).toBeLessThanOrEqual(931);
    expect(y).toBe(500);
    expect(game.game.physics.isAwake(game.entity('d1'))).toBe(false);
  });

  test('that is static does not move', () => {
    const game = yard([{ ...crate, type: 'static' }]);
    game.ticks(2);
    push(game, 60, 0);
    game.seconds(1);
    expect(place(game)).toEqual({ x: 500, y: 500, angle: 0 });
  });

  test.each([
    [true, true],
    [false, false],
  ])('blocks units that collide with debris: %s', (debris, held) => {
    const unit = unitType({ bodies: { default: body({ collidesWith: { debris } }) } });
    const made = play(
      {
        map: map([{ ...crate, type: 'static' }]),
        unitTypes: { unit },
        scripts: {
          start: script('gameStart', [
            createUnitAt('unit', { function: 'computerPlayer', number: 1 }, { x: 400, y: 500 }),
            { type: 'setVelocityOfEntityXY', entity: { function: 'getLastCreatedUnit' }, velocity: { x: 10, y: 0 } },
          ]),
        },
      },
      {},
    );
    made.seconds(2);
    expect(place(made, 'u1').x < 500).toBe(held);
    expect(made.of('unitTouchesDebris').length > 0).toBe(held);
  });

  test('does not exist in moddio', () => {
    expect(yard([crate], {}, { dialect: 'moddio' }).sim.entities('debris')).toEqual([]);
  });
});

describe('scripts can', () => {
  test('move debris and reset its position', () => {
    const game = yard([{ ...crate, rotation: 90 }], {
      variables: { home: { dataType: 'boolean', default: false } },
      scripts: {
        away: script('gameStart', [{ type: 'moveDebris', entity: crateEntity, position: { x: 200, y: 300 } }]),
        home: script('playerJoinsGame', [{ type: 'resetDebrisPosition', entity: crateEntity }]),
      },
    });
    game.ticks(3);
    expect(place(game)).toEqual({ x: 200, y: 300, angle: 1.571 });
    game.game.physics.turnTo(game.entity('d1'), 0.5);
    game.ticks(1);
    game.sim.join();
    game.ticks(2);
    expect(place(game)).toEqual({ x: 500, y: 500, angle: 1.571 });
  });

  test('loop over all debris', () => {
    const each = {
      type: 'forAllDebris',
      debrisGroup: { function: 'allDebris' },
      actions: [{ type: 'moveDebris', entity: { function: 'selectedDebris' }, position: { x: 100, y: 100 } }],
    };
    const game = yard([crate, { ...crate, id: 13, x: 700 }], run(each));
    game.seconds(1);
    expect([place(game, 'd1').x, place(game, 'd2').x]).toEqual([100, 100]);
    expect(game.faults()).toEqual([]);
  });

  test('tell which debris was touched', () => {
    const game = yard([crate, { ...crate, id: 13, x: 900 }], {
      variables: { told: { dataType: 'string' }, last: { dataType: 'string' }, other: { dataType: 'string' } },
      scripts: {
        touched: script(
          'unitTouchesDebris',
          Object.entries({
            told: { function: 'getTriggeringDebris' },
            last: { function: 'getLastTouchedDebris' },
            other: { function: 'getDebrisVariable', debrisId: '13' },
          }).map(([variableName, entity]) => setVariable(variableName, { function: 'getEntityId', entity })),
        ),
        start: script('gameStart', [
          createUnitAt('unit', { function: 'computerPlayer', number: 1 }, { x: 510, y: 505 }),
        ]),
      },
    });
    game.ticks(4);
    expect(['told', 'last', 'other'].map((name) => game.variable(name))).toEqual(['d1', 'd1', 'd2']);
  });

  test('hide, show and destroy debris', () => {
    const act = (type: string) => {
      const one = yard([crate], { scripts: { start: script('gameStart', [{ type, entity: crateEntity }]) } });
      one.ticks(3);
      return one;
    };
    const hasBody = (one: Play) => one.game.physics.hasBody(one.entity('d1'));
    expect(hasBody(act('hideEntity'))).toBe(false);
    expect(hasBody(act('showEntity'))).toBe(true);
    expect(act('destroyEntity').sim.entities('debris')).toEqual([]);
  });
});

test('a snapshot contains debris', () => {
  const data = { map: map([crate]) };
  const game = load(data);
  const sim = new Simulation(game, { seed: 1 });
  sim.run({ ticks: 3 });
  const copy = Simulation.restore(game, sim.snapshot());
  expect(copy.hash()).toBe(sim.hash());
  sim.run({ ticks: 20 });
  copy.run({ ticks: 20 });
  expect(copy.hash()).toBe(sim.hash());
});

test.each([
  [true, 0],
  [false, 1],
])('a projectile is destroyed on contact with debris if its type says so: %s', (debris, left) => {
  const ball = {
    name: 'ball',
    states: { default: { name: 'default', body: 'default' } },
    bodies: { default: body({ width: 10, height: 10, collidesWith: { debris: true } }) },
    destroyOnContactWith: { debris },
  };
  const fire = {
    type: 'createProjectileAtPosition',
    projectileType: 'ball',
    position: { x: 500, y: 500 },
    force: 0,
    angle: 0,
  };
  const game = yard([crate], { projectileTypes: { ball }, scripts: { start: script('gameStart', [fire]) } });
  game.ticks(4);
  expect(game.of('projectileTouchesDebris').length).toBeGreaterThan(0);
  expect(game.sim.entities('projectile')).toHaveLength(left);
});
