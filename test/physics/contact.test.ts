import { describe, expect, test } from 'vitest';
import { bodySpec } from '../../engine/physics/body.ts';
import { bodyOf } from '../support/world.ts';
import { box, scene } from './scene.ts';

describe('a contact', () => {
  test('begins once and ends once', () => {
    const { physics, add, update, contacts } = scene();
    const unit = add('unit', box());
    const item = add('item', box({}, { isSensor: true }), { x: 650 });
    const other = add('item', box({}, { isSensor: true }), { x: 630 });
    const touching = () =>
      [item, other].map((each) => [physics.areTouching(unit, each), physics.areTouching(each, unit)]);
    update(5);
    expect(contacts().sort()).toEqual(['i1 + i2', 'u1 + i1', 'u1 + i2']);
    expect(touching().flat()).toEqual([true, true, true, true]);
    physics.moveTo(unit, 200, 200);
    update(5);
    expect(contacts().sort()).toEqual(['u1 - i1', 'u1 - i2']);
    expect(touching().flat()).toEqual([false, false, false, false]);
  });

  test('begins in the update that builds the body', () => {
    const { add, update, contacts } = scene();
    add('unit', box());
    update();
    expect(contacts()).toEqual([]);
    add('item', box({}, { isSensor: true }));
    update();
    expect(contacts()).toEqual(['u1 + i1']);
  });

  test.each([
    { first: 'rectangle', second: 'rectangle', order: 'u1 + i1' },
    { first: 'circle', second: 'circle', order: 'u1 + i1' },
    { first: 'rectangle', second: 'circle', order: 'u1 + i1' },
    { first: 'circle', second: 'rectangle', order: 'i1 + u1' },
  ])('of $first and $second reports the older first, but a box before a circle', ({ first, second, order }) => {
    const { add, update, contacts } = scene();
    add('unit', box({}, { shape: { type: first } }));
    add('item', box({}, { shape: { type: second } }));
    update();
    expect(contacts()).toEqual([order]);
  });

  test('begins at the second update after a teleport, and ends at the first', () => {
    const { world, physics, add, update, contacts } = scene();
    physics.setRegionBody(world.allocate('region', 'camp'), 600, 600, 80, 80);
    const unit = add('unit', box(), { x: 200, y: 200 });
    update(2);
    physics.moveTo(unit, 640, 640);
    update();
    expect(contacts()).toEqual([]);
    update();
    expect(contacts()).toEqual(['camp + u1']);
    physics.moveTo(unit, 200, 200);
    update();
    expect(contacts()).toEqual(['camp - u1']);
  });

  test('ends once per pair in the update that destroys a body', () => {
    const { world, physics, add, update, contacts } = scene();
    physics.setRegionBody(world.allocate('region', 'camp'), 600, 600, 80, 80);
    const unit = add('unit', box());
    add('item', box({}, { isSensor: true }));
    update();
    expect(contacts().sort()).toEqual(['camp + i1', 'camp + u1', 'u1 + i1']);
    world.release(unit);
    physics.requestRemoval(unit);
    expect(contacts()).toEqual([]);
    update();
    expect(contacts().sort()).toEqual(['camp - gone 2', 'gone 2 - i1']);
    update(3);
    expect(contacts()).toEqual([]);
  });

  test('ends and begins in one update when a body is rebuilt', () => {
    const { world, physics, add, update, contacts } = scene();
    physics.setRegionBody(world.allocate('region', 'camp'), 600, 600, 80, 80);
    const unit = add('unit', box());
    update(2);
    contacts();
    physics.requestBody(unit, bodySpec(bodyOf(box({ width: 30 })), 'unit'));
    update();
    expect(contacts()).toEqual(['camp - u1', 'camp + u1']);
  });

  test('is reported with planck unlocked: bodies requested then are built in the next update', () => {
    const { world, physics, add, update, contacts, events, name } = scene();
    add('unit', box());
    add('item', box({}, { isSensor: true }));
    let made = 0;
    physics.hooks.begin = (first, second) => {
      events.push(`${name(first)} + ${name(second)}`);
      if (made > 0) return;
      made = world.allocate('projectile');
      physics.requestBody(made, bodySpec(bodyOf(box()), 'projectile'));
    };
    update();
    expect(contacts()).toEqual(['u1 + i1']);
    expect(physics.hasBody(made)).toBe(false);
    update();
    expect(physics.hasBody(made)).toBe(true);
  });

  test('of an entity destroyed by an earlier contact is still reported', () => {
    const { world, physics, add, update, events } = scene();
    const bullet = add('projectile', box({}, { isSensor: true }));
    add('unit', box({}, { isSensor: true }));
    add('unit', box({}, { isSensor: true }));
    physics.hooks.begin = (first, second) => {
      if (first !== bullet && second !== bullet) return;
      events.push('hit');
      if (!world.exists(bullet)) return;
      world.release(bullet);
      physics.requestRemoval(bullet);
    };
    update();
    expect(events).toEqual(['hit', 'hit']);
    update();
    expect(events.filter((line) => line.includes(' - '))).toHaveLength(2);
  });

  test('that ends with a body may request bodies for the same update', () => {
    const { world, physics, add, update } = scene();
    const unit = add('unit', box());
    add('item', box({}, { isSensor: true }));
    update();
    let made = 0;
    physics.hooks.end = () => {
      made = world.allocate('projectile');
      physics.requestBody(made, bodySpec(bodyOf(box()), 'projectile'));
    };
    physics.requestBody(unit, undefined);
    update();
    expect(physics.hasBody(made)).toBe(true);
  });

  test('is counted in the statistics', () => {
    const { physics, add, update } = scene();
    add('unit', box());
    add('item', box({}, { isSensor: true }));
    update();
    expect([physics.contacts, physics.bodiesAwake]).toEqual([1, 2]);
    update();
    expect(physics.contacts).toBe(0);
  });

  test('whose listener throws does not leave the world locked', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    add('item', box({}, { isSensor: true }));
    physics.hooks.begin = () => {
      throw new Error('a rule failed');
    };
    expect(() => update()).toThrow('a rule failed');
    physics.setVelocity(unit, 1, 0);
    expect(physics.velocityX(unit)).toBe(1);
  });
});

