import type { TriggerType } from '../../../engine/index.ts';
import { moveTo } from '../../../engine/rules/ai/ai-orders.ts';
import { disableAi } from '../../../engine/rules/ai/ai-switch.ts';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { setState } from '../../../engine/rules/entities/state.ts';
import { alone, attribute, type Case, carrying, enclosed, lying, one, played, set } from './case.ts';

/** Entities: attributes, creation and destruction, states, movement, paths. */
export const entitiesCases: Partial<Record<TriggerType, Case>> = {
  unitAttributeBecomesZero: {
    ready: alone,
    cause: set('u1', 'health', 0),
    payload: { unit: 'u1', attribute: attribute('health', 50) },
    order: ['entityAttributeBecomesZero', 'unitAttributeBecomesZero'],
    spare: set('u1', 'health', 1),
  },
  unitAttributeBecomesFull: {
    ready: alone,
    cause: set('u1', 'health', 500),
    payload: { unit: 'u1', attribute: attribute('health', 50) },
    order: ['entityAttributeBecomesFull', 'unitAttributeBecomesFull'],
    spare: set('u1', 'health', 99),
  },
  itemAttributeBecomesZero: {
    ready: lying('crate'),
    cause: set('i1', 'power', -4),
    payload: { item: 'i1', attribute: attribute('power', 50) },
    spare: set('i1', 'power', 4),
  },
  itemAttributeBecomesFull: {
    ready: lying('crate'),
    cause: set('i1', 'power', 100),
    payload: { item: 'i1', attribute: attribute('power', 50) },
    spare: set('i1', 'power', 60),
  },
  projectileAttributeBecomesZero: {
    ready: (s) => void s.ball(300, 300),
    cause: set('b1', 'fuse', 0),
    payload: { projectile: 'b1', attribute: attribute('fuse', 50) },
    spare: set('b1', 'fuse', 1),
  },
  projectileAttributeBecomesFull: {
    ready: (s) => void s.ball(300, 300),
    cause: set('b1', 'fuse', 100),
    payload: { projectile: 'b1', attribute: attribute('fuse', 50) },
    spare: set('b1', 'fuse', 51),
  },
  playerAttributeBecomesZero: {
    ready: played,
    cause: set('ann', 'gold', 0),
    payload: { player: 'ann', attribute: attribute('gold', 30) },
    spare: set('ann', 'gold', 5),
  },
  playerAttributeBecomesFull: {
    ready: played,
    cause: set('ann', 'gold', 1000),
    payload: { player: 'ann', attribute: attribute('gold', 30) },
    spare: set('ann', 'gold', 999),
  },
  entityAttributeBecomesZero: {
    ready: alone,
    cause: set('u1', 'health', 0),
    by: 'u1',
    payload: { unit: 'u1', attribute: attribute('health', 50) },
    spare: (s) => {
      set('u1', 'health', 0)(s);
      s.hush();
      set('u1', 'health', 0)(s);
    },
  },
  entityAttributeBecomesFull: {
    ready: lying('crate'),
    cause: set('i1', 'power', 100),
    by: 'i1',
    payload: { item: 'i1', attribute: attribute('power', 50) },
    spare: set('i1', 'power', 99),
  },
  entityCreated: {
    cause: (s) => void s.unit(),
    by: 'u1',
    payload: {},
    order: ['entityStateChanged', 'entityCreatedGlobal', 'entityCreated'],
    spare: (s) => void s.join('ann'),
  },
  entityCreatedGlobal: { cause: (s) => void s.unit(), payload: { entity: 'u1' }, spare: (s) => void s.join('ann') },
  initEntityDestroy: {
    ready: carrying('crate'),
    cause: (s) => destroyEntity(s.game, one(s)),
    by: 'i1',
    times: 2,
    payload: {},
    spare: (s) => {
      const gone = one(s);
      destroyEntity(s.game, gone);
      s.hush();
      destroyEntity(s.game, gone);
    },
  },
  entityStateChanged: {
    ready: alone,
    cause: (s) => setState(s.game, one(s), 'default'),
    by: 'u1',
    payload: {},
    spare: (s) => s.move(one(s), 700, 700),
  },
  unitStartsMoving: {
    ready: played,
    cause: (s) => s.send({ kind: 'keyDown', player: 'ann', key: 'd' }),
    by: 'u1',
    payload: { unit: 'u1' },
    spare: (s) => s.send({ kind: 'keyDown', player: 'ann', key: 'x' }),
  },
  unitStopsMoving: {
    ready: (s) => {
      played(s);
      s.send({ kind: 'keyDown', player: 'ann', key: 'd' });
    },
    cause: (s) => s.send({ kind: 'keyUp', player: 'ann', key: 'd' }),
    by: 'u1',
    payload: { unit: 'u1' },
    spare: (s) => s.send({ kind: 'keyDown', player: 'ann', key: 's' }),
  },
  entityAStarPathFindingFailed: {
    ready: enclosed,
    cause: (s) => moveTo(s.game, one(s), 160, 160),
    by: 'u1',
    payload: { unit: 'u1' },
    order: ['unitAStarPathFindingFailed', 'entityAStarPathFindingFailed'],
    spare: (s) => moveTo(s.game, one(s), 900, 900),
  },
  unitAStarPathFindingFailed: {
    ready: enclosed,
    cause: (s) => moveTo(s.game, one(s), 160, 160),
    payload: { unit: 'u1' },
    spare: (s) => {
      disableAi(s.game, one(s));
      s.ticks(2);
    },
  },
};
