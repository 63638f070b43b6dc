import { describe, expect, test } from 'vitest';
import { bodySpec } from '../../engine/physics/body.ts';
import { rowOf } from '../../engine/world/entity.ts';
import { bodyOf } from '../support/world.ts';
import { box, scene, tick } from './scene.ts';

describe('building and destroying bodies', () => {
  test('happens in the next update, at the current position of the entity', () => {
    const { physics, add, update, set } = scene();
    const unit = add('unit', box(), { x: 100, y: 100 });
    expect(physics.hasBody(unit)).toBe(false);
    set(unit, 'x', 300);
    update();
    expect(physics.hasBody(unit)).toBe(true);
    expect(physics.bodyX(unit)).toBeCloseTo(300, 9);
  });

  test('happens in the order of requests, of which the last one counts', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    physics.requestBody(unit, bodySpec(bodyOf(box({ width: 80 })), 'unit'));
    update();
    expect(physics.massOf(unit)).toBeCloseTo((80 * 40) / 900, 9);
    physics.requestBody(unit, bodySpec(bodyOf(box()), 'unit'));
    physics.requestBody(unit, undefined);
    update();
    expect(physics.hasBody(unit)).toBe(false);
  });

  test('gives a body at rest', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    update();
    physics.setVelocity(unit, 3, 4);
    update();
    physics.requestBody(unit, bodySpec(bodyOf(box()), 'unit'));
    update();
    expect([physics.velocityX(unit), physics.velocityY(unit)]).toEqual([0, 0]);
  });

  test('is skipped for a destroyed entity', () => {
    const { world, physics, add, update } = scene();
    const unit = add('unit', box());
    world.release(unit);
    physics.requestRemoval(unit);
    update();
    expect(physics.hasBody(unit)).toBe(false);
    expect(physics.queryArea(0, 0, 1280, 1280, [])).toBe(0);
  });

  test('lets the body of a destroyed entity collide until the next update, even if its row is reused', () => {
    const { world, physics, add, update, contacts } = scene();
    const first = add('unit', box());
    const other = add('unit', box(), { x: 660 });
    update();
    expect(contacts()).toEqual(['u1 + u2']);
    world.release(first);
    physics.requestRemoval(first);
    world.freeReleased(world.releasedCount, physics);
    const second = add('unit', box(), { x: 200 });
    expect(rowOf(second)).toBe(rowOf(first));
    expect([physics.hasBody(first), physics.hasBody(second)]).toEqual([true, false]);
    update();
    expect(contacts()).toEqual(['gone 1 - u2']);
    expect([physics.hasBody(first), physics.hasBody(second), physics.hasBody(other)]).toEqual([false, true, true]);
    expect(physics.bodyX(second)).toBeCloseTo(200, 9);
    update(5);
    expect(contacts()).toEqual([]);
    expect(physics.hasBody(second)).toBe(true);
  });

  test('leaves no body behind if a row is released without a removal', () => {
    const { world, physics, add, update } = scene();
    const unit = add('unit', box());
    update();
    world.release(unit);
    world.freeReleased(world.releasedCount, physics);
    update();
    expect(physics.hasBody(unit)).toBe(false);
    add('unit', box(), { x: 100, y: 100 });
    update();
    expect(physics.queryArea(0, 0, 1280, 1280, [])).toBe(1);
  });

  test('does not apply requests for a former entity of the row', () => {
    const { world, physics, add, update } = scene();
    const first = world.allocate('unit');
    physics.setVelocity(first, 9, 9);
    world.release(first);
    world.freeReleased(world.releasedCount, physics);
    const second = add('unit', box());
    update();
    physics.drainPending(second);
    expect(physics.velocityX(second)).toBe(0);
    physics.setVelocity(first, 9, 9);
    physics.moveTo(first, 1, 1);
    physics.turnTo(first, 1);
    update();
    expect([physics.velocityX(second), physics.bodyX(second), physics.bodyAngle(second)]).toEqual([0, 640, 0]);
  });
});

describe('the transform of an entity', () => {
  test('lags its body by one step', () => {
    const { physics, add, update, of } = scene();
    const unit = add('unit', box());
    update();
    physics.setVelocity(unit, 10, 0);
    update();
    expect(of(unit, 'x')).toBeCloseTo(640, 9);
    expect(physics.bodyX(unit)).toBeCloseTo(655, 9);
    update();
    expect(of(unit, 'x')).toBeCloseTo(655, 9);
  });

  test('of a hidden entity is left alone', () => {
    const { physics, add, update, of, set } = scene();
    const unit = add('unit', box());
    update();
    physics.setVelocity(unit, 10, 0);
    set(unit, 'hidden', 1);
    update(3);
    expect(of(unit, 'x')).toBeCloseTo(640, 9);
  });
});

