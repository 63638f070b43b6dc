import type { TriggerType } from '../../../engine/index.ts';
import {
  apart,
  attack,
  atWall,
  balls,
  type Case,
  farFromSeer,
  from,
  ghosts,
  inYard,
  item,
  items,
  meet,
  nearSeer,
  offWall,
  one,
  seerAt640,
  units,
} from './case.ts';

/** Bodies that meet and part, and who attacks whom. */
export const contactsCases: Partial<Record<TriggerType, Case>> = {
  unitAttacksUnit: { ...attack, order: ['unitUsesItem', 'unitAttacksUnit', 'entityGetsAttacked'] },
  entityGetsAttacked: { ...attack, by: 'u2' },
  unitTouchesUnit: {
    cause: meet(units, units),
    times: 2,
    payload: { unit: 'u1' },
    order: ['unitTouchesUnit', 'entityTouchesUnit', 'unitTouchesUnit', 'entityTouchesUnit'],
    spare: meet(units, ghosts),
  },
  unitTouchesItem: {
    cause: meet(units, items),
    payload: { unit: 'u1', item: 'i1' },
    order: ['unitTouchesItem', 'entityTouchesItem', 'itemTouchesUnit', 'entityTouchesUnit'],
    spare: apart(units, items),
  },
  unitTouchesProjectile: {
    cause: meet(units, balls),
    payload: { unit: 'u1', projectile: 'b1', collidingEntity: 'u1' },
    order: ['unitTouchesProjectile', 'entityTouchesProjectile', 'projectileTouchesUnit', 'entityTouchesUnit'],
    spare: meet(ghosts, balls),
  },
  unitTouchesWall: {
    cause: atWall(units),
    payload: { unit: 'u1' },
    order: ['unitTouchesWall', 'entityTouchesWall'],
    spare: atWall(ghosts),
  },
  unitEntersRegion: {
    cause: inYard(units),
    payload: { unit: 'u1', region: 'r:yard' },
    order: ['entityEntersRegion', 'unitEntersRegion'],
    spare: offWall(units),
  },
  unitLeavesRegion: {
    ready: inYard(units),
    cause: (s) => s.move(one(s), 500, 500),
    payload: { unit: 'u1', region: 'r:yard' },
    order: ['entityLeavesRegion', 'unitLeavesRegion'],
    spare: (s) => s.move(one(s), 1100, 1060),
  },
  unitEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(units),
    by: 'u1',
    payload: { unit: 'u2', sensor: 's1' },
    spare: farFromSeer(units),
  },
  unitLeavesSensor: {
    ready: from(units, 720, 640, 'u2').ready,
    cause: from(units, 720, 640, 'u2').away,
    by: 'u1',
    payload: { unit: 'u2', sensor: 's1' },
    spare: from(units, 720, 640, 'u2').still,
  },
  itemTouchesUnit: { cause: meet(items, units), payload: { item: 'i1' }, spare: meet(items, ghosts) },
  itemTouchesItem: { cause: meet(items, items), times: 2, payload: { item: 'i1' }, spare: apart(items, items) },
  itemTouchesProjectile: {
    cause: meet(items, balls),
    payload: { item: 'i1', projectile: 'b1', collidingEntity: 'i1' },
    spare: apart(items, balls),
  },
  itemTouchesWall: { cause: atWall(items), payload: { item: 'i1' }, spare: offWall(items) },
  itemEntersRegion: {
    cause: inYard(items),
    payload: { item: 'i1', region: 'r:yard' },
    order: ['entityEntersRegion', 'itemEntersRegion'],
    spare: inYard(units),
  },
  itemLeavesRegion: {
    ready: inYard(items),
    cause: (s) => s.move(item(s), 500, 500),
    payload: { item: 'i1', region: 'r:yard' },
    order: ['entityLeavesRegion', 'itemLeavesRegion'],
    spare: (s) => s.move(item(s), 1100, 1060),
  },
  itemEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(items),
    by: 'u1',
    payload: { item: 'i1', sensor: 's1' },
    spare: farFromSeer(items),
  },
  itemLeavesSensor: {
    ready: from(items, 720, 640, 'i1').ready,
    cause: from(items, 720, 640, 'i1').away,
    by: 'u1',
    payload: { item: 'i1', sensor: 's1' },
    spare: from(items, 720, 640, 'i1').still,
  },
  projectileTouchesUnit: { cause: meet(balls, units), payload: { projectile: 'b1' }, spare: meet(balls, ghosts) },
  projectileTouchesItem: {
    cause: meet(balls, items),
    payload: { projectile: 'b1', item: 'i1' },
    spare: apart(balls, items),
  },
  projectileTouchesProjectile: {
    cause: meet(balls, balls),
    times: 2,
    payload: { projectile: 'b1', collidingEntity: 'b1' },
    spare: apart(balls, balls),
  },
  projectileTouchesWall: { cause: atWall(balls), payload: { projectile: 'b1' }, spare: offWall(balls) },
  projectileEntersRegion: {
    cause: inYard(balls),
    payload: { projectile: 'b1', region: 'r:yard' },
    order: ['entityEntersRegion', 'projectileEntersRegion'],
    spare: offWall(balls),
  },
  projectileLeavesRegion: {
    ready: inYard(balls),
    cause: (s) => s.move(s.entity('b1'), 500, 500),
    payload: { projectile: 'b1', region: 'r:yard' },
    order: ['entityLeavesRegion', 'projectileLeavesRegion'],
    spare: (s) => s.move(s.entity('b1'), 1100, 1060),
  },
  projectileEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(balls),
    by: 'u1',
    payload: { projectile: 'b1', sensor: 's1' },
    spare: farFromSeer(balls),
  },
  projectileLeavesSensor: {
    ready: from(balls, 720, 640, 'b1').ready,
    cause: from(balls, 720, 640, 'b1').away,
    by: 'u1',
    payload: { projectile: 'b1', sensor: 's1' },
    spare: from(balls, 720, 640, 'b1').still,
  },
  entityTouchesUnit: {
    cause: meet(items, units),
    by: 'i1',
    payload: { item: 'i1', unit: 'u1' },
    spare: meet(items, ghosts),
  },
  entityTouchesItem: {
    cause: meet(units, items),
    by: 'u1',
    payload: { unit: 'u1', item: 'i1' },
    spare: meet(ghosts, items),
  },
  entityTouchesProjectile: {
    cause: meet(units, balls),
    by: 'u1',
    payload: { unit: 'u1', projectile: 'b1', collidingEntity: 'u1' },
    spare: meet(ghosts, balls),
  },
  entityTouchesWall: {
    // The edge of the map counts as a wall, and the entity's scripts run first.
    cause: (s) => {
      s.unit({ x: 300, y: 300 });
      s.ticks(2);
      s.hush();
      s.move(one(s), -50, 300);
    },
    by: 'u1',
    payload: {},
    order: ['entityTouchesWall', 'unitTouchesWall'],
    spare: (s) => {
      s.unit({ x: 300, y: 300 });
      s.ticks(2);
      s.move(one(s), 50, 300);
    },
  },
  entityEntersRegion: {
    cause: inYard(units),
    by: 'u1',
    payload: { unit: 'u1', region: 'r:yard' },
    spare: offWall(units),
  },
  entityLeavesRegion: {
    ready: inYard(units),
    cause: (s) => s.move(one(s), 500, 500),
    by: 'u1',
    payload: { unit: 'u1', region: 'r:yard' },
    spare: (s) => s.move(one(s), 1100, 1060),
  },
  unitTouchesDebris: {
    cause: (s) => {
      s.unit({ x: 1000, y: 220 });
      s.ticks(3);
    },
    payload: { unit: 'u1', debris: 'd1' },
    spare: (s) => {
      s.unit({ type: 'ghost', x: 1000, y: 220 });
      s.ticks(3);
    },
  },
  projectileTouchesDebris: {
    cause: (s) => {
      s.ball(1000, 220);
      s.ticks(3);
    },
    payload: { projectile: 'b1', debris: 'd1', collidingEntity: 'd1' },
    spare: (s) => {
      s.ball(900, 220);
      s.ticks(3);
    },
  },
  debrisEntersRegion: {
    cause: (s) => s.ticks(3),
    payload: { debris: 'd2', region: 'r:yard' },
    spare: (s) => {
      s.ticks(3);
      s.hush();
      s.move(s.only('debris', 1), 1090, 1090);
    },
  },
  whenUnitEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(units),
    payload: { unit: 'u2', sensor: 's1' },
    order: ['unitEntersSensor', 'whenUnitEntersSensor'],
    spare: (s) => s.move(one(s), 800, 800),
  },
  whenItemEntersSensor: {
    ready: seerAt640,
    cause: nearSeer(items),
    payload: { unit: 'u1', sensor: 's1', item: 'i1' },
    order: ['itemEntersSensor', 'whenItemEntersSensor'],
    spare: nearSeer(balls),
  },
};
