import { describe, expect, test } from 'vitest';
import type { Damage } from '../../../engine/components/projectile.ts';
import { createProjectile } from '../../../engine/rules/combat/projectile.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import { setVariable } from '../../support/actions.ts';
import { attribute, body, itemType, type Play, play, projectileType, script, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

/** A projectile that flies right from 500, 640 at 12 units per second, which is 18 px per tick. */
function fly(game: Play, more: Partial<Parameters<typeof createProjectile>[1]> = {}): Entity {
  return createProjectile(game.game, {
    type: 'bullet',
    x: 500,
    y: 640,
    angle: Math.PI / 2,
    launch: { how: 'setVelocity', x: 12, y: 0 },
    ...more,
  });
}

describe('by a projectile', () => {
  test('starts with the attributes and the default state of its type, without firing a state trigger', () => {
    const game = play({
      projectileTypes: {
        bullet: projectileType({
          attributes: { fuse: attribute(3) },
          states: { odd: {}, start: { name: 'default', body: 'default' } },
        }),
      },
    });
    const bullet = fly(game);
    expect(game.attribute('b1', 'fuse')).toBe(3);
    expect(game.world.types.projectile.list[0]!.states[game.world.components.identity.state[rowOf(bullet)]!]!.key).toBe(
      'start',
    );
    expect(game.of('entityStateChanged').length).toBe(0);
  });

  test.each(['standard', 'moddio'] as const)(
    'faces the way it was shot, or up if its body cannot turn, in %s',
    (dialect) => {
      const still = projectileType({ bodies: { default: body({ fixedRotation: true }) } });
      const game = play({ projectileTypes: { bullet: projectileType(), still } }, { dialect });
      fly(game);
      fly(game, { type: 'still', y: 300 });
      game.ticks(3);
      const shown = game.sim.view().projectiles.map(({ type, x, y, angle }) => {
        return { type, x: Math.round(x), y: Math.round(y), degrees: Math.round((angle * 180) / Math.PI) };
      });
      expect(shown).toEqual([
        { type: 'bullet', x: 518, y: 640, degrees: 90 },
        { type: 'still', x: 518, y: 300, degrees: 0 },
      ]);
    },
  );

  const lives: readonly [about: string, type: Json, ticks: number | undefined][] = [
    ['its life span', { lifeSpan: 400 }, 8],
    ['its destroy timer where it has no life span', { destroyTimer: 400 }, 8],
    ['its life span where it has both', { lifeSpan: 600, destroyTimer: 400 }, 12],
    ['its explosive timer where it has neither', { explosiveTimer: 400 }, 8],
    ['the shorter of its two timers', { destroyTimer: 600, explosiveTimer: 400 }, 8],
    ['ever where its life span says so', { lifeSpan: null, destroyTimer: 400, explosiveTimer: 400 }, undefined],
    ['ever where nothing is said', {}, undefined],
  ];
  test.each(lives)('lives for %s', (_about, type, ticks) => {
    const game = play({ projectileTypes: { bullet: projectileType({ ...type, bodies: {} }) } });
    const bullet = fly(game);
    game.ticks((ticks ?? 100) - 1);
    expect(game.world.exists(bullet)).toBe(true);
    game.ticks(1);
    expect(game.world.exists(bullet)).toBe(ticks === undefined);
  });

  test('lives for ever without a life span in moddio, which ignores other timers', () => {
    const type = projectileType({ destroyTimer: 400, explosiveTimer: 400, bodies: {} });
    const game = play({ projectileTypes: { bullet: type } }, { dialect: 'moddio' });
    const bullet = fly(game);
    game.ticks(40);
    expect(game.world.exists(bullet)).toBe(true);
  });

  test('of an unknown type is not created, which is a fault', () => {
    const game = play();
    expect(createProjectile(game.game, { type: 'nothing', x: 1, y: 1, angle: 0 })).toBe(0);
    expect(game.faults().map(({ code }) => code)).toEqual(['no-such-type']);
  });

  test('at a position that is not finite is not created, which is a fault', () => {
    const game = play({ projectileTypes: { bullet: projectileType() } });
    expect(createProjectile(game.game, { type: 'bullet', x: Number.NaN, y: 1, angle: 0 })).toBe(0);
    expect(game.faults().map(({ code }) => code)).toEqual(['not-finite']);
  });
});

function damage(game: Play, source: Entity): Damage {
  return {
    targetsAffected: ['hostile'],
    unitAttributes: new Map([['health', 10]]),
    playerAttributes: new Map(),
    sourceUnit: source,
    sourceItem: 0,
    sourcePlayer: game.player(1),
    knockbackForce: 0,
  };
}

const still = unitType({ controls: {}, bodies: { default: body({ type: 'static' }) } });
const passes = { units: true, items: true, projectiles: true, walls: true };
/** Its contacts fire triggers but do not stop it. */
const ghost = body({
  width: 10,
  height: 10,
  collidesWith: passes,
  fixtures: [{ density: 1, isSensor: true, shape: { type: 'rectangle' } }],
});

describe('a projectile that touches a unit', () => {
  test('damages it before scripts hear of the contact', () => {
    const game = play({
      variables: { seen: { dataType: 'number' } },
      unitTypes: { unit: still },
      projectileTypes: { bullet: projectileType() },
      scripts: {
        s: script('unitTouchesProjectile', [
          setVariable('seen', {
            function: 'getEntityAttribute',
            attribute: 'health',
            entity: { function: 'getTriggeringUnit' },
          }),
        ]),
      },
    });
    const shooter = game.unit({ x: 300 });
    game.unit({ owner: game.player(2, 'foe'), x: 600 });
    fly(game, { damage: damage(game, shooter), sourceUnit: shooter });
    game.ticks(12);
    expect(game.attribute('u2', 'health')).toBe(90);
    expect(game.variable('seen')).toBe(90);
  });

  test('damages each unit that it flies through once', () => {
    const game = play({
      unitTypes: { unit: still },
      projectileTypes: { bullet: projectileType({ bodies: { default: ghost } }) },
    });
    const shooter = game.unit({ x: 300 });
    for (const x of [600, 700]) game.unit({ owner: game.player(2, 'foe'), x });
    fly(game, { damage: damage(game, shooter), sourceUnit: shooter });
    game.ticks(20);
    expect([game.attribute('u2', 'health'), game.attribute('u3', 'health')]).toEqual([90, 90]);
  });

  test('fires a trigger, but changes no attribute, if it has no damage', () => {
    const game = play({ unitTypes: { unit: still }, projectileTypes: { bullet: projectileType() } });
    game.unit({ owner: game.player(2, 'foe'), x: 600 });
    fly(game);
    game.ticks(12);
    expect(game.attribute('u1', 'health')).toBe(100);
    expect(game.of('unitTouchesProjectile').length).toBe(1);
  });
});

describe('destroyOnContactWith', () => {
  const wallAt = 11;
  /** One projectile and one obstacle 100 px ahead of it: does the projectile end there? */
  function ends(
    obstacle: 'foe' | 'friend' | 'source' | 'item' | 'projectile' | 'wall',
    type: Json,
    {
      dialect = 'standard',
      armed = true,
      penetrates = false,
    }: { dialect?: 'standard' | 'moddio'; armed?: boolean; penetrates?: boolean } = {},
  ): boolean {
    const cells = new Array<number>(400).fill(0);
    if (obstacle === 'wall') cells[10 * 20 + wallAt - 2] = 1;
    const layer = { name: 'walls', type: 'tilelayer', width: 20, height: 20, data: cells };
    const game = play(
      {
        map: { width: 20, height: 20, tilewidth: 64, tileheight: 64, layers: [layer], tilesets: [] },
        unitTypes: { unit: still },
        itemTypes: { rock: itemType({ bodies: { dropped: body({ type: 'static', width: 20, height: 20 }) } }) },
        projectileTypes: {
          bullet: projectileType({ bodies: { default: ghost }, ...type }),
          blob: projectileType({ bodies: { default: body({ type: 'static' }) } }),
        },
      },
      { dialect },
    );
    const shooter = game.unit(obstacle === 'source' ? { x: 600 } : { x: 300, y: 300 });
    if (obstacle === 'foe') game.unit({ owner: game.player(2, 'foe'), x: 600 });
    if (obstacle === 'friend') game.unit({ owner: game.player(2, 'ally'), x: 600 });
    if (obstacle === 'item') game.item('rock', { x: 600, y: 640 });
    if (obstacle === 'projectile') createProjectile(game.game, { type: 'blob', x: 600, y: 640, angle: 0 });
    const bullet = fly(game, { sourceUnit: shooter, penetrates, ...(armed ? { damage: damage(game, shooter) } : {}) });
    game.ticks(14);
    expect(
      game.announced.some(({ type: fired }) => fired.startsWith('projectileTouches')),
      'it met the obstacle',
    ).toBe(true);
    return !game.world.exists(bullet);
  }

  const everything = { destroyOnContactWith: { units: true, items: true, projectiles: true, walls: true } };
  const cases: readonly [
    about: string,
    obstacle: Parameters<typeof ends>[0],
    type: Json,
    options: Parameters<typeof ends>[2],
    ends: boolean,
  ][] = [
    ['by a unit it damages', 'foe', everything, {}, true],
    ['not by a unit that it may not damage', 'friend', everything, {}, false],
    ['by any unit, if it does no damage', 'friend', everything, { armed: false }, true],
    ['not by its source', 'source', everything, { armed: false }, false],
    ['not by a unit, if it penetrates', 'foe', everything, { penetrates: true }, false],
    ['by an item', 'item', everything, {}, true],
    ['by a projectile', 'projectile', everything, {}, true],
    ['by a wall', 'wall', everything, {}, true],
    ['not by a kind that is not listed', 'wall', { destroyOnContactWith: { units: true } }, {}, false],
    ['by nothing without `destroyOnContactWith`', 'foe', {}, {}, false],
  ];
  test.each(cases)('%s', (_about, obstacle, type, options, expected) => {
    expect(ends(obstacle, type, options)).toBe(expected);
  });

  test.each(['wall', 'foe', 'item', 'projectile'] as const)('applies in standard only: %s', (obstacle) => {
    expect([
      ends(obstacle, everything, { dialect: 'standard' }),
      ends(obstacle, everything, { dialect: 'moddio' }),
    ]).toEqual([true, false]);
  });

  const marked = { ...ghost, 'constantSpeed +DestroyedOnCollisionWithWall/unit': true };
  const says = { destroyOnContactWith: { units: false, items: false, projectiles: false, walls: false } };
  const byBody: readonly [
    about: string,
    obstacle: Parameters<typeof ends>[0],
    type: Json,
    standard: boolean,
    moddio: boolean,
  ][] = [
    ['by a wall', 'wall', { bodies: { default: marked } }, true, false],
    ['by a unit it damages', 'foe', { bodies: { default: marked } }, true, false],
    ['not by an item', 'item', { bodies: { default: marked } }, false, false],
    ['by nothing, if the type says so', 'wall', { bodies: { default: marked }, ...says }, false, false],
  ];
  test.each(byBody)('is implied by the flag of a body: %s', (_about, obstacle, type, standard, moddio) => {
    expect([ends(obstacle, type, { dialect: 'standard' }), ends(obstacle, type, { dialect: 'moddio' })]).toEqual([
      standard,
      moddio,
    ]);
  });

  test('a body with that flag flies at constant speed, unless `destroyOnContactWith` is given', () => {
    const slow = { ...marked, linearDamping: 5 };
    const speeds = [{ bodies: { default: slow } }, { bodies: { default: slow }, ...says }].map((type) => {
      const game = play({ projectileTypes: { bullet: projectileType(type) } });
      const bullet = fly(game);
      game.ticks(2);
      const first = game.game.physics.velocityX(bullet);
      game.ticks(4);
      return game.game.physics.velocityX(bullet) / first;
    });
    expect(speeds[0]).toBe(1);
    expect(speeds[1]).toBeLessThan(0.5);
  });
});
