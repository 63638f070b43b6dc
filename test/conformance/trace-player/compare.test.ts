import { describe, expect, test } from 'vitest';
import { compareCase } from './compare.ts';
import type { Recording } from './recording.ts';
import { fired, madeUpTrace, replayOf } from './support.ts';
import type { Members, SampleDelta, TraceFile, TraceTrigger } from './trace.ts';

const still = { id: 'u1', x: 100, y: 100, angle: 0, vx: 0, vy: 0, body: [100, 100, 0, 0], type: 'u' };

/** A unit at 20 samples per second. `change` modifies its recorded values from the given sample on. */
function walk(count: number, change: (index: number) => object = () => ({})): SampleDelta[] {
  return Array.from({ length: count }, (_, index) => ({
    t: index / 20,
    units: [{ ...still, ...change(index) } as Members],
    players: [],
    variables: {},
  }));
}

/** The same game with something done differently by our engine. */
function altered(trace: TraceFile, change: (index: number) => object): Recording {
  return replayOf({ ...trace, samples: walk(trace.samples.length, change) });
}

describe('motion', () => {
  const cases: [family: string, offPx: number, contact: boolean, same: boolean][] = [
    ['a', 0.009, false, true],
    ['a', 0.02, false, false],
    ['b', 0.9, false, true],
    ['b', 1.1, false, false],
    ['b', 2.9, true, true],
    ['b', 3.1, true, false],
    ['c', 2.9, false, true],
    ['c', 3.1, false, false],
    ['p', 0.09, false, true],
    ['p', 0.2, false, false],
    ['p', 2.9, true, true],
    ['n', 9.9, false, true],
    ['n', 10.1, false, false],
    ['f', 500, false, true],
  ];
  test.each(cases)('family %s, %d px off, after a contact %s: same %s', (family, offPx, contact, same) => {
    const touched: TraceTrigger = { t: 0, scope: 'entity', entity: 'u1', type: 'entityTouchesUnit' };
    const trace = madeUpTrace({ family, samples: walk(4), triggers: contact ? [touched] : [] });
    const differences = compareCase(
      trace,
      altered(trace, () => ({ x: 100 + offPx })),
    );
    // Our engine fires no triggers here; only the position matters.
    const paths = differences.map(({ path }) => path).filter((path) => !path.startsWith('triggers'));
    expect(paths).toEqual(same ? [] : ['u1.x', 'u1.x', 'u1.x', 'u1.x']);
  });

  test('reports a missing body', () => {
    const trace = madeUpTrace({ samples: walk(2) });
    const got = altered(trace, (index) => (index === 1 ? { vx: null, vy: null, body: null } : {}));
    expect(compareCase(trace, got).map(({ path }) => path)).toEqual(['u1.vx', 'u1.vy', 'u1.body']);
  });

  test('only carried items are measured in the family of items', () => {
    const item = { id: 'i1', x: 10, y: 10, vx: null, vy: null, body: null, owner: null };
    const samples = (owner: string | null, x: number): SampleDelta[] => [
      { t: 0, items: [{ ...item, owner, x }], players: [] },
    ];
    const dropped = madeUpTrace({ family: 'k', samples: samples(null, 10) });
    expect(compareCase(dropped, replayOf({ ...dropped, samples: samples(null, 50) }))).toEqual([]);
    const carried = madeUpTrace({ family: 'k', samples: samples('u1', 10) });
    expect(compareCase(carried, replayOf({ ...carried, samples: samples('u1', 50) }))).toHaveLength(1);
  });
});

