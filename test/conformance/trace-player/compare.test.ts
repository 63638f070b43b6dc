import { describe, expect, test } from 'vitest';
import { compareCase } from './compare.ts';
import type { Difference } from './difference.ts';
import { unexpected } from './exceptions.ts';
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
  const families = ['a', 'f', 'k', 'q', 'z'];
  test.each(families)('positions are compared in family %s, before and after contacts', (family) => {
    const touched: TraceTrigger = { t: 0, scope: 'entity', entity: 'u1', type: 'entityTouchesUnit' };
    const trace = madeUpTrace({ family, samples: walk(2), triggers: [touched] });
    const paths = (offPx: number) =>
      compareCase(
        trace,
        altered(trace, () => ({ x: 100 + offPx })),
      )
        .map(({ path }) => path)
        .filter((path) => !path.startsWith('triggers'));
    expect(paths(0.0009)).toEqual([]);
    expect(paths(0.002)).toEqual(['u1.x', 'u1.x']);
  });

  test.each([
    ['angle', { angle: 0.01 }],
    ['vx', { vx: 0.01 }],
    ['body', { body: [100, 100, 0, 0.01] }],
    ['body', { body: null }],
  ])('a different %s is reported: %j', (name, change) => {
    const trace = madeUpTrace({ family: 'k', samples: walk(1) });
    expect(
      compareCase(
        trace,
        altered(trace, () => change),
      ),
    ).toMatchObject([{ path: `u1.${name}` }]);
  });

  test('items that lie in the world are compared like others', () => {
    const item = { id: 'i1', x: 10, y: 10, angle: 0, vx: null, vy: null, body: null, owner: null };
    const samples = (change: object): SampleDelta[] => [{ t: 0, items: [{ ...item, ...change }], players: [] }];
    const trace = madeUpTrace({ family: 'k', samples: samples({}) });
    expect(compareCase(trace, replayOf({ ...trace, samples: samples({ x: 50, angle: 0.003 }) }))).toMatchObject([
      { path: 'i1.x' },
      { path: 'i1.angle' },
    ]);
  });
});

describe('time', () => {
  test('a change must come in the recorded tick', () => {
    const at = (from: number) => (index: number) => ({ attributes: { health: index < from ? 10 : 5 } });
    const trace = madeUpTrace({ family: 'k', samples: walk(8, at(3)) });
    expect(compareCase(trace, altered(trace, at(3)))).toEqual([]);
    expect(compareCase(trace, altered(trace, at(4)))).toMatchObject([
      { timeSeconds: 0.15, path: 'u1.attributes.health', expected: 5, got: 10 },
    ]);
  });

  test('an entity must come and go in the recorded tick', () => {
    const until = (end: number): SampleDelta[] =>
      walk(6).map((sample, index) => (index < end ? sample : { ...sample, units: [] }));
    const trace = madeUpTrace({ family: 'l', samples: until(3) });
    expect(compareCase(trace, replayOf({ ...trace, samples: until(4) }))).toMatchObject([
      { timeSeconds: 0.15, path: 'u1', expected: 'does not exist', got: 'exists' },
    ]);
    expect(compareCase(trace, replayOf({ ...trace, samples: until(2) }))).toMatchObject([
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

  test('variables are compared at every sample', () => {
    const samples = (first: number): SampleDelta[] => [
      { t: 0, variables: { v: first } },
      { t: 0.05, variables: { v: 3 } },
    ];
    const trace = madeUpTrace({ family: 'j', samples: samples(1) });
    expect(compareCase(trace, replayOf({ ...trace, samples: samples(2) }))).toMatchObject([{ path: 'variables.v' }]);
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

  const touch: TraceTrigger = {
    t: 0.1,
    scope: 'global',
    type: 'unitTouchesUnit',
    payload: { unitId: '@u1' },
    heard: false,
  };
  const cases: [what: string, recorded: TraceTrigger[], ours: TraceTrigger[], paths: string[]][] = [
    ['the same', [join(0.025), second(0.1)], [join(0.05), second(0.1)], []],
    ['a tick late', [second(0.1)], [second(0.15)], ['triggers.global secondTick()', 'triggers.global secondTick()']],
    ['another order', [join(0.1), second(0.1)], [second(0.1), join(0.1)], ['triggers.global secondTick()']],
    ['a queued one that nobody hears', [hidden(second(0.1))], [], []],
    ['a direct one that nobody hears', [touch], [], ['triggers.global unitTouchesUnit(unitId=@u1)']],
    ['one too many', [], [touch], ['triggers.global unitTouchesUnit(unitId=@u1)']],
    [
      'another payload',
      [join(0.1)],
      [{ ...join(0.1), payload: { playerId: '@p2' } }],
      ['triggers.global playerJoinsGame(playerId=@p1)', 'triggers.global playerJoinsGame(playerId=@p2)'],
    ],
  ];
  test.each(cases)('%s', (_what, recorded, ours, paths) => {
    const trace = madeUpTrace({ samples: walk(11), triggers: recorded });
    const differences = compareCase(trace, { ...replayOf(trace), triggers: ours.map((trigger) => fired(trigger)) });
    expect(differences.map(({ path }) => path)).toEqual(paths);
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

describe('exceptions of a case', () => {
  const difference = (path: string, expected: unknown, got: unknown): Difference => ({
    timeSeconds: 1,
    path,
    expected,
    got,
  });
  const why = 'chance';

  test('allow what they name, and nothing else', () => {
    const differences = [difference('i1.angle', 0, 1), difference('u1.angle', 0, 1)];
    expect(unexpected(differences, [{ path: '^i1\\.angle$', why }])).toEqual([differences[1]]);
  });

  test('allow numbers within a limit', () => {
    const exceptions = [{ path: 'i1', within: 0.01, why }];
    const near = [difference('i1.angle', 0, 0.009), difference('i1.body', [1, 2, 0, 0], [1, 2, 0.009, 0])];
    expect(unexpected(near, exceptions)).toEqual([]);
    const far = [difference('i1.angle', 0, 0.02), difference('i1.body', [1, 2, 0, 0], [1, 2, 0, 1])];
    const missing = [difference('i1', 'exists', 'does not exist'), difference('i1.body', [1, 2, 0, 0], null)];
    expect(unexpected([...near, ...far, ...missing], exceptions)).toEqual([...far, ...missing]);
  });

  test('are differences themselves once they allow nothing', () => {
    expect(unexpected([], [{ path: '^i1$', why }])).toMatchObject([{ path: 'exceptions.json' }]);
  });
});
