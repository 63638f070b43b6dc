import { describe, expect, test } from 'vitest';
import { useOnce } from '../../../engine/rules/items/use.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import {
  attribute,
  body,
  held,
  itemType,
  type Play,
  type PlayOptions,
  play,
  projectileType,
  script,
  unitType,
} from '../../support/play.ts';

type Json = Record<string, unknown>;

const quarter = Math.PI / 2;

const gun: Json = {
  type: 'weapon',
  isGun: true,
  bulletType: 'projectile',
  projectileType: 'bullet',
  bulletForce: 12,
  bulletStartPosition: { x: 5, y: 40 },
  bodies: { dropped: body({ width: 20, height: 20 }), selected: held() },
};

/** Units that neither turn by themselves nor are pushed around. */
const still = unitType({ controls: {}, bodies: { default: body({ fixedRotation: false, linearDamping: 6 }) } });

interface Shooting {
  readonly weapon?: Json;
  readonly bullet?: Json;
  readonly facing?: number;
  readonly aim?: number;
  readonly flip?: number;
  readonly unit?: Json;
}

/** A unit at 640, 640 with a weapon in its hand that is about to be used. */
function armed({ weapon = gun, bullet = {}, facing = 0, aim = Number.NaN, flip = 0, unit: more = {} }: Shooting): {
  game: Play;
  unit: Entity;
  item: Entity;
} {
  const game = play({
    unitTypes: { unit: { ...still, ...more }, dummy: still },
    itemTypes: { weapon: itemType(weapon) },
    projectileTypes: {
      bullet: projectileType({
        bodies: { default: body({ width: 10, height: 10, fixedRotation: false, collidesWith: {} }) },
        ...bullet,
      }),
    },
  });
  const unit = game.unit({ angle: facing });
  const item = game.give(unit, 'weapon');
  game.ticks(2);
  game.world.components.facing.angle[rowOf(unit)] = aim;
  game.world.components.facing.flip[rowOf(unit)] = flip;
  useOnce(game.game, item);
  return { game, unit, item };
}

function bulletOf(game: Play): { x: number; y: number; angle: number; vx: number; vy: number } {
  const bullet = game.entity('b1');
  const row = rowOf(bullet);
  const { x, y, angle } = game.world.components.transform;
  const { physics } = game.game;
  const round = (value: number) => Math.round(value * 1e6) / 1e6 + 0;
  return {
    x: round(x[row]! - 640),
    y: round(y[row]! - 640),
    angle: round(angle[row]!),
    vx: round(physics.velocityX(bullet)),
    vy: round(physics.velocityY(bullet)),
  };
}

