import { describe, expect, test } from 'vitest';
import { RayHits } from '../../engine/physics/ray.ts';
import type { Entity } from '../../engine/world/entity.ts';
import { box, scene } from './scene.ts';

describe('a query for a rectangle', () => {
  test('finds each entity once, in order of creation', () => {
    const { world, physics, add, update, name } = scene({ plan: ['....', '.#..', '....'] });
    physics.buildWalls();
    const third = add('projectile', box(), { x: 96, y: 100 });
    const second = add('unit', box(), { x: 90, y: 96 });
    physics.setRegionBody(world.allocate('region', 'camp'), 0, 0, 128, 128);
    physics.setSensorBody(world.allocate('sensor'), 96, 96, 50);
    update();
    // Their bodies are built in another order than the entities were created.
    physics.moveTo(third, 60, 60);
    physics.moveTo(third, 96, 100);
    physics.moveTo(second, 96, 96);
    const out: Entity[] = [];
    expect(physics.queryArea(90, 90, 10, 10, out)).toBe(5);
    expect(out.map(name)).toEqual(['w1', 'b1', 'u1', 'camp', 's1']);
    expect(physics.queryArea(1000, 1000, 10, 10, out)).toBe(0);
    expect(out).toEqual([]);
  });

  test.each([
    { what: 'a corner of a square on its tip', angle: Math.PI / 4, x: 667, y: 639, width: 2, height: 2, found: true },
    { what: 'beside the tip, inside its box', angle: Math.PI / 4, x: 660, y: 615, width: 4, height: 4, found: false },
    { what: 'the same place, square upright', angle: 0, x: 655, y: 618, width: 4, height: 4, found: true },
    { what: 'just beside', angle: 0, x: 660.5, y: 640, width: 10, height: 10, found: false },
    { what: 'just inside', angle: 0, x: 659.5, y: 640, width: 10, height: 10, found: true },
    { what: 'all around', angle: 0.3, x: 0, y: 0, width: 1280, height: 1280, found: true },
    { what: 'all within', angle: 0.3, x: 639, y: 639, width: 2, height: 2, found: true },
    { what: 'a cross', angle: 0, x: 600, y: 639, width: 100, height: 2, found: true },
    { what: 'a point', angle: 0, x: 640, y: 640, width: 0, height: 0, found: true },
    { what: 'a point outside', angle: 0, x: 700, y: 640, width: 0, height: 0, found: false },
  ])('$what: $found', ({ angle, x, y, width, height, found }) => {
    const { physics, add, update } = scene();
    add('unit', box(), { angle });
    update();
    expect(physics.queryArea(x, y, width, height, [])).toBe(found ? 1 : 0);
  });

  test.each([
    { x: 655, y: 655, found: false },
    { x: 653, y: 653, found: true },
    { x: 659, y: 635, found: true },
  ])('a circle has no corners: $x, $y', ({ x, y, found }) => {
    const { physics, add, update } = scene();
    add('unit', box({}, { shape: { type: 'circle' } }));
    update();
    expect(physics.queryArea(x, y, 10, 10, [])).toBe(found ? 1 : 0);
  });

  test('omits entities that are destroyed but still have a body', () => {
    const { world, physics, add, update } = scene();
    const unit = add('unit', box());
    update();
    world.release(unit);
    expect(physics.queryArea(630, 630, 20, 20, [])).toBe(0);
  });

  test('finds nothing if the rectangle is not finite', () => {
    const { world, physics, add, update } = scene();
    add('unit', box());
    update();
    expect(physics.queryArea(0, 0, Number.NaN, 1280, [1, 2])).toBe(0);
    expect(world.faults.list().map(({ code }) => code)).toEqual(['not-finite']);
  });
});