describe('a region', () => {
  test('has the given position and size', () => {
    const { world, physics, update, of } = scene();
    const region = world.allocate('region', 'camp');
    physics.setRegionBody(region, 100, 200, 300, 40);
    expect([of(region, 'x'), of(region, 'y'), of(region, 'width'), of(region, 'height')]).toEqual([250, 220, 300, 40]);
    update();
    expect([physics.queryArea(101, 201, 1, 1, []), physics.queryArea(398, 238, 1, 1, [])]).toEqual([1, 1]);
    expect([physics.queryArea(97, 201, 1, 1, []), physics.queryArea(402, 201, 1, 1, [])]).toEqual([0, 0]);
  });

  test('is left and entered again when it is resized', () => {
    const { world, physics, add, update, contacts } = scene();
    const region = world.allocate('region', 'camp');
    physics.setRegionBody(region, 600, 600, 80, 80);
    add('unit', box());
    update();
    expect(contacts()).toEqual(['camp + u1']);
    physics.setRegionBody(region, 500, 500, 300, 300);
    update();
    // The unit's body is now the older one.
    expect(contacts()).toEqual(['camp - u1', 'u1 + camp']);
    physics.setRegionBody(region, 10, 10, 30, 30);
    update(2);
    expect(contacts()).toEqual(['u1 - camp']);
  });

  test('without a finite size is refused', () => {
    const { world, physics, update } = scene();
    physics.setRegionBody(world.allocate('region', 'camp'), 0, 0, Number.NaN, 1);
    update();
    expect(physics.queryArea(-1e6, -1e6, 2e6, 2e6, [])).toBe(0);
    expect(world.faults.list()).toHaveLength(1);
  });
});

describe('a sensor', () => {
  test('detects its owner and entities that come near', () => {
    const { world, physics, add, update, contacts } = scene();
    const unit = add('unit', box());
    physics.setSensorBody(world.allocate('sensor'), 640, 640, 200);
    const other = add('unit', box(), { x: 200, y: 200 });
    update();
    expect(contacts()).toEqual(['u1 + s1']);
    physics.moveTo(other, 500, 640);
    update(2);
    expect(contacts()).toEqual(['u2 + s1']);
    expect(physics.hasBody(unit)).toBe(true);
  });

  test('moves as told, and neither falls nor is confined to the map', () => {
    const { world, physics, update, of } = scene({ settings: { gravity: { x: 0, y: 100 } } });
    const sensor = world.allocate('sensor');
    physics.setSensorBody(sensor, 640, 640, 200);
    update(10);
    expect([of(sensor, 'x'), of(sensor, 'y')]).toEqual([640, 640]);
    physics.moveSensor(sensor, -5, 3);
    update(2);
    expect(of(sensor, 'x')).toBeCloseTo(-5, 9);
    expect(of(sensor, 'y')).toBeCloseTo(3, 9);
  });

  test.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])('of radius %d is refused', (radius) => {
    const { world, physics, update } = scene();
    const sensor = world.allocate('sensor');
    physics.setSensorBody(sensor, 640, 640, 100);
    update();
    expect(physics.hasBody(sensor)).toBe(true);
    physics.setSensorBody(sensor, 640, 640, radius);
    update();
    expect(physics.hasBody(sensor)).toBe(false);
  });
});