describe('a gun', () => {
  const loose = {
    ...gun,
    bodies: { selected: held({ jointType: 'none' }) },
    controls: { mouseBehaviour: { rotateToFaceMouseCursor: true } },
  };
  /**
   * Where the bullet starts, relative to the unit, and its direction. The anchor is at 20 px, the muzzle 40 px further
   * and 5 px to the side.
   */
  const shots: readonly [about: string, shooting: Shooting, x: number, y: number, vx: number, vy: number][] = [
    ['that points up', {}, 5, -60, 0, -12],
    ['that points right', { facing: quarter }, 60, 5, 12, 0],
    ['that points down', { facing: 2 * quarter }, -5, 60, 0, 12],
    ['that points left', { facing: -quarter }, -60, -5, -12, 0],
    ['welded to a unit that aims elsewhere', { aim: quarter }, 5, -60, 0, -12],
    ['that follows the aim', { weapon: loose, aim: quarter }, 40, -15, 12, 0],
    ['of a mirrored unit, welded: mirrors position and muzzle', { flip: 1 }, -5, 20, 0, -12],
    ['of a mirrored unit, not welded: mirrors the side only', { weapon: loose, aim: quarter, flip: 1 }, 40, -25, 12, 0],
    ['without a body', { weapon: { ...gun, bodies: {} }, facing: quarter }, 40, 5, 12, 0],
    [
      'with a body of the type `none`',
      { weapon: { ...gun, bodies: { selected: { type: 'none', unitAnchor: { x: 0, y: 20 } } } }, facing: quarter },
      60,
      5,
      12,
      0,
    ],
  ];
  test.each(shots)('%s', (_about, shooting, x, y, vx, vy) => {
    const { game } = armed(shooting);
    game.ticks(1);
    const angle = Math.atan2(vx, -vy);
    expect(bulletOf(game)).toMatchObject({ x, y, angle: expect.closeTo(angle, 5) });
    game.ticks(1);
    expect(bulletOf(game)).toMatchObject({ vx, vy });
  });

  test('without a projectile type of the game fires its inline projectile', () => {
    const { projectileType: _, ...rest } = gun;
    const inline = projectileType({
      name: 'pebble',
      bodies: { default: body({ width: 4, height: 4, collidesWith: {} }) },
      attributes: { fuse: attribute(3) },
      variables: { mark: { dataType: 'number', default: 7 } },
      scripts: { born: script('entityCreated', [{ type: 'setVariable', variableName: 'born', value: true }]) },
    });
    for (const named of [{}, { projectileType: 'spark' }]) {
      const game = play(
        {
          unitTypes: { unit: still },
          variables: { born: { dataType: 'boolean', default: false } },
          itemTypes: { weapon: itemType({ ...rest, ...named, defaultProjectile: inline }) },
          projectileTypes: { other: projectileType() },
        },
        {},
      );
      useOnce(game.game, game.give(game.unit(), 'weapon'));
      game.ticks(2);
      const bullet = game.entity('b1');
      expect(game.world.components.transform.width[rowOf(bullet)]).toBe(4);
      expect(game.attribute('b1', 'fuse')).toBe(3);
      expect(game.variable('born')).toBe(true);
      expect(game.faults()).toEqual([]);
      const copy = game.sim.fork();
      copy.run({ ticks: 5 });
      game.ticks(5);
      expect(copy.hash()).toBe(game.sim.hash());
    }
  });

  test('prefers its projectile type to an inline projectile', () => {
    const { game } = armed({ weapon: { ...gun, defaultProjectile: projectileType({ name: 'pebble' }) } });
    game.ticks(1);
    expect(game.world.types.projectile.list[game.world.components.identity.type[rowOf(game.entity('b1'))]!]!.key).toBe(
      'bullet',
    );
  });

  const flights: readonly [about: string, weapon: Json, bullet: Json, dialect: 'standard' | 'moddio', far: boolean][] =
    [
      ["as far as its gun's `bulletDistance`", { bulletDistance: 200 }, {}, 'standard', false],
      ['without limit if its gun has no `bulletDistance`', {}, {}, 'standard', true],
      ['as long as its own life span, if it has one', { bulletDistance: 200 }, { lifeSpan: 60_000 }, 'standard', true],
      ['without limit in moddio', { bulletDistance: 200 }, {}, 'moddio', true],
    ];
  test.each(flights)('fires a projectile that flies %s', (_about, weapon, bullet, dialect, far) => {
    const game = play(
      {
        unitTypes: { unit: still },
        itemTypes: { weapon: itemType({ ...gun, ...weapon }) },
        projectileTypes: { bullet: projectileType({ bodies: { default: body({ collidesWith: {} }) }, ...bullet }) },
      },
      { dialect },
    );
    const item = game.give(game.unit(), 'weapon');
    game.ticks(2);
    useOnce(game.game, item);
    // 18 px a tick from the second tick on.
    game.ticks(12);
    const found = game.entity('b1');
    game.ticks(4);
    expect(game.world.exists(found)).toBe(far);
    if (!far) expect(game.of('initEntityDestroy')).toHaveLength(1);
  });

  test('fires a projectile that starts moving after one tick', () => {
    const { game } = armed({ facing: quarter });
    game.ticks(1);
    const bullet = game.entity('b1');
    expect(bulletOf(game)).toMatchObject({ x: 60, vx: 0 });
    expect(game.game.physics.bodyX(bullet)).toBeCloseTo(700, 6);
    game.ticks(1);
    // 12 units of 30 px a second, at 20 ticks: 18 px each.
    expect(game.game.physics.bodyX(bullet)).toBeCloseTo(718, 6);
    // Scripts see it one step late.
    expect(bulletOf(game)).toMatchObject({ x: 60, vx: 12 });
    game.ticks(1);
    expect(bulletOf(game).x).toBe(78);
  });

  const deployments: readonly [how: string | undefined, vx: number][] = [
    [undefined, 12],
    ['setVelocity', 12],
    // A box of 10 px and density 1 weighs a ninth of a kilogram; one step is a twentieth of a second.
    ['applyForce', 12 * 9 * 0.05],
    ['applyImpulse', 12 * 9],
  ];
  test.each(deployments)('deploys its projectile by %s', (deployMethod, vx) => {
    const { game } = armed({ weapon: { ...gun, deployMethod }, facing: quarter });
    game.ticks(2);
    expect(bulletOf(game).vx).toBeCloseTo(vx, 4);
  });

  const duds: readonly [about: string, weapon: Json][] = [
    ['without a start position', { ...gun, bulletStartPosition: undefined }],
    ['with a projectile type built into clients', { ...gun, projectileType: 'constantSpeed' }],
    ['without a projectile', { ...gun, projectileType: '' }],
  ];
  test.each(duds)('%s fires nothing, but counts as used', (_about, weapon) => {
    const { game, item } = armed({ weapon: { ...weapon, quantity: 3 } });
    game.ticks(1);
    expect(game.of('itemIsUsed').length).toBe(1);
    expect(game.of('entityCreatedGlobal').map(({ payload }) => payload['entity'])).not.toContain('b1');
    expect(game.quantity(item)).toBe(2);
  });

  test('records source unit and item, and sets the last created projectile after its triggers', () => {
    const { game, unit, item } = armed({});
    const seen: unknown[] = [];
    game.sim.observe((type) => {
      if (type === 'entityCreated') seen.push(game.id(game.world.memory.last.createdProjectile));
    });
    game.ticks(1);
    const bullet = game.entity('b1');
    expect(game.world.components.identity.owner[rowOf(bullet)]).toBe(unit);
    expect(game.world.components.projectile[rowOf(bullet)]!.sourceItem).toBe(item);
    expect(seen).toEqual([undefined]);
    expect(game.id(game.world.memory.last.createdProjectile)).toBe('b1');
  });

  test('pushes its holder back by its recoil', () => {
    const { game, unit } = armed({ weapon: { ...gun, recoilForce: 100 }, facing: quarter });
    game.ticks(1);
    expect(game.game.physics.velocityX(unit)).toBeLessThan(-1);
    expect(game.game.physics.velocityY(unit)).toBeCloseTo(0, 6);
  });

  test('applies recoil against the direction that its holder faces', () => {
    const { game, unit } = armed({ weapon: { ...loose, recoilForce: 100 }, facing: quarter, aim: 0.001 });
    game.ticks(1);
    expect(game.game.physics.velocityX(unit)).toBeLessThan(-1);
    expect(game.game.physics.velocityY(unit)).toBeCloseTo(0, 6);
  });

  test('without a body keeps its own angle', () => {
    const { game, unit } = armed({ weapon: { ...gun, bodies: {} }, facing: quarter });
    game.game.physics.turnTo(unit, 0);
    game.ticks(1);
    expect(bulletOf(game)).toMatchObject({ x: 40, y: 5, angle: expect.closeTo(quarter, 5) });
  });

  test('with a body of its own takes its recoil itself', () => {
    const solid = body({
      width: 20,
      height: 20,
      fixedRotation: false,
      collidesWith: {},
      unitAnchor: { x: 0, y: 20 },
      jointType: 'weldJoint',
    });
    const { game, unit, item } = armed({ weapon: { ...gun, recoilForce: 100, bodies: { selected: solid } } });
    game.ticks(1);
    expect(game.game.physics.velocityY(unit)).toBe(0);
    expect(game.game.physics.velocityY(item)).toBeGreaterThan(1);
  });
});