describe('rays', () => {
  /** Two units and a wall in a row at y 96: 128..192 | u1 236..276 | u2 380..420 | wall 512..576. */
  function row() {
    const s = scene({ plan: ['............', '........#...', '............'] });
    s.physics.buildWalls();
    const hits = new RayHits();
    const found = () =>
      hits.entities.slice(0, hits.count).map((entity, i) => `${s.name(entity)} at ${Math.round(hits.x[i]!)}`);
    const second = s.add('unit', box(), { x: 400, y: 96 });
    const first = s.add('unit', box(), { x: 256, y: 96 });
    s.add('item', box(), { x: 320, y: 96 });
    s.physics.setRegionBody(s.world.allocate('region', 'camp'), 100, 64, 300, 64);
    s.update();
    return { ...s, hits, found, first, second };
  }

  test('hit units and walls only, nearest first', () => {
    const { physics, hits, found } = row();
    expect(physics.castRay(130, 96, 700, 96, hits)).toBe(3);
    expect(found()).toEqual(['u2 at 236', 'u1 at 380', 'w1 at 512']);
    expect(hits.fraction[0]).toBeCloseTo((236 - 130) / 570, 9);
    expect(hits.y[0]).toBeCloseTo(96, 9);
  });

  test.each([
    { what: 'the other way', from: [700, 96], to: [130, 96], found: ['w1 at 576', 'u1 at 420', 'u2 at 276'] },
    { what: 'too short', from: [130, 96], to: [230, 96], found: [] },
    { what: 'past everything', from: [130, 10], to: [700, 10], found: [] },
    { what: 'down through one', from: [400, 0], to: [400, 190], found: ['u1 at 400'] },
    { what: 'from inside one', from: [256, 96], to: [450, 96], found: ['u1 at 380'] },
    { what: 'without length', from: [256, 96], to: [256, 96], found: [] },
  ])('$what', ({ from, to, found: expected }) => {
    const { physics, hits, found } = row();
    physics.castRay(from[0]!, from[1]!, to[0]!, to[1]!, hits);
    expect(found()).toEqual(expected);
  });

  test.each([
    { what: 'to the right', from: [130, 80], to: [700, 112] },
    { what: 'to the left', from: [700, 112], to: [130, 80] },
  ] as const)('on a slant $what: each hit is on the line', ({ from: [x1, y1], to: [x2, y2] }) => {
    const { physics, hits } = row();
    expect(physics.castRay(x1, y1, x2, y2, hits)).toBe(3);
    for (let i = 0; i < 3; i++) {
      expect(hits.x[i]).toBeCloseTo(x1 + (x2 - x1) * hits.fraction[i]!, 6);
      expect(hits.y[i]).toBeCloseTo(y1 + (y2 - y1) * hits.fraction[i]!, 6);
    }
  });

  test('in both directions also hit what contains the start, at its far side', () => {
    const { physics, hits, found } = row();
    expect(physics.castRayBothWays(256, 96, 450, 96, hits)).toBe(2);
    expect(found()).toEqual(['u2 at 276', 'u1 at 380']);
    expect(hits.fraction[0]).toBeCloseTo(20 / 194, 9);
  });

  test.each([
    { what: 'from outside', from: 200, to: 700, found: ['u2 at 236'] },
    { what: 'from between', from: 300, to: 700, found: ['u1 at 380'] },
    { what: 'at a wall', from: 440, to: 700, found: ['w1 at 512'] },
    { what: 'back', from: 700, to: 130, found: ['w1 at 576'] },
    { what: 'from inside the shooter: its own body obstructs', from: 256, to: 700, found: [] },
    { what: 'at nothing', from: 600, to: 700, found: [] },
  ])('of a bullet $what', ({ from, to, found: expected }) => {
    const { physics, hits, found } = row();
    expect(physics.castBullet(from, 96, to, 96, hits)).toBe(expected.length > 0);
    expect(found()).toEqual(expected);
  });

  test('of a bullet at a round unit', () => {
    const { physics, add, update, name } = scene();
    const hits = new RayHits();
    add('unit', box({}, { shape: { type: 'circle' } }));
    update();
    expect(physics.castBullet(500, 640, 800, 640, hits)).toBe(true);
    expect([name(hits.entities[0]!), Math.round(hits.x[0]!)]).toEqual(['u1', 620]);
  });

  test('of bullets do not obstruct each other', () => {
    const { physics, add, update } = scene();
    const hits = new RayHits();
    add('unit', box({ width: 50, height: 30 }), { angle: 0.7 });
    update();
    for (let degrees = 0; degrees < 360; degrees++) {
      const angle = (degrees * Math.PI) / 180;
      const hit = physics.castBullet(640 + 300 * Math.cos(angle), 640 + 300 * Math.sin(angle), 640, 640, hits);
      expect([degrees, hit]).toEqual([degrees, true]);
    }
  });

  test('that are not finite are refused', () => {
    const { world, physics, hits } = row();
    expect(physics.castRay(0, 0, Number.POSITIVE_INFINITY, 0, hits)).toBe(0);
    expect(physics.castBullet(0, Number.NaN, 1, 0, hits)).toBe(false);
    expect(world.faults.list().map(({ code, count }) => [code, count])).toEqual([['not-finite', 2]]);
  });
});