describe('time', () => {
  const at = (from: number) => (index: number) => ({ attributes: { health: index < from ? 10 : 5 } });
  const cases: [family: string, recorded: number, ours: number, same: boolean][] = [
    ['k', 3, 3, true],
    ['k', 3, 4, true],
    ['k', 3, 2, true],
    ['k', 3, 5, false],
    ['f', 3, 3, true],
    ['f', 3, 4, false],
    ['n', 3, 5, true],
    ['n', 3, 6, false],
  ];
  test.each(cases)('family %s: recorded at tick %d, ours at tick %d: same %s', (family, recorded, ours, same) => {
    const trace = madeUpTrace({ family, samples: walk(8, at(recorded)) });
    expect(compareCase(trace, altered(trace, at(ours))).length === 0).toBe(same);
  });

  test('an entity may come and go a tick later, but no more', () => {
    const until = (end: number): SampleDelta[] =>
      walk(6).map((sample, index) => (index < end ? sample : { ...sample, units: [] }));
    const trace = madeUpTrace({ family: 'l', samples: until(3) });
    expect(compareCase(trace, replayOf({ ...trace, samples: until(4) }))).toEqual([]);
    expect(compareCase(trace, replayOf({ ...trace, samples: until(5) }))).toMatchObject([
      { timeSeconds: 0.15, path: 'u1', expected: 'does not exist', got: 'exists' },
    ]);
    expect(compareCase(trace, replayOf({ ...trace, samples: until(1) }))).toMatchObject([
      { timeSeconds: 0.1, path: 'u1', expected: 'exists', got: 'does not exist' },
    ]);
  });
});