describe('the movement vector', () => {
  const mass = (40 / 30) ** 2;
  test.each([
    { method: 0, speeds: [0, 0, 0] },
    { method: 1, speeds: [6, 6, 6] },
    { method: 2, speeds: [(6 * tick) / mass, (12 * tick) / mass, (18 * tick) / mass] },
    { method: 3, speeds: [6 / mass, 12 / mass, 18 / mass] },
  ])('by method $method', ({ method, speeds }) => {
    const { physics, add, update, set } = scene();
    const unit = add('unit', box());
    set(unit, 'moveMethod', method);
    set(unit, 'vectorX', 6);
    const measured = speeds.map(() => {
      update();
      return physics.velocityX(unit);
    });
    measured.forEach((speed, step) => {
      expect(speed).toBeCloseTo(speeds[step]!, 10);
    });
  });

  test('by velocity cancels what else moves the unit, and stops doing so when no key is held', () => {
    const { physics, add, update, set } = scene({ settings: { gravity: { x: 0, y: 10 } } });
    const unit = add('unit', box());
    set(unit, 'moveMethod', 1);
    set(unit, 'vectorX', 6);
    update(10);
    expect(physics.velocityY(unit)).toBeCloseTo(10 * tick, 12);
    set(unit, 'vectorX', 0);
    update();
    expect(physics.velocityY(unit)).toBeCloseTo(20 * tick, 12);
    expect(physics.velocityX(unit)).toBe(6);
  });

  test('that is not finite is refused', () => {
    const { world, physics, add, update, set } = scene();
    const unit = add('unit', box());
    set(unit, 'moveMethod', 1);
    set(unit, 'vectorX', Number.NaN);
    update(2);
    expect(physics.velocityX(unit)).toBe(0);
    expect(world.faults.list().map(({ code, count }) => [code, count])).toEqual([['not-finite', 2]]);
  });
});

