import { describe, expect, test } from 'vitest';
import type { Entity } from '../../engine/world/entity.ts';
import { box, everything, scene } from './scene.ts';

const second = 20;

describe('a body at rest', () => {
  test.each([
    { allowSleep: undefined, sleeps: false },
    { allowSleep: false, sleeps: false },
    { allowSleep: true, sleeps: true },
  ])('with allowSleep $allowSleep sleeps: $sleeps', ({ allowSleep, sleeps }) => {
    const { physics, add, update } = scene();
    const unit = add('unit', box({ allowSleep }));
    update(second);
    expect(physics.isAwake(unit)).toBe(!sleeps);
    expect(physics.bodiesAwake).toBe(sleeps ? 0 : 1);
  });

  type Scene = ReturnType<typeof scene>;
  const wakers: { by: string; wake: (s: Scene, unit: Entity) => void }[] = [
    { by: 'a velocity', wake: ({ physics }, unit) => physics.setVelocity(unit, 1, 0) },
    { by: 'a force', wake: ({ physics }, unit) => physics.applyForce(unit, 1, 0) },
    { by: 'an impulse', wake: ({ physics }, unit) => physics.applyImpulse(unit, 1, 0) },
    { by: 'a torque', wake: ({ physics }, unit) => physics.applyTorque(unit, 1) },
    { by: 'a turn', wake: ({ physics }, unit) => physics.turnTo(unit, 1) },
    { by: 'a teleport', wake: ({ physics }, unit) => physics.moveTo(unit, 100, 100) },
    { by: 'a teleport to where it is', wake: ({ physics }, unit) => physics.moveTo(unit, 640, 640) },
    {
      by: 'a movement key',
      wake: ({ set, update }, unit) => {
        set(unit, 'moveMethod', 1);
        set(unit, 'vectorX', 3);
        update();
      },
    },
    {
      by: 'a region put over it',
      wake: ({ world, physics, update }) => {
        physics.setRegionBody(world.allocate('region', 'camp'), 600, 600, 80, 80);
        update();
      },
    },
    {
      by: 'what runs into it',
      wake: ({ physics, add, update }) => {
        const other = add('unit', box(), { x: 590 });
        update();
        physics.setVelocity(other, 10, 0);
        update(3);
      },
    },
  ];
  test.each(wakers)('is woken by $by', ({ wake }) => {
    const s = scene();
    const unit = s.add('unit', box({ allowSleep: true }));
    s.update(second);
    expect(s.physics.isAwake(unit)).toBe(false);
    wake(s, unit);
    expect(s.physics.isAwake(unit)).toBe(true);
  });

  test('stays asleep when it is turned to its own angle', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box({ allowSleep: true }), { angle: 2 });
    for (let i = 0; i < second; i++) {
      physics.turnTo(unit, 2);
      update();
    }
    expect(physics.isAwake(unit)).toBe(false);
  });

  test('asleep, enters a region created around it', () => {
    const { world, physics, add, update, contacts } = scene();
    add('unit', box({ allowSleep: true }));
    update(second);
    physics.setRegionBody(world.allocate('region', 'camp'), 600, 600, 80, 80);
    update();
    expect(contacts()).toEqual(['u1 + camp']);
  });
});

describe('a sensor', () => {
  test('sleeps while it does not move', () => {
    const { world, physics, update } = scene();
    const sensor = world.allocate('sensor');
    physics.setSensorBody(sensor, 100.1, 200.7, 90);
    for (let i = 0; i < second; i++) {
      physics.moveSensor(sensor, 100.1, 200.7);
      update();
    }
    expect(physics.isAwake(sensor)).toBe(false);
    physics.moveSensor(sensor, 101, 200.7);
    expect(physics.isAwake(sensor)).toBe(true);
  });

  test.each([
    { what: 'a dynamic unit walks in', type: 'dynamic' },
    { what: 'a static unit is put in', type: 'static' },
  ])('asleep, detects that $what', ({ type }) => {
    const { world, physics, add, update, contacts } = scene();
    physics.setSensorBody(world.allocate('sensor'), 640, 640, 200);
    const unit = add('unit', box({ type, collidesWith: everything }), { x: 100, y: 100 });
    update(second);
    expect(contacts()).toEqual([]);
    physics.moveTo(unit, 600, 600);
    update(2);
    expect(contacts()).toHaveLength(1);
  });

  test('asleep, detects a static unit that is created and removed', () => {
    const { world, physics, add, update, contacts } = scene();
    physics.setSensorBody(world.allocate('sensor'), 640, 640, 200);
    update(second);
    const unit = add('unit', box({ type: 'static' }), { x: 600, y: 600 });
    update();
    // A box comes before a circle, whichever is older.
    expect(contacts()).toEqual(['u1 + s1']);
    update(second);
    physics.requestRemoval(unit);
    update();
    expect(contacts()).toEqual(['u1 - s1']);
  });
});
