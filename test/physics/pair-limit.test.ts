import { expect, test } from 'vitest';
import { defaultLimits } from '../../engine/world/limits.ts';
import { box, scene } from './scene.ts';

/**
 * Sixty units on one spot, with 59 others near each: 3,540 pairs are looked at in the update that creates their bodies.
 */
function pile(pairs: number, body: Record<string, unknown>) {
  const s = scene({ limits: { ...defaultLimits, pairs } });
  const units = Array.from({ length: 60 }, () => s.add('unit', body));
  return { ...s, units, faults: () => s.world.faults.list().map(({ code, count }) => ({ code, count })) };
}

const sensors = box({}, { isSensor: true });

test('bodies created on one spot begin to touch over several ticks, the newest first, instead of in one that takes minutes', () => {
  const { update, contacts, faults } = pile(590, sensors);
  const begun = Array.from({ length: 8 }, () => {
    update();
    return contacts().length;
  });
  // Ten bodies a tick, and the one that exceeds the limit; a pair that is looked at twice touches once. New bodies
  // touch in the update that creates them, those that wait in the one after the search.
  expect(begun).toEqual([594, 0, 473, 352, 231, 110, 10, 0]);
  expect(begun.reduce((sum, each) => sum + each)).toBe((60 * 59) / 2);
  expect(faults()).toEqual([{ code: 'limit-pairs', count: 5 }]);
});

test('all begin to touch in one tick below the limit', () => {
  const { update, contacts, faults } = pile(3540, sensors);
  update();
  expect(contacts()).toHaveLength((60 * 59) / 2);
  expect(faults()).toEqual([]);
});

test('bodies that never touch each other count, too, as long as they move', () => {
  const { update, units, set, faults, contacts } = pile(590, box({ collidesWith: { walls: true } }));
  update(10);
  expect(faults()).toEqual([{ code: 'limit-pairs', count: 5 }]);
  update(10);
  expect(faults()).toEqual([{ code: 'limit-pairs', count: 5 }]);
  expect(contacts()).toEqual([]);
  for (const unit of units) set(unit, 'vectorX', 10);
  for (const unit of units) set(unit, 'moveMethod', 1);
  update(60);
  expect(faults()[0]!.count).toBeGreaterThan(15);
});

test('what waits to be looked at does not pile up in memory while it moves', () => {
  const { update, units, set, physics } = pile(59, box({ collidesWith: { walls: true } }));
  for (const unit of units) set(unit, 'vectorX', 10);
  for (const unit of units) set(unit, 'moveMethod', 1);
  update(300);
  expect(physics.parts.space.broadPhase.saveMoved().length).toBeLessThanOrEqual(60);
});

test('looking for the walls that fast bodies would pass through ends at the limit, too, and then they pass', () => {
  const speeding = (pairs: number) => {
    const s = scene({ limits: { ...defaultLimits, pairs }, settings: { continuousPhysics: true } });
    s.add('unit', box({ type: 'static', width: 4, height: 1200 }));
    const bullets = Array.from({ length: 20 }, (_, i) =>
      s.add('projectile', box({ width: 4, height: 4 }), { x: 580, y: 200 + i * 40 }),
    );
    s.update();
    for (const bullet of bullets) s.set(bullet, 'vectorX', 100);
    for (const bullet of bullets) s.set(bullet, 'moveMethod', 1);
    s.update(3);
    const passed = bullets.filter((bullet) => s.of(bullet, 'x') > 640).length;
    return { passed, faults: s.world.faults.list().map(({ code }) => code) };
  };
  expect(speeding(10_000)).toEqual({ passed: 0, faults: [] });
  const { passed, faults } = speeding(120);
  expect(passed).toBeGreaterThan(5);
  expect(faults).toEqual(['limit-pairs']);
});