describe('the boundary of the map', () => {
  const small = ['....', '....', '....'];

  test.each([
    { kind: 'unit', confined: undefined, held: true },
    { kind: 'item', confined: true, held: true },
    { kind: 'projectile', confined: true, held: true },
    { kind: 'unit', confined: false, held: false },
    { kind: 'debris', confined: true, held: false },
  ] as const)('holds a $kind (confined: $confined): $held', ({ kind, confined, held }) => {
    const { add, update, of, contacts } = scene({ plan: small });
    const entity = add(kind, box(), { x: 10, y: 300, ...(confined === undefined ? {} : { confined }) });
    update(2);
    expect([of(entity, 'x'), of(entity, 'y')]).toEqual(held ? [32, 160] : [10, 300]);
    expect(contacts().filter((line) => line.endsWith('outside'))).toHaveLength(held ? 1 : 0);
  });

  test.each([
    { x: -100, y: 96, to: [32, 96] },
    { x: 1000, y: 96, to: [224, 96] },
    { x: 96, y: -100, to: [96, 32] },
    { x: 96, y: 1000, to: [96, 160] },
    { x: -1, y: 1000, to: [32, 160] },
    { x: 32, y: 160, to: [32, 160] },
  ])('from $x, $y', ({ x, y, to }) => {
    const { physics, add, update, of } = scene({ plan: small });
    const unit = add('unit', box(), { x, y });
    update(2);
    expect([of(unit, 'x'), of(unit, 'y')]).toEqual(to);
    expect(physics.bodyX(unit)).toBeCloseTo(to[0]!, 9);
    expect(physics.bodyY(unit)).toBeCloseTo(to[1]!, 9);
  });

  test('is reported once, and again after an update inside', () => {
    const { physics, add, update, contacts } = scene({ plan: small });
    const unit = add('unit', box(), { x: 40, y: 96 });
    update();
    physics.setVelocity(unit, -4, 0);
    update(10);
    expect(contacts()).toEqual(['u1 outside']);
    physics.setVelocity(unit, 4, 0);
    update(3);
    physics.setVelocity(unit, -4, 0);
    update(10);
    expect(contacts()).toEqual(['u1 outside']);
  });

  test('does not change the velocity', () => {
    const { physics, add, update, of } = scene({ plan: small });
    const unit = add('unit', box(), { x: 40, y: 96 });
    update();
    physics.setVelocity(unit, -4, 1);
    update(4);
    expect([physics.velocityX(unit), physics.velocityY(unit)]).toEqual([-4, 1]);
    expect(of(unit, 'x')).toBe(32);
  });

  test('does not confine a teleport for one update', () => {
    const { physics, add, update, of, contacts } = scene({ plan: small });
    const unit = add('unit', box(), { x: 96, y: 96 });
    update();
    physics.teleportTo(unit, 500, 96);
    update();
    expect(of(unit, 'x')).toBe(500);
    expect(contacts()).toEqual(['u1 outside']);
    update();
    expect(of(unit, 'x')).toBe(224);
    expect(contacts()).toEqual([]);
  });

  test('lets a script of its trigger see the former position and move the entity', () => {
    const { physics, add, update, of, events } = scene({ plan: small });
    const unit = add('unit', box(), { x: 40, y: 96 });
    update();
    physics.setVelocity(unit, -10, 0);
    update();
    physics.hooks.outside = (entity) => {
      events.push(`was at ${of(entity, 'x')}`);
      physics.teleportTo(entity, 96, 120);
    };
    update();
    expect(events).toEqual(['was at 40']);
    expect([of(unit, 'x'), of(unit, 'y')]).toEqual([96, 120]);
    expect(physics.bodyY(unit)).toBeCloseTo(120, 9);
  });

  test("does not report an entity confined by another's movement in the same update", () => {
    const { world, physics, add, update, events } = scene({ plan: small });
    const older = add('unit', box(), { x: -50, y: 96 });
    add('unit', box(), { x: 500, y: 96 });
    physics.hooks.outside = (entity) => {
      events.push(world.ref(entity)?.id ?? 'gone');
      if (world.exists(older)) world.release(older);
    };
    update();
    expect(events.filter((line) => !line.includes('+'))).toEqual(['u2']);
  });

  test('does not exist without a map', () => {
    const { add, update, of } = scene({ plan: [] });
    const unit = add('unit', box(), { x: -100, y: -100 });
    update();
    expect(of(unit, 'x')).toBe(-100);
  });
});

describe('a teleport', () => {
  test('moves entity and body at once, and keeps the velocity', () => {
    const { physics, add, update, of } = scene();
    const unit = add('unit', box());
    update();
    physics.setVelocity(unit, 10, 0);
    physics.moveTo(unit, 200, 300);
    expect([of(unit, 'x'), of(unit, 'y')]).toEqual([200, 300]);
    expect(physics.bodyX(unit)).toBeCloseTo(200, 9);
    update();
    expect([of(unit, 'x'), of(unit, 'y')]).toEqual([200, 300]);
    expect(physics.bodyX(unit)).toBeCloseTo(215, 9);
    expect(physics.velocityX(unit)).toBe(10);
  });

  test("restores the body's angle in the next update, which reads nothing back", () => {
    const { physics, add, update, of } = scene();
    const unit = add('unit', box(), { angle: 1 });
    update();
    physics.teleportTo(unit, 200, 300);
    physics.turnTo(unit, 2);
    expect([physics.bodyAngle(unit), of(unit, 'angle')]).toEqual([2, 2]);
    update();
    expect([physics.bodyAngle(unit), of(unit, 'angle')]).toEqual([1, 2]);
    update();
    expect([physics.bodyAngle(unit), of(unit, 'angle')]).toEqual([1, 1]);
  });

  test('does not affect rotation, and rotation does not affect the position', () => {
    const { physics, add, update, of } = scene();
    const unit = add('unit', box(), { angle: 1 });
    update();
    physics.setAngularVelocity(unit, 2);
    physics.teleportTo(unit, 200, 300);
    update(2);
    expect(of(unit, 'angle')).toBeCloseTo(1 + 2 * tick, 9);
    physics.turnTo(unit, -3);
    update();
    expect(of(unit, 'angle')).toBe(-3);
    expect(of(unit, 'x')).toBeCloseTo(200, 9);
  });

  test('before the body exists decides where it is built', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    physics.moveTo(unit, 200, 300);
    physics.turnTo(unit, 2);
    update();
    expect(physics.bodyX(unit)).toBeCloseTo(200, 9);
    expect(physics.bodyAngle(unit)).toBe(2);
  });

  test('of a static body is permanent', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box({ type: 'static' }));
    update();
    physics.moveTo(unit, 200, 300);
    update(3);
    expect(physics.bodyX(unit)).toBeCloseTo(200, 9);
    expect(physics.queryArea(190, 290, 20, 20, [])).toBe(1);
  });

  test.each([
    [Number.NaN, 1],
    [1, Number.POSITIVE_INFINITY],
    [1e300, 1],
  ])('to %d, %d is refused', (x, y) => {
    const { world, physics, add, update, of } = scene();
    const unit = add('unit', box());
    update();
    physics.moveTo(unit, x, y);
    physics.turnTo(unit, x + y);
    update();
    expect([of(unit, 'x'), of(unit, 'y'), of(unit, 'angle')]).toEqual([640, 640, 0]);
    expect(world.faults.list().map(({ code }) => code)).toEqual(['not-finite']);
  });
});

