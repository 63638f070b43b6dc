import { describe, expect, test } from 'vitest';
import { createUnit } from '../../engine/game/create.ts';
import { type TriggerType, triggers, triggerTypes } from '../../engine/index.ts';
import { type Stage, stage } from '../support/stage.ts';
import { type Case, without } from './trigger-cases/case.ts';
import { contactsCases } from './trigger-cases/contacts.ts';
import { entitiesCases } from './trigger-cases/entities.ts';
import { itemsCases } from './trigger-cases/items.ts';
import { playersCases } from './trigger-cases/players.ts';

/** Whoever adds a trigger that a server can emit adds its case to one of these. */
const cases: Partial<Record<TriggerType, Case>> = {
  ...playersCases,
  ...itemsCases,
  ...contactsCases,
  ...entitiesCases,
};

const emitted = triggerTypes.filter((type) => triggers[type].delivery !== 'never');

test('every trigger that a server can emit has its case', () => {
  expect(emitted.filter((type) => cases[type] === undefined)).toEqual([]);
});

function prepared({ ready, stage: make }: Case, keep: boolean): Stage {
  const s = (make ?? stage)();
  ready?.(s);
  if (!keep) s.hush();
  return s;
}

describe.each(Object.entries(cases) as [TriggerType, Case][])('%s', (type, each) => {
  test('fires, once per cause, and tells what it has to tell', () => {
    // What fires before the first tick has no cause that a test could add.
    const s = prepared(each, type === 'gameStart');
    each.cause(s);
    const fired = s.of(type);
    expect(fired[0]?.payload).toEqual(each.tells);
    expect(fired[0]?.entity).toBe(each.by);
    expect(fired).toHaveLength(each.times ?? 1);
    const { required, optional, scopes } = triggers[type];
    const told = Object.keys(fired[0]!.payload);
    for (const { scope } of fired) expect(scope === 'global' ? scopes : scopes.replace('g', '')).not.toBe('');
    expect(told.filter((key) => ![...required, ...optional].includes(key as never))).toEqual([]);
    for (const key of required) expect(told).toContain(key);
  });

  test('does not fire when it must not', () => {
    const s = prepared(each, false);
    each.spare(s);
    expect(s.of(type)).toEqual([]);
  });
});

const ordered = (Object.entries(cases) as [TriggerType, Case][]).filter(([, { order }]) => order !== undefined);

test.each(ordered)('%s has its place among the others', (_, each) => {
  const s = prepared(each, false);
  each.cause(s);
  const order = each.order!;
  const heard = s.announced.filter(({ type }) => order.includes(type)).map(({ type }) => type);
  expect(heard.slice(-order.length)).toEqual(order);
});

describe('the moment', () => {
  test.each(emitted.filter((type) => triggers[type].delivery === 'queued'))(
    '%s waits for its place in the tick',
    (type) => {
      const each = cases[type]!;
      const s = prepared(each, false);
      each.cause(s);
      const [fired] = s.of(type);
      // Nothing that waits is delivered between two ticks: the tick after the cause delivers it, and leaves nothing waiting.
      expect(fired?.tick).toBe(type === 'frameTick' ? 3 : s.sim.tick);
      expect(s.world.queue.save()).toEqual([]);
    },
  );
});

test.each(['unitTouchesDebris', 'projectileTouchesDebris', 'debrisEntersRegion'] as const)(
  '%s needs debris, which the reference engines of 2024 do not make',
  (type) => {
    const s = without();
    cases[type]!.cause(s);
    expect(s.of(type)).toEqual([]);
  },
);

test('a unit is known to nobody before it is complete', () => {
  const s = stage();
  createUnit(s.game, { type: s.world.types.unit.get('unit')!, owner: s.player(1), x: 640, y: 640, angle: 0 });
  expect(s.announced.filter(({ entity, payload }) => entity === 'u1' || payload['entity'] === 'u1').at(-1)?.type).toBe(
    'entityCreated',
  );
});
