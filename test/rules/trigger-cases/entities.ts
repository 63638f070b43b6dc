import type { TriggerType } from '../../../engine/index.ts';
import { moveTo } from '../../../engine/rules/ai/ai-orders.ts';
import { disableAi } from '../../../engine/rules/ai/ai-switch.ts';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { setState } from '../../../engine/rules/entities/state.ts';
import type { FullGame } from '../../support/full-game.ts';
import { alone, attribute, type Case, carrying, enclosed, lying, one, played, set } from './case.ts';

type Cases = Partial<Record<TriggerType, Case>>;

const ball = (s: FullGame): void => void s.ball(300, 300);

/** The triggers of an attribute that reaches its bounds. */
function bounds(
  kind: 'unit' | 'item' | 'projectile' | 'player',
  ready: Case['ready'],
  id: string,
  key: string,
  to: { now: number; zero: number; almostZero: number; full: number; almostFull: number },
): Cases {
  const payload = { [kind]: id, attribute: attribute(key, to.now) };
  const { zero, almostZero, full, almostFull } = to;
  return Object.fromEntries(
    [['Zero', zero, almostZero] as const, ['Full', full, almostFull] as const].map(([edge, reached, missed]) => [
      `${kind}AttributeBecomes${edge}`,
      {
        ready,
        cause: set(id, key, reached),
        payload,
        spare: set(id, key, missed),
        // Players have no scripts of their own.
        ...(kind !== 'player' && { order: [`entityAttributeBecomes${edge}`, `${kind}AttributeBecomes${edge}`] }),
      },
    ]),
  );
}

/** Entities: attributes, creation and destruction, states, movement, paths. */
export const entitiesCases: Cases = {
  ...bounds('unit', alone, 'u1', 'health', { now: 50, zero: 0, almostZero: 1, full: 500, almostFull: 99 }),
  ...bounds('item', lying('crate'), 'i1', 'power', { now: 50, zero: -4, almostZero: 4, full: 100, almostFull: 60 }),
  ...bounds('projectile', ball, 'b1', 'fuse', { now: 50, zero: 0, almostZero: 1, full: 100, almostFull: 51 }),
  ...bounds('player', played, 'ann', 'gold', { now: 30, zero: 0, almostZero: 5, full: 1000, almostFull: 999 }),
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