describe('a raycast gun', () => {
  const ray: Json = {
    ...gun,
    bulletType: 'raycast',
    bulletDistance: 300,
    damage: { unitAttributes: { health: 10 } },
    bulletStartPosition: { x: 0, y: 35 },
  };

  /** A unit at 640, 640 that faces right, dummies of another player at the given x. */
  function shoot(weapon: Json, at: readonly number[], walls: readonly number[] = []): Play {
    const cells = new Array<number>(400).fill(0);
    for (const cell of walls) cells[cell] = 1;
    const game = play({
      unitTypes: { unit: still },
      itemTypes: { weapon: itemType(weapon) },
      map: {
        width: 20,
        height: 20,
        tilewidth: 64,
        tileheight: 64,
        layers: [{ name: 'walls', type: 'tilelayer', width: 20, height: 20, data: cells }],
        tilesets: [],
      },
    });
    const unit = game.unit({ angle: quarter });
    const item = game.give(unit, 'weapon');
    for (const x of at) game.unit({ owner: game.player(2, 'foe'), x });
    game.ticks(2);
    useOnce(game.game, item);
    game.ticks(1);
    return game;
  }
  const health = (game: Play, ...ids: string[]) => ids.map((id) => game.attribute(id, 'health'));

  test('hits the first unit in its path', () => {
    const game = shoot(ray, [760, 860]);
    expect(health(game, 'u2', 'u3')).toEqual([90, 100]);
    expect(game.world.memory.lastRaycast.map(game.id)).toEqual(['u2']);
    expect(game.of('raycastItemFired').length).toBe(1);
    expect(game.of('raycastItemFired')[0]!.payload).toEqual({ item: 'i1', unit: 'u1' });
  });

  test('reaches as far as its `bulletDistance`', () => {
    // From x 695 (20 px to the anchor, 35 px to the muzzle) over 300 px; the dummies are 40 px wide.
    expect(health(shoot(ray, [1014]), 'u2')).toEqual([90]);
    expect(health(shoot(ray, [1016]), 'u2')).toEqual([100]);
    expect(health(shoot({ ...ray, bulletDistance: undefined }, [760]), 'u2')).toEqual([100]);
  });

  test('is stopped by walls', () => {
    const game = shoot(ray, [860], [10 * 20 + 12]);
    expect(health(game, 'u2')).toEqual([100]);
    expect(game.world.memory.lastRaycast.length).toBe(1);
    expect(game.of('raycastItemFired').length).toBe(1);
  });

  test('hits nothing when it starts inside a unit', () => {
    const game = shoot({ ...ray, bulletStartPosition: { x: 0, y: -10 } }, [760]);
    expect(health(game, 'u2')).toEqual([100]);
    expect(game.of('raycastItemFired').length).toBe(1);
  });

  test('starts at the muzzle, even inside its target', () => {
    expect(health(shoot(ray, [700]), 'u2')).toEqual([100]);
    expect(health(shoot({ ...ray, bodies: { selected: held({ unitAnchor: { x: 0, y: 0 } }) } }, [700]), 'u2')).toEqual([
      90,
    ]);
  });

  test('of a solid item starts at the item, in the direction that the unit faces', () => {
    const solid = body({ width: 10, height: 10, collidesWith: {}, unitAnchor: { x: 0, y: 50 } });
    const muzzle = { bulletStartPosition: { x: 0, y: 0 } };
    // The ray starts at x 690, the centre of the item; in the other cases at the muzzle, 35 px further.
    expect(health(shoot({ ...ray, ...muzzle, bodies: { selected: solid } }, [1008]), 'u2')).toEqual([90]);
    expect(health(shoot({ ...ray, bodies: { selected: solid } }, [1044]), 'u2')).toEqual([90]);
    expect(health(shoot({ ...ray, bodies: { selected: solid } }, [1046]), 'u2')).toEqual([100]);
  });

  test('that penetrates passes units, but not walls', () => {
    const game = shoot({ ...ray, penetration: true }, [760, 820, 960], [10 * 20 + 14]);
    expect(health(game, 'u2', 'u3', 'u4')).toEqual([90, 90, 100]);
  });
});

