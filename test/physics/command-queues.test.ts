import { describe, expect, test } from 'vitest';
import { rowOf } from '../../engine/world/entity.ts';
import { bodyOf } from '../support/world.ts';
import { box, scene } from './scene.ts';

const mass = (40 / 30) ** 2;

describe('acts on an entity without a body', () => {
  test('wait until it has one', () => {
    const { physics, add, update } = scene();
    const bullet = add('projectile', box());
    physics.setVelocity(bullet, 10, 0);
    physics.drainPending(bullet);
    update();
    expect(physics.velocityX(bullet)).toBe(0);
    physics.drainPending(bullet);
    expect(physics.velocityX(bullet)).toBe(10);
    physics.setVelocity(bullet, 3, 0);
    physics.drainPending(bullet);
    expect(physics.velocityX(bullet)).toBe(3);
  });

  test('are applied in order', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    physics.setVelocity(unit, 10, 0);
    physics.applyImpulse(unit, mass, 0);
    physics.setAngularVelocity(unit, 2);
    update();
    physics.drainPending(unit);
    expect(physics.velocityX(unit)).toBeCloseTo(11, 12);
    expect(physics.angularVelocity(unit)).toBe(2);
  });

  test('are limited to ten; further ones are lost', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    for (let i = 0; i < 15; i++) physics.applyImpulse(unit, mass, 0);
    update();
    physics.drainPending(unit);
    expect(physics.velocityX(unit)).toBeCloseTo(10, 9);
    physics.drainPending(unit);
    expect(physics.velocityX(unit)).toBeCloseTo(10, 9);
  });

  test('of places that follow each other only the last one counts, also behind other acts', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    for (let i = 0; i < 5; i++) physics.setVelocity(unit, 5, 0);
    for (let i = 1; i <= 5; i++) physics.moveTo(unit, 100 * i, 100);
    for (let i = 0; i < 4; i++) physics.applyImpulse(unit, mass, 0);
    update();
    physics.drainPending(unit);
    expect(physics.bodyX(unit)).toBeCloseTo(500, 9);
    expect(physics.velocityX(unit)).toBeCloseTo(9, 9);
  });

  test('keep positions and turns in order with the others', () => {
    const { world, physics, add, update, of } = scene();
    const unit = add('unit', box());
    physics.moveTo(unit, 100, 100);
    physics.setVelocity(unit, 5, 0);
    physics.moveTo(unit, 300, 300);
    world.components.bodyType[rowOf(unit)] = bodyOf(box());
    physics.turnTo(unit, 1);
    update();
    physics.drainPending(unit);
    expect([physics.bodyX(unit), physics.bodyAngle(unit)]).toEqual([expect.closeTo(300, 9), 1]);
    expect([physics.velocityX(unit), of(unit, 'x')]).toEqual([5, 300]);
  });

  test.each([
    ['first', 100],
    ['last', 300],
  ] as const)('of several positions in a row apply the %s', (waitingPlace, x) => {
    const { physics, add, update } = scene(
      {},
      {
        pairs: 'tree',
        areas: 'shapes',
        queuedPlacement: waitingPlace,
        roundTripsTransforms: false,
        buildsDuplicateRequests: false,
        gravityMovesSensors: false,
      },
    );
    const unit = add('unit', box());
    for (const place of [100, 200, 300]) physics.moveTo(unit, place, place);
    update();
    physics.drainPending(unit);
    expect(physics.bodyX(unit)).toBeCloseTo(x, 9);
  });

  test('never limit positions', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    for (let i = 0; i < 15; i++) physics.applyForce(unit, 1, 0);
    physics.moveTo(unit, 100, 100);
    update();
    expect(physics.bodyX(unit)).toBeCloseTo(100, 9);
  });

  test('include forces and torques', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    physics.applyForce(unit, 20, 0);
    physics.applyTorque(unit, 5);
    update();
    physics.drainPending(unit);
    update();
    expect(physics.velocityX(unit)).toBeCloseTo((20 / mass) * 0.05, 12);
    expect(physics.angularVelocity(unit)).toBeGreaterThan(0);
  });

  test('tell whether the entity is at rest', () => {
    const { world, physics } = scene();
    const unit = world.allocate('unit');
    expect([
      physics.velocityX(unit),
      physics.velocityY(unit),
      physics.angularVelocity(unit),
      physics.massOf(unit),
      physics.bodyX(unit),
      physics.bodyAngle(unit),
      physics.isAwake(unit),
    ]).toEqual([0, 0, 0, 0, 0, 0, false]);
  });
});