describe('values', () => {
  const cases: [recorded: unknown, ours: unknown, same: boolean][] = [
    [5, 5.000001, true],
    [5, 5.00001, false],
    ['5', 5, false],
    [null, '$undefined', false],
    ['$NaN', '$NaN', true],
    ['@u1', '@u1', true],
    ['@u1', '@u2', false],
    [{ x: 1, y: 2 }, { y: 2, x: 1 }, true],
    [{ x: 1 }, { x: 1, y: 2 }, false],
    // A position that was copied from an entity, with internal members of the recorded engine.
    [{ x: 1, y: 2, z: 0, _floor: false, x2: 0.5, y2: 1, z2: 0 }, { x: 1, y: 2 }, true],
    [{ x: 1, y: 2, z: 0, _floor: false, x2: 0.5, y2: 1, z2: 0 }, { x: 1, y: 3 }, false],
    [{ x: 1, y: 2, z: 0 }, { x: 1, y: 2 }, false],
    [['@u1'], ['@u1', '@u2'], false],
    [1e15, 1e15 + 1, false],
  ];
  test.each(cases)('%j recorded, %j ours: same %s', (recorded, ours, same) => {
    const samples = (v: unknown): SampleDelta[] => [{ t: 0, players: [], variables: { v } }];
    const trace = madeUpTrace({ family: 'h', samples: samples(recorded) });
    expect(compareCase(trace, replayOf({ ...trace, samples: samples(ours) })).length === 0).toBe(same);
  });

  test.each([
    [{ default: 5 }, true],
    [{}, false],
  ])('null recorded, no value ours: the same where a default (%j) was used up: %s', (variable, same) => {
    const definition = { data: { variables: { v: { dataType: 'number', ...variable } } } };
    const samples = (v: unknown): SampleDelta[] => [{ t: 0, players: [], variables: { v } }];
    const trace = madeUpTrace({ family: 'h', definition, samples: samples(null) });
    expect(compareCase(trace, replayOf({ ...trace, samples: samples('$undefined') })).length === 0).toBe(same);
  });

  test('in the families of the script language only the final variables count', () => {
    const samples = (first: number): SampleDelta[] => [
      { t: 0, variables: { v: first } },
      { t: 0.05, variables: { v: 3 } },
    ];
    const trace = madeUpTrace({ family: 'j', samples: samples(1) });
    expect(compareCase(trace, replayOf({ ...trace, samples: samples(2) }))).toEqual([]);
  });

  test('the number of trailing empty slots does not matter, but the positions of others do', () => {
    const slots = (list: unknown[]) => () => ({ slots: list });
    const trace = madeUpTrace({ family: 'k', samples: walk(1, slots([null, 'i1'])) });
    expect(compareCase(trace, altered(trace, slots([null, 'i1', null, null])))).toEqual([]);
    expect(compareCase(trace, altered(trace, slots(['i1'])))).toHaveLength(1);
  });

  test('an owner who has left may be present or missing', () => {
    const owned = (owner: string | null) => () => ({ owner });
    const trace = madeUpTrace({ family: 'o', samples: walk(1, owned('p2')) });
    expect(compareCase(trace, altered(trace, owned(null)))).toEqual([]);
    expect(compareCase(trace, altered(trace, owned('p1')))).toMatchObject([{ path: 'u1.owner', got: 'p1' }]);
    const present = madeUpTrace({ family: 'o', samples: walk(1, owned('u1')) });
    expect(compareCase(present, altered(present, owned(null)))).toMatchObject([{ path: 'u1.owner', got: null }]);
  });

  test('the parts of a record that differ are named', () => {
    const trace = madeUpTrace({ family: 'f', samples: walk(1, () => ({ attributes: { health: 10, mana: 3 } })) });
    const got = altered(trace, () => ({ attributes: { health: 9, mana: 3 } }));
    expect(compareCase(trace, got)).toMatchObject([{ path: 'u1.attributes.health', expected: 10, got: 9 }]);
  });

  test('a bot is of the kind "bot", and of no other', () => {
    const player = (kind: string, isBot = false) => ({ id: 'p1', kind, isBot, type: 'human', units: [] as string[] });
    const recorded = (kind: string) =>
      madeUpTrace({ family: 'o', samples: [{ t: 0, players: [{ id: 'p1', kind, type: 'human', units: [] }] }] });
    const paths = (kind: string, isBot: boolean) =>
      compareCase(
        recorded(kind),
        replayOf({ ...recorded(kind), samples: [{ t: 0, players: [player('human', isBot)] }] }),
      ).map(({ path }) => path);
    expect(paths('bot', true)).toEqual([]);
    expect(paths('human', false)).toEqual([]);
    expect(paths('bot', false)).toEqual(['p1.kind']);
    expect(paths('human', true)).toEqual(['p1.kind']);
  });

  test.each(['NaN', '$NaN'])('"%s" in a recording is NaN', (text) => {
    const recorded = madeUpTrace({ family: 'f', samples: walk(1, () => ({ attributes: { health: text } })) });
    const differs = (health: unknown) =>
      compareCase(
        recorded,
        altered(recorded, () => ({ attributes: { health } })),
      );
    expect(differs(Number.NaN)).toEqual([]);
    expect(differs(0).map(({ path }) => path)).toEqual(['u1.attributes.health']);
    expect(differs(null)).not.toEqual([]);
  });

  test('recordings may omit computer players without type and units', () => {
    const player = { id: 'c1', kind: 'computer', type: null, units: [] as string[], name: 'AI 1' };
    const trace = madeUpTrace({ family: 'o', samples: [{ t: 0, players: [] }] });
    const ours = (units: string[]) =>
      replayOf({ ...trace, samples: [{ t: 0, players: [{ ...player, units }] as unknown as Members[] }] });
    expect(compareCase(trace, ours([]))).toEqual([]);
    expect(compareCase(trace, ours(['u1']))).toMatchObject([{ path: 'c1', got: 'exists' }]);
  });
});

