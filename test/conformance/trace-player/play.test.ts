import { describe, expect, test } from 'vitest';
import { lazily } from '../../support/lazily.ts';
import { inputOf, listeners, playCase } from './play.ts';
import { judge } from './run.ts';
import { madeUpTrace } from './support.ts';
import type { TraceInput } from './trace.ts';

const join = {
  triggers: [{ type: 'playerJoinsGame' }],
  actions: [
    {
      type: 'createUnitAtPosition',
      unitType: 'walker',
      entity: { function: 'getTriggeringPlayer' },
      position: { function: 'xyCoordinate', x: 100, y: 200 },
      angle: 0,
    },
    { type: 'setVariable', variableName: 'who', value: { function: 'getLastCreatedUnit' } },
  ],
};

const definition = {
  data: {
    map: { width: 10, height: 10, layers: [] },
    variables: { who: { dataType: 'unit' } },
    scripts: { join, hourly: { triggers: [{ type: 'secondTick' }, { type: 'frameTick' }], actions: [] } },
    unitTypes: {
      walker: {
        name: 'Walker',
        states: { default: { name: 'default', body: 'none' } },
        scripts: { made: { triggers: [{ type: 'entityCreated' }], actions: [] } },
      },
    },
  },
};

const trace = madeUpTrace({
  definition,
  inputs: [{ t: 0.075, player: 'p1', kind: 'join' }],
  samples: [{ t: 0 }, { t: 0.05 }, { t: 0.1 }, { t: 0.15 }],
});

