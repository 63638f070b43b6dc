import { describe, expect, test } from 'vitest';
import { box, scene } from './scene.ts';

const mass = (40 / 30) ** 2;

describe('what is done to an entity without a body', () => {
  test('waits for its next behaviour with one', () => {
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

  test('is done in the order of asking', () => {
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

  test('is at most ten; the rest is lost', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    for (let i = 0; i < 15; i++) physics.applyImpulse(unit, mass, 0);
    update();
    physics.drainPending(unit);
    expect(physics.velocityX(unit)).toBeCloseTo(10, 9);
    physics.drainPending(unit);
    expect(physics.velocityX(unit)).toBeCloseTo(10, 9);
  });

  test('never counts places', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    for (let i = 0; i < 15; i++) physics.applyForce(unit, 1, 0);
    physics.moveTo(unit, 100, 100);
    update();
    expect(physics.bodyX(unit)).toBeCloseTo(100, 9);
  });

  test('forces and torques wait too', () => {
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

  test('tells of rest', () => {
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

describe('while contacts are told', () => {
  test('acts wait for the behaviour, places do not', () => {
    const { physics, add, update, of } = scene();
    const unit = add('unit', box());
    add('item', box({}, { isSensor: true }));
    physics.hooks.begin = () => {
      physics.setVelocity(unit, 10, 0);
      physics.moveTo(unit, 100, 100);
    };
    update();
    expect(physics.velocityX(unit)).toBe(0);
    expect([of(unit, 'x'), physics.bodyX(unit)]).toEqual([100, expect.closeTo(100, 9)]);
    physics.drainPending(unit);
    expect(physics.velocityX(unit)).toBe(10);
  });

  test('that a body was destroyed they do not: planck is not locked then', () => {
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

  test('the largest that is taken keeps the world finite', () => {
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
