import { expect, test } from 'vitest';
import { defaultLimits } from '../../engine/world/limits.ts';
import { box, scene } from './scene.ts';

/** Thirty units in one place: 435 pairs. */
function pile(contacts: number) {
  const s = scene({ limits: { ...defaultLimits, contacts } });
  const units = Array.from({ length: 30 }, () => s.add('unit', box()));
  s.update();
  return { ...s, units, faults: () => s.world.faults.list().map(({ code, count }) => ({ code, count })) };
}

test('overlapping bodies all touch below the limit', () => {
  const { contacts, faults } = pile(436);
  expect(contacts()).toHaveLength(435);
  expect(faults()).toEqual([]);
});

test('beyond the limit bodies pass through each other, which is reported once per update', () => {
  const { contacts, faults, physics } = pile(100);
  expect(contacts()).toHaveLength(100);
  expect(physics.parts.space.contacts.count).toBe(100);
  expect(faults()).toEqual([{ code: 'limit-contacts', count: 1 }]);
});

test('the end of a contact makes room for another', () => {
  const { add, update, contacts, physics, units, world } = pile(100);
  for (const unit of units) {
    world.release(unit);
    physics.requestRemoval(unit);
  }
  update();
  contacts();
  add('unit', box(), { x: 200 });
  add('unit', box(), { x: 200 });
  update();
  expect(contacts()).toHaveLength(1);
});