describe('triggers', () => {
  const second = (t: number): TraceTrigger => ({ t, scope: 'global', type: 'secondTick', heard: true });
  const join = (t: number): TraceTrigger => ({
    t,
    scope: 'global',
    type: 'playerJoinsGame',
    payload: { playerId: '@p1' },
    heard: true,
  });
  const hidden = (trigger: TraceTrigger): TraceTrigger => ({ ...trigger, heard: false });

  const cases: [what: string, family: string, recorded: TraceTrigger[], ours: TraceTrigger[], differences: number][] = [
    ['the same', 'a', [join(0.025), second(0.1)], [join(0.05), second(0.1)], 0],
    ['a tick late', 'a', [second(0.1)], [second(0.15)], 0],
    ['two ticks late', 'a', [second(0.1)], [second(0.2)], 2],
    ['a tick late where cadence is the point', 'g', [second(0.1)], [second(0.15)], 2],
    ['another order in one tick', 'a', [join(0.1), second(0.1)], [second(0.1), join(0.1)], 1],
    ['another order over two ticks', 'a', [join(0.1), second(0.15)], [second(0.1), join(0.15)], 0],
    [
      'another order over two ticks where order is the point',
      'd',
      [join(0.1), second(0.15)],
      [second(0.1), join(0.15)],
      1,
    ],
    ['one that nobody hears', 'a', [hidden(second(0.1))], [], 0],
    ['one too many', 'a', [], [second(0.1)], 1],
    ['another payload', 'a', [join(0.1)], [{ ...join(0.1), payload: { playerId: '@p2' } }], 2],
    [
      'an unheard contact in the family of contacts',
      'e',
      [{ t: 0.1, scope: 'global', type: 'unitTouchesUnit', payload: { unitId: '@u1' } }],
      [],
      1,
    ],
    [
      'later contacts of bouncing bodies',
      'b',
      [{ t: 0.1, scope: 'global', type: 'unitTouchesWall', payload: { unitId: '@u1' } }],
      [0.1, 0.2].map((t) => ({ t, scope: 'global', type: 'unitTouchesWall', payload: { unitId: '@u1' } })),
      0,
    ],
  ];
  test.each(cases)('%s (family %s)', (_what, family, recorded, ours, count) => {
    // Triggers of the last tick may be missing because the recording ended there, so the game continues.
    const trace = madeUpTrace({ family, samples: walk(11), triggers: recorded });
    const differences = compareCase(trace, { ...replayOf(trace), triggers: ours.map((trigger) => fired(trigger)) });
    expect(differences).toHaveLength(count);
  });

  test('the attribute of a trigger is compared by value', () => {
    const zero = (value: number): TraceTrigger => ({
      t: 0.1,
      scope: 'global',
      type: 'unitAttributeBecomesZero',
      payload: { attribute: { type: 'health', value, min: 0, max: 100 }, unitId: '@u1' },
      heard: true,
    });
    const trace = madeUpTrace({ samples: walk(4), triggers: [zero(5)] });
    const differences = compareCase(trace, { ...replayOf(trace), triggers: [fired(zero(4))] });
    expect(differences).toMatchObject([{ expected: { value: 5 }, got: { value: 4 } }]);
  });

  test('frame ticks are compared only where the recording has them', () => {
    const frame: TraceTrigger = { t: 0.1, scope: 'global', type: 'frameTick', heard: true };
    const silent = madeUpTrace({ samples: walk(4) });
    expect(compareCase(silent, { ...replayOf(silent), triggers: [fired(frame)] })).toEqual([]);
    const about = madeUpTrace({ family: 'g', samples: walk(4), triggers: [frame] });
    expect(compareCase(about, { ...replayOf(about), triggers: [fired(frame), fired(frame)] })).toHaveLength(1);
  });
});

describe('wandering', () => {
  const definition = { data: { unitTypes: { u: { ai: { enabled: true, idleBehaviour: 'wander' } } } } };
  const phases = (standing: number, walking: number) => (index: number) => ({
    ai: 'idle',
    moving: index >= standing && index < standing + walking,
  });
  const cases: [standing: number, walking: number, differences: number][] = [
    [60, 40, 0],
    [30, 40, 1],
    [60, 10, 1],
    [90, 90, 2],
  ];
  test.each(cases)('standing %d ticks, then walking %d ticks', (standing, walking, count) => {
    const trace = madeUpTrace({ family: 'n', definition, samples: walk(200, phases(70, 50)) });
    const got = altered(trace, (index) => ({ ...phases(standing, walking)(index), x: 100 + index }));
    // The pause after the walk has no end, so it is not measured.
    expect(compareCase(trace, got)).toHaveLength(count);
  });
});
