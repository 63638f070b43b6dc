import { describe, expect, test } from 'vitest';
import { type TriggerType, triggerTypes } from '../../engine/index.ts';
import { goIdle, moveTo } from '../../engine/rules/ai/ai-orders.ts';
import { enableAi } from '../../engine/rules/ai/ai-switch.ts';
import { createUnit } from '../../engine/rules/lifecycle/create-unit.ts';
import { triggersOf } from '../../engine/tools.ts';
import { append } from '../support/actions.ts';
import { type FullGame, fullGame, listening } from '../support/full-game.ts';
import { type Case, without } from './trigger-cases/case.ts';
import { contactsCases } from './trigger-cases/contacts.ts';
import { entitiesCases } from './trigger-cases/entities.ts';
import { itemsCases } from './trigger-cases/items.ts';
import { playersCases } from './trigger-cases/players.ts';

/** Each trigger that a server can emit has its case in one of these. */
const cases: Partial<Record<TriggerType, Case>> = {
  ...playersCases,
  ...itemsCases,
  ...contactsCases,
  ...entitiesCases,
};

const emitted = triggerTypes.filter((type) => triggersOf({}).rows[type].delivery !== 'never');

test('every trigger that a server can emit has a case', () => {
  expect(emitted.filter((type) => cases[type] === undefined)).toEqual([]);
});

function prepared({ ready, fullGame: make }: Case, keep: boolean, more: Record<string, unknown> = {}): FullGame {
  const s = make === undefined ? fullGame({}, more) : make(more);
  ready?.(s);
  if (!keep) s.hush();
  return s;
}

describe.each(Object.entries(cases) as [TriggerType, Case][])('%s', (type, each) => {
  test('fires once per cause, with its declared payload', () => {
    // A trigger before the first tick has no cause that a test could add.
    const s = prepared(each, type === 'gameStart');
    each.cause(s);
    const fired = s.of(type);
    expect(fired[0]?.payload).toEqual(each.payload);
    expect(fired[0]?.entity).toBe(each.by);
    expect(fired).toHaveLength(each.times ?? 1);
    const { required, optional, scopes } = triggersOf({}).rows[type];
    const told = Object.keys(fired[0]!.payload);
    for (const { scope } of fired) expect(scope === 'global' ? scopes : scopes.replace('g', '')).not.toBe('');
    expect(told.filter((key) => ![...required, ...optional].includes(key as never))).toEqual([]);
    for (const key of required) expect(told).toContain(key);
  });

  test('does not fire without its cause', () => {
    const s = prepared(each, false);
    each.spare(s);
    expect(s.of(type)).toEqual([]);
  });
});

const ordered = (Object.entries(cases) as [TriggerType, Case][]).filter(([, { order }]) => order !== undefined);

test.each(ordered)('%s fires in order with related triggers', (_, each) => {
  const s = prepared(each, false);
  each.cause(s);
  const order = each.order!;
  const heard = s.announced.filter(({ type }) => order.includes(type)).map(({ type }) => type);
  expect(heard.slice(-order.length)).toEqual(order);
});

/** Records that the trigger reached a script, by the letter of the script's scope. */
const hear = (scope: string) => append('heard', scope);

test.each(emitted)('%s reaches exactly the scripts of its declared scopes', (type) => {
  const each = cases[type]!;
  const variables = {
    yard: { dataType: 'region', default: { x: 1000, y: 1000, width: 200, height: 200 } },
    heard: { dataType: 'string', default: '' },
  };
  const s = prepared(each, type === 'gameStart', { ...listening(type, hear), variables });
  each.cause(s);
  // Queued triggers fire at their point in the next tick.
  s.ticks(1);
  const heard = new Set(String(s.variable('heard')));
  const { scopes } = triggersOf({}).rows[type];
  expect(
    [...heard].filter((scope) => !scopes.includes(scope)),
    `only ${scopes} may hear it`,
  ).toEqual([]);
  if (each.by !== undefined) expect([...heard]).toContain(each.by[0]);
  // The answer to a request reaches only the script that asked.
  if (scopes.includes('g') && type !== 'onPostResponse') expect([...heard]).toContain('g');
});

test.each([
  ['unitPickedAnItem', 'unitPicksUpItem', 'g'],
  ['thisUnitPickedUpAnItem', 'thisUnitPicksUpItem', 'u'],
] as const)('scripts may listen to the older name %s', (older, type, scope) => {
  const variables = { heard: { dataType: 'string', default: '' } };
  const s = prepared(cases[type]!, false, { ...listening(older, hear), variables });
  cases[type]!.cause(s);
  expect(s.variable('heard')).toBe(scope);
});

test.each(['unitStartsMoving', 'unitStopsMoving'] as const)('%s fires for a unit moved by AI as well', (type) => {
  const s = fullGame();
  const unit = s.unit({ type: 'seer' });
  enableAi(s.game, unit);
  moveTo(s.game, unit, 700, 640);
  s.ticks(1);
  if (type === 'unitStopsMoving') goIdle(s.game, unit);
  expect(s.of(type)).toMatchObject([{ entity: 'u1', payload: { unit: 'u1' } }]);
});

describe('queued triggers', () => {
  test.each(emitted.filter((type) => triggersOf({}).rows[type].delivery === 'queued'))(
    '%s is delivered in the next tick',
    (type) => {
      const each = cases[type]!;
      const s = prepared(each, false);
      each.cause(s);
      const [fired] = s.of(type);
      // Nothing is delivered between two ticks: the tick after the cause delivers everything that is pending.
      expect(fired?.tick).toBe(type === 'frameTick' ? 3 : s.sim.tick);
      expect(s.world.triggers.queue.save()).toEqual([]);
    },
  );
});

test.each(['unitTouchesDebris', 'projectileTouchesDebris', 'debrisEntersRegion'] as const)(
  '%s does not fire in moddio, which has no debris',
  (type) => {
    const s = without();
    cases[type]!.cause(s);
    expect(s.of(type)).toEqual([]);
  },
);

test('the first trigger about a unit fires when it is complete', () => {
  const s = fullGame();
  createUnit(s.game, { type: s.world.types.unit.get('unit')!, owner: s.player(1), x: 640, y: 640, angle: 0 });
  expect(s.announced.filter(({ entity, payload }) => entity === 'u1' || payload['entity'] === 'u1').at(-1)?.type).toBe(
    'entityCreated',
  );
});
