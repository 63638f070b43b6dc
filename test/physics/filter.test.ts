import { describe, expect, test } from 'vitest';
import { bodySpec, regionSpec, sensorSpec, wallSpec } from '../../engine/physics/body.ts';
import { bodyOf } from '../support/world.ts';
import { box, scene } from './scene.ts';

describe('collision filters', () => {
  test.each([
    { says: undefined, mask: 0x60 },
    { says: {}, mask: 0x60 },
    { says: { walls: true }, mask: 0x61 },
    { says: { units: true }, mask: 0x62 },
    { says: { items: true }, mask: 0x68 },
    { says: { projectiles: true }, mask: 0x70 },
    { says: { debris: true }, mask: 0x64 },
    { says: { sensors: false }, mask: 0x20 },
    { says: { sensors: true }, mask: 0x60 },
    { says: { unit: true, item: true }, mask: 0x6a },
    { says: { unit: true, units: false }, mask: 0x60 },
    { says: { walls: true, units: true, items: true, projectiles: true }, mask: 0x7b },
    { says: { walls: 'true', units: 'false' }, mask: 0x61 },
  ])('collidesWith $says', ({ says, mask }) => {
    expect(bodySpec(bodyOf(box({ collidesWith: says })), 'unit')?.mask).toBe(mask);
  });

  test('exist for walls, regions and sensors', () => {
    expect(wallSpec(64, 64)).toMatchObject({ category: 0x01, mask: 0x3e });
    expect(regionSpec(64, 64)).toMatchObject({ category: 0x20, mask: 0x3f });
    expect(sensorSpec(64)).toMatchObject({ category: 0x40, mask: 0x1a });
  });

  const kinds = ['unit', 'item', 'projectile'] as const;
  const plural = { unit: 'units', item: 'items', projectile: 'projectiles' } as const;
  const pairs = kinds.flatMap((first) =>
    kinds.flatMap((second) =>
      [true, false].flatMap((firstMeets) =>
        [true, false].map((secondMeets) => ({ first, second, firstMeets, secondMeets })),
      ),
    ),
  );

  test.each(pairs)('$first ($firstMeets) and $second ($secondMeets)', ({ first, second, firstMeets, secondMeets }) => {
    const { add, update, contacts } = scene();
    add(first, box({ collidesWith: { [plural[second]]: firstMeets } }));
    add(second, box({ collidesWith: { [plural[first]]: secondMeets } }));
    update();
    expect(contacts()).toHaveLength(firstMeets && secondMeets ? 1 : 0);
  });

  test.each(kinds.flatMap((kind) => [true, false].map((walls) => ({ kind, walls }))))(
    'a wall and a $kind that says walls: $walls',
    ({ kind, walls }) => {
      const { add, update, contacts, physics } = scene({ plan: ['...', '.#.', '...'] });
      physics.buildWalls();
      const entity = add(kind, box({ collidesWith: { walls } }), { x: 96, y: 96 });
      update();
      expect(contacts()).toHaveLength(walls ? 1 : 0);
      expect(physics.hasBody(entity)).toBe(true);
    },
  );

  test.each(kinds)('a region detects a %s regardless of its `collidesWith`', (kind) => {
    const { world, add, update, contacts, physics } = scene();
    const region = world.allocate('region', 'r:camp');
    physics.setRegionBody(region, 600, 600, 100, 100);
    add(kind, box({ collidesWith: {} }));
    update();
    expect(contacts()).toHaveLength(1);
  });

  test.each(kinds.flatMap((kind) => [true, false, undefined].map((sensors) => ({ kind, sensors }))))(
    'a sensor and a $kind that says sensors: $sensors',
    ({ kind, sensors }) => {
      const { world, add, update, contacts, physics } = scene();
      physics.setSensorBody(world.allocate('sensor'), 640, 640, 100);
      add(kind, box({ collidesWith: { sensors } }));
      update();
      expect(contacts()).toHaveLength(sensors === false ? 0 : 1);
    },
  );

  test('regions, sensors and walls ignore each other', () => {
    const { world, update, contacts, physics } = scene({ plan: ['###', '###', '###'] });
    physics.buildWalls();
    physics.setRegionBody(world.allocate('region', 'r:a'), 0, 0, 200, 200);
    physics.setRegionBody(world.allocate('region', 'r:b'), 0, 0, 200, 200);
    physics.setSensorBody(world.allocate('sensor'), 96, 96, 200);
    physics.setSensorBody(world.allocate('sensor'), 96, 96, 200);
    update(3);
    expect(contacts()).toEqual([]);
  });

  test('static and kinematic bodies do not meet each other', () => {
    for (const type of ['static', 'kinematic']) {
      const { add, update, contacts } = scene();
      add('unit', box({ type }));
      add('unit', box({ type }));
      update(3);
      expect(contacts()).toEqual([]);
    }
  });
});