test('an entity created near the edge of the map keeps its position in its first update, and is confined from the second on', () => {
  const { physics, add, update, of, contacts } = scene();
  const bullet = add('projectile', box());
  physics.appear(bullet, 640, 1278, 0);
  const places: number[] = [];
  for (let i = 0; i < 3; i++) {
    update();
    places.push(of(bullet, 'y'));
  }
  expect(places).toEqual([1278, 1248, 1248]);
  expect(contacts()).toEqual(['b1 outside']);
});

test('angles of a rotating body wrap around into (-π, π]', () => {
  const { physics, add, update, of } = scene();
  const top = add('item', box({ fixedRotation: false, angularDamping: 0 }));
  update();
  physics.setAngularVelocity(top, -3);
  const angles: number[] = [];
  for (let i = 0; i < 60; i++) {
    update();
    angles.push(of(top, 'angle'));
  }
  expect(Math.min(...angles)).toBeGreaterThan(-Math.PI);
  expect(Math.max(...angles)).toBeLessThanOrEqual(Math.PI);
  expect(Math.max(...angles)).toBeGreaterThan(2.5);
  expect(physics.bodyAngle(top)).toBeGreaterThan(-Math.PI - 0.2);
});

describe('where each update writes places and angles back', () => {
  function turning(writesBack: boolean) {
    const { physics, add, update, of } = scene(
      {},
      {
        pairs: 'tree',
        areas: 'shapes',
        queuedPlacement: 'last',
        roundTripsTransforms: writesBack,
        buildsDuplicateRequests: false,
        gravityMovesSensors: false,
      },
    );
    const top = add('item', box({ fixedRotation: false, linearDamping: 0.3, angularDamping: 0 }));
    update();
    physics.setVelocity(top, 0.7, 0.3);
    physics.setAngularVelocity(top, 3);
    const angles: number[] = [];
    const digits: number[] = [];
    for (let i = 0; i < 60; i++) {
      update();
      angles.push(of(top, 'angle'));
      digits.push(physics.bodyX(top));
    }
    return { digits, furthest: Math.max(...angles), last: of(top, 'angle') };
  }

  test('bodies are rounded, and change in no other way', () => {
    const [kept, lost] = [turning(false).digits, turning(true).digits];
    expect(lost).not.toEqual(kept);
    for (const [i, x] of lost.entries()) expect(x).toBeCloseTo(kept[i]!, 9);
  });

  test.each([
    [false, 0.009999999999999998],
    [true, 0.009999999999999997],
  ])('an angle that is set again passes through sine and cosine: %s', (writesBack, angle) => {
    const { physics, add, update } = scene(
      {},
      {
        pairs: 'tree',
        areas: 'shapes',
        queuedPlacement: 'last',
        roundTripsTransforms: writesBack,
        buildsDuplicateRequests: false,
        gravityMovesSensors: false,
      },
    );
    const top = add('item', box({ fixedRotation: false }));
    update();
    physics.turnTo(top, 0.01);
    expect(physics.bodyAngle(top)).toBe(0.009999999999999998);
    physics.turnTo(top, physics.bodyAngle(top));
    expect(physics.bodyAngle(top)).toBe(angle);
  });

  test('scripts see an angle beyond π for one update', () => {
    expect(turning(false).furthest).toBeLessThanOrEqual(Math.PI);
    expect(turning(true).furthest).toBeGreaterThan(Math.PI);
    expect(turning(true).furthest).toBeLessThan(Math.PI + 3 * tick);
    expect(turning(true).last).toBeCloseTo(turning(false).last, 9);
  });
});