describe('while contacts are reported', () => {
  test('acts on a body and the body itself are delayed, and the entity exists at once', () => {
    const { physics, add, update, of } = scene();
    const unit = add('unit', box());
    add('item', box({}, { isSensor: true }));
    physics.hooks.begin = () => {
      physics.setVelocity(unit, 10, 0);
      physics.moveTo(unit, 100, 100);
      physics.turnTo(unit, 1);
    };
    update();
    expect(physics.velocityX(unit)).toBe(0);
    expect([of(unit, 'x'), of(unit, 'angle')]).toEqual([100, 1]);
    expect(physics.bodyX(unit)).not.toBeCloseTo(100, 3);
    expect(physics.bodyAngle(unit)).toBe(0);
    physics.drainPending(unit);
    expect(physics.velocityX(unit)).toBe(10);
    expect([physics.bodyX(unit), physics.bodyAngle(unit)]).toEqual([expect.closeTo(100, 9), 1]);
  });

  test('velocities are those before the collision', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    const other = add('item', box(), { x: 690 });
    const far = add('projectile', box(), { x: 900 });
    const told: number[] = [];
    physics.hooks.begin = () => told.push(...[unit, other, far].map((one) => physics.velocityX(one)));
    update();
    physics.setVelocity(unit, 10, 0);
    physics.setVelocity(far, 3, 0);
    for (let i = 0; i < 4; i++) update();
    expect(told).toEqual([10, 0, 3]);
    expect(physics.velocityX(unit)).toBeLessThan(10);
    expect(physics.velocityX(other)).toBeGreaterThan(0);
  });

  test.each([
    ['moveTo', 640],
    ['teleportTo', 100],
  ] as const)("without the entity's turn before the next update, %s leaves the body at %d", (move, x) => {
    const { physics, add, update, of } = scene();
    const unit = add('unit', box());
    add('item', box({}, { isSensor: true }));
    physics.hooks.begin = () => physics[move](unit, 100, 100);
    update();
    update();
    expect([of(unit, 'x'), physics.bodyX(unit)]).toEqual([x, expect.closeTo(x, 9)]);
  });

  test('a turn that is reverted before the body has followed has no effect', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    add('item', box({}, { isSensor: true }));
    physics.hooks.begin = () => physics.turnTo(unit, 1);
    update();
    physics.turnTo(unit, 0);
    update();
    expect(physics.bodyAngle(unit)).toBe(0);
  });

  test('acts are not delayed for a destroyed body, because planck is not locked', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    const item = add('item', box({}, { isSensor: true }));
    update();
    physics.hooks.end = () => physics.setVelocity(unit, 10, 0);
    physics.requestRemoval(item);
    update();
    expect(physics.velocityX(unit)).toBe(10);
  });
});

describe('numbers that are not finite', () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e200])('%d', (bad) => {
    const { world, physics, add, update } = scene();
    const unit = add('unit', box());
    update();
    physics.setVelocity(unit, bad, 0);
    physics.applyForce(unit, 0, bad);
    physics.applyImpulse(unit, bad, bad);
    physics.applyTorque(unit, bad);
    physics.setAngularVelocity(unit, bad);
    update();
    expect([physics.velocityX(unit), physics.velocityY(unit), physics.angularVelocity(unit)]).toEqual([0, 0, 0]);
    expect(world.faults.list().map(({ code, count }) => [code, count])).toEqual([['not-finite', 5]]);
  });

  test('the largest accepted number keeps the world finite', () => {
    const { physics, add, update } = scene();
    const unit = add('projectile', box({}, { density: 1e-9 }), { confined: false });
    add('unit', box());
    update();
    for (let i = 0; i < 20; i++) {
      physics.applyForce(unit, 1e12, 1e12);
      physics.setAngularVelocity(unit, 1e12);
      update();
    }
    expect(Number.isFinite(physics.bodyX(unit))).toBe(true);
    expect(Number.isFinite(physics.bodyAngle(unit))).toBe(true);
  });
});
