import type { TriggerType } from '../../../engine/index.ts';
import type { FullGame } from '../../support/full-game.ts';
import {
  apart,
  at,
  attack,
  atWall,
  balls,
  type Case,
  farFromSeer,
  from,
  ghosts,
  inYard,
  items,
  type Maker,
  meet,
  nearSeer,
  offWall,
  one,
  seerAt640,
  units,
} from './case.ts';

type Cases = Partial<Record<TriggerType, Case>>;

/**
 * The four triggers of a kind of entity that enters and leaves a region and a sensor. `spared` does not enter the
 * region.
 */
function crossings(kind: 'unit' | 'item' | 'projectile', make: Maker, id: string, spared: Case['spare']): Cases {
  // The unit with the sensor is `u1`.
  const sensed = kind === 'unit' ? 'u2' : id;
  const inRegion = { [kind]: id, region: 'r:yard' };
  const inSensor = { by: 'u1', payload: { [kind]: sensed, sensor: 's1' } };
  const { ready, away, still } = from(make, 720, 640, sensed);
  return {
    [`${kind}EntersRegion`]: {
      cause: inYard(make),
      payload: inRegion,
      order: ['entityEntersRegion', `${kind}EntersRegion`],
      spare: spared,
    },
    [`${kind}LeavesRegion`]: {
      ready: inYard(make),
      cause: (s: FullGame) => s.move(s.entity(id), 500, 500),
      payload: inRegion,
      order: ['entityLeavesRegion', `${kind}LeavesRegion`],
      spare: (s: FullGame) => s.move(s.entity(id), 1100, 1060),
    },
    [`${kind}EntersSensor`]: { ready: seerAt640, cause: nearSeer(make), ...inSensor, spare: farFromSeer(make) },
    [`${kind}LeavesSensor`]: { ready, cause: away, ...inSensor, spare: still },
  };
}

/** Bodies that meet and part, and who attacks whom. */
export const contactsCases: Cases = {
  ...crossings('unit', units, 'u1', offWall(units)),
  ...crossings('item', items, 'i1', inYard(units)),
  ...crossings('projectile', balls, 'b1', offWall(balls)),
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
  itemTouchesUnit: { cause: meet(items, units), payload: { item: 'i1' }, spare: meet(items, ghosts) },
  itemTouchesItem: { cause: meet(items, items), times: 2, payload: { item: 'i1' }, spare: apart(items, items) },
  itemTouchesProjectile: {
    cause: meet(items, balls),
    payload: { item: 'i1', projectile: 'b1', collidingEntity: 'i1' },
    spare: apart(items, balls),
  },
  itemTouchesWall: { cause: atWall(items), payload: { item: 'i1' }, spare: offWall(items) },
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
    cause: at(units, 1000, 220),
    payload: { unit: 'u1', debris: 'd1' },
    spare: at(ghosts, 1000, 220),
  },
  projectileTouchesDebris: {
    cause: at(balls, 1000, 220),
    payload: { projectile: 'b1', debris: 'd1', collidingEntity: 'd1' },
    spare: at(balls, 900, 220),
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