describe('a melee weapon', () => {
  const club: Json = {
    type: 'weapon',
    damage: { unitAttributes: { health: 7 } },
    damageHitBox: { width: 50, height: 10, offsetX: 0, offsetY: 50 },
  };

  function strike(
    weapon: Json,
    at: readonly (readonly [x: number, y: number])[],
    aim = quarter,
    options: PlayOptions = {},
  ): Play {
    const data = {
      unitTypes: { unit: still, plant: { ...still, attributes: { age: attribute(3) } } },
      itemTypes: { weapon: itemType(weapon) },
    };
    const game = play(data, options);
    const unit = game.unit();
    const item = game.give(unit, 'weapon');
    for (const [x, y] of at) game.unit({ owner: game.player(2, 'foe'), x: 640 + x, y: 640 + y });
    game.ticks(2);
    game.world.components.facing.angle[rowOf(unit)] = aim;
    useOnce(game.game, item);
    game.ticks(1);
    return game;
  }
  const health = (game: Play, count: number) =>
    Array.from({ length: count }, (_, i) => game.attribute(`u${i + 2}`, 'health'));

  test('hits everything in the square in front of its unit once', () => {
    // The square reaches from 0 to 100 px to the right and 50 px up and down; units are 40 px wide.
    const game = strike(club, [
      [50, 60],
      [110, -45],
      [121, 0],
      [50, 75],
      [-30, 0],
    ]);
    expect(health(game, 5)).toEqual([93, 93, 100, 100, 100]);
    expect(game.of('unitAttacksUnit').length).toBe(2);
  });

  test('hits where the unit aims, and upwards if it has never aimed', () => {
    expect(health(strike(club, [[-60, 0]], -quarter), 1)).toEqual([93]);
    expect(health(strike(club, [[0, -80]], Number.NaN), 1)).toEqual([93]);
  });

  test('without a hit box or damage hits nothing', () => {
    expect(health(strike({ ...club, damageHitBox: undefined }, [[50, 0]]), 1)).toEqual([100]);
    const harmless = strike({ ...club, damage: undefined }, [[50, 0]]);
    expect(harmless.of('unitAttacksUnit').length).toBe(0);
  });

  test('reads a bare number as damage to health', () => {
    expect(health(strike({ ...club, damage: 12 }, [[50, 60]]), 1)).toEqual([88]);
  });

  test('hits without harm in moddio if its damage is a bare number', () => {
    const game = strike({ ...club, damage: 12 }, [[50, 60]], quarter, { dialect: 'moddio' });
    expect(health(game, 1)).toEqual([100]);
    expect(game.of('unitAttacksUnit').length).toBe(1);
  });

  test('applies its knockback', () => {
    const game = strike({ ...club, knockbackForce: 200 }, [[90, 0]]);
    expect(game.game.physics.velocityX(game.entity('u2'))).toBeGreaterThan(1);
  });

  test('in moddio has no knockback and no delay', () => {
    const weapon = itemType({ ...club, knockbackForce: 200, damageDelay: 100, delayBeforeUse: 100 });
    const game = play({ unitTypes: { unit: still }, itemTypes: { weapon } }, { dialect: 'moddio' });
    const item = game.give(game.unit(), 'weapon');
    const target = game.unit({ owner: game.player(2, 'foe'), x: 690, y: 640 });
    game.ticks(2);
    game.world.components.facing.angle[rowOf(game.entity('u1'))] = quarter;
    useOnce(game.game, item);
    game.ticks(1);
    expect(game.attribute('u2', 'health')).toBe(93);
    expect(game.game.physics.velocityX(target)).toBe(0);
  });

  test('with a damage delay hits where the unit is then', () => {
    const game = strike({ ...club, damageDelay: 100 }, [[50, 60]]);
    expect(health(game, 1)).toEqual([100]);
    game.ticks(2);
    expect(health(game, 1)).toEqual([93]);
  });
});