describe('a case is played', () => {
  const recording = lazily(() => playCase(trace));

  test('with a state for every tick, the start scripts included', () => {
    expect(recording().views.map(({ tick }) => tick)).toEqual([0, 1, 2, 3]);
    expect(recording().rate).toBe(20);
    expect(recording().gameTicks).toBe(1);
  });

  test('with each input in the first tick that is not before it', () => {
    expect(recording().views.map(({ units }) => units.length)).toEqual([0, 0, 1, 1]);
    expect(recording().views[2]!.units[0]).toMatchObject({ id: 'u1', type: 'walker', x: 100, y: 200, owner: 'p1' });
    expect(recording().views[2]!.variables).toEqual({ who: '@u1' });
  });

  test('with the triggers in the order they fired, named and told as in recordings', () => {
    const told = recording().triggers.filter(({ tick }) => tick === 2);
    expect(told).toContainEqual({
      tick: 2,
      scope: 'global',
      entity: undefined,
      type: 'playerJoinsGame',
      payload: { playerId: '@p1' },
      heard: true,
    });
    expect(told).toContainEqual(
      expect.objectContaining({
        scope: 'global',
        type: 'entityCreatedGlobal',
        payload: { entityId: '@u1' },
        heard: false,
      }),
    );
    expect(told).toContainEqual(expect.objectContaining({ entity: 'u1', type: 'entityCreated', heard: true }));
    expect(recording().triggers[0]).toMatchObject({ tick: 0, type: 'gameStart', heard: false });
  });

  test('with players labelled in the order in which they come, bots among them, whatever inputs call them', () => {
    const bot = { triggers: [{ type: 'playerCustomInput' }], actions: [{ type: 'addBotPlayer', name: 'Bob' }] };
    const busy = {
      data: { ...definition.data, scripts: { join, bot } },
    };
    const { views } = playCase({
      ...trace,
      definition: busy,
      inputs: [
        { t: 0.025, player: 'x', kind: 'join' },
        { t: 0.03, player: 'y', kind: 'join' },
        { t: 0.075, player: 'y', kind: 'input', text: '' },
        { t: 0.125, player: 'x', kind: 'leave' },
        { t: 0.175, player: 'x', kind: 'join' },
        { t: 0.225, player: 'x', kind: 'input', text: '' },
      ],
      samples: [{ t: 0 }, { t: 0.25 }],
    });
    const players = (tick: number) =>
      views[tick]!.players.filter(({ kind }) => kind === 'human').map(({ id, name }) => `${id} ${name}`);
    expect(players(1)).toEqual(['p1 x', 'p2 y']);
    expect(players(2)).toEqual(['p1 x', 'p2 y', 'p3 Bob']);
    expect(players(4)).toEqual(['p2 y', 'p3 Bob', 'p4 x']);
    expect(players(5)).toEqual(['p2 y', 'p3 Bob', 'p4 x', 'p5 Bob']);
    expect(views[5]!.units.map(({ owner }) => owner)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
  });

  test('at 60 ticks a second where the two rates differ', () => {
    const mixed = playCase({ ...trace, definition: rated(60, 20), rates: { frameRate: 60, engineTickRate: 20 } });
    expect(mixed.rate).toBe(60);
    expect(mixed.gameTicks).toBe(3);
    expect(mixed.views).toHaveLength(10);
  });
});

function rated(frameRate: number, engineTickRate: number): unknown {
  return { data: { ...definition.data, defaultData: { frameRate, engineTickRate } } };
}

describe('a case is judged', () => {
  const silent = { ...trace, inputs: [], duration: 0 };
  const wrong = { ...silent, samples: [{ t: 0, variables: { who: 5 } }] };

  test('passed when it is the same', () => {
    expect(judge({ ...silent, samples: [{ t: 0, variables: { who: '$undefined' } }] }, '')).toMatchObject({
      outcome: 'passed',
    });
  });

  const cases: [knownBug: string | undefined, semantics: string, outcome: string][] = [
    [undefined, '', 'failed'],
    [undefined, 'See `made_up`.', 'failed'],
    ['half done', '', 'failed'],
    ['half done', 'See `made_up_b`.', 'failed'],
    ['half done', 'See `made_up`.', 'onPurpose'],
  ];
  test.each(cases)('known defect %j, document %j: %s', (knownBug, semantics, outcome) => {
    const result = judge(knownBug === undefined ? wrong : { ...wrong, knownBug }, semantics);
    expect(result.outcome).toBe(outcome);
    expect(result.differences).toHaveLength(1);
  });

  test('failed when it is no game', () => {
    expect(judge({ ...trace, definition: 5 }, '')).toMatchObject({
      outcome: 'failed',
      differences: [{ path: 'engine' }],
    });
  });
});

test('who listens is read from the scripts of the game and of its types', () => {
  const heard = listeners(definition);
  expect([...heard.get('')!]).toEqual(['playerJoinsGame', 'secondTick', 'frameTick']);
  expect([...heard.get('unitTypes/walker')!]).toEqual(['entityCreated']);
  expect([...listeners({}).get('')!]).toEqual([]);
  const { data } = definition;
  for (const document of [data, { gameJson: { status: 'success', data } }]) {
    expect(listeners(document)).toEqual(heard);
  }
});

describe('inputs of recordings', () => {
  const cases: [Omit<TraceInput, 't' | 'player'>, object][] = [
    [{ kind: 'join' }, { kind: 'join', name: 'p1', clientId: 'p1' }],
    [{ kind: 'rejoin' }, { kind: 'join', name: 'p1', clientId: 'p1' }],
    [{ kind: 'leave' }, { kind: 'leave', player: 'p1' }],
    [
      { kind: 'keyDown', device: 'key', key: 'w' },
      { kind: 'keyDown', player: 'p1', device: 'key', key: 'w' },
    ],
    [
      { kind: 'keyUp', device: 'mouse', key: 'button1' },
      { kind: 'keyUp', player: 'p1', device: 'mouse', key: 'button1' },
    ],
    [
      { kind: 'mouse', x: 3, y: 4 },
      { kind: 'mouse', player: 'p1', x: 3, y: 4 },
    ],
    [
      { kind: 'chat', text: 'hi' },
      { kind: 'chat', player: 'p1', text: 'hi' },
    ],
    [
      { kind: 'input', text: 'go' },
      { kind: 'customInput', player: 'p1', text: 'go' },
    ],
    [
      { kind: 'htmlClick', data: { id: 'b1' } },
      { kind: 'htmlClick', player: 'p1', element: 'b1' },
    ],
    [
      { kind: 'buy', item: 'a' },
      { kind: 'buyItem', player: 'p1', type: 'a' },
    ],
    [
      { kind: 'swap', from: 0, to: 2 },
      { kind: 'swapItems', player: 'p1', from: 0, to: 2 },
    ],
  ];
  test.each(cases)('%j', (input, expected) => {
    expect(inputOf({ t: 0, player: 'p1', ...input } as TraceInput)).toEqual(expected);
  });

  test('one of an unknown kind is refused by name', () => {
    expect(() => inputOf({ t: 0, player: 'p1', kind: 'dance' })).toThrow('dance');
  });
});
