import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { besideCaller } from '../../src/scenario/judging/caller.ts';
import { failureText } from '../../src/scenario/telling/failure.ts';
import { type FailureReport, type Play, ScenarioFailure, scenario } from '../../src/scenario/testing.ts';
import { smallGame } from './small-game.ts';

function thrown(work: () => unknown): ScenarioFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof ScenarioFailure) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

const failure = (work: () => unknown): FailureReport => thrown(work).report;

test('a game is found relative to the calling file', () => {
  const absolute = fileURLToPath(import.meta.url);
  expect(besideCaller('small-game.ts', 'file:///elsewhere.ts')).toBe(
    fileURLToPath(new URL('small-game.ts', import.meta.url)),
  );
  expect(besideCaller('no-such-file.json', 'file:///elsewhere.ts')).toBe('no-such-file.json');
  expect(besideCaller(absolute, 'file:///elsewhere.ts')).toBe(absolute);
  expect(() => scenario({ game: 'small-game.ts' })).toThrow(/scenario.small-game\.ts cannot be read/);
});

describe('the stack of a failure begins in the test', () => {
  const play = smallGame({ players: ['ann'] });
  test.each([
    ['an expectation', () => play.expect('rings == 99')],
    ['an expectation by another method', () => play.expect('rings == 99', { within: '1 tick' })],
    ['a wait in which a promise breaks', () => play.never('rings == 0').wait(1)],
    ['an input of a player', () => play.player('ann').point('nowhere')],
    ['a value of an unknown name', () => play.value('rigns')],
    ['an expectation about a missing player', () => play.expect('zoe.score == 1')],
    ['a start that is impossible', () => smallGame({ variables: { rigns: 1 } })],
  ])('of %s', (_what, work) => {
    const { stack = '' } = thrown(work);
    const frames = stack.split('\n').filter((line) => /^ +at .*:\d+:\d+/.test(line) && !line.includes('node_modules'));
    expect(frames[0]).toMatch(/test.scenario.(?:play\.test|small-game)\.ts/);
  });
});

test('an argument that a method does not take is refused, as values and times may be meant as expectations', () => {
  const play = smallGame({ players: ['ann'] }) as unknown as Record<string, (...args: unknown[]) => Play>;
  for (const [method, args, message] of [
    ['value', ['rings', 3], 'value takes 1 argument, not 2.'],
    ['holds', ['rings == 0', '1 s'], 'holds takes 1 argument, not 2.'],
    ['always', ['rings == 0', '1 s', 'why'], 'always takes 2 arguments, not 3.'],
  ] as const)
    expect(() => play[method]!(...args)).toThrow(expect.objectContaining({ code: 'bad-value', message }));
  play['perform']!({ wait: 1 }, { wait: 1 }, { wait: 1 }).expect('rings == 0', { within: 1 }).until('rings == 0', 1);
});

describe('time and expectations', () => {
  let play: Play;
  beforeEach(() => {
    play = smallGame({ players: ['ann'] });
  });

  test('the time of a scenario starts after its `given`', () => {
    expect(play.seconds).toBe(0);
    expect(play.wait('3 ticks').seconds).toBeCloseTo(0.15);
    expect(play.wait(1).seconds).toBeCloseTo(1.15);
  });

  test('an expectation can hold within a time', () => {
    play.player('ann').press('d', '1 s');
    play.expect('ann.unit.x > 700', { within: 2 });
    const report = failure(() => play.expect('ann.unit.x > 1200', { within: 1 }));
    expect(report.expected).toBe('expected within 1 s: ann.unit.x > 1200');
    expect(report.found).toEqual([expect.stringMatching(/^ann\.unit\.x is \d+/)]);
    expect(report.differences.map(({ what }) => what)).not.toContain('mood');
  });

  test('an expectation can hold for a time', () => {
    play.player('ann').press('d');
    expect(failure(() => play.expect('ann.unit.x < 700', { for: 3 })).expected).toBe(
      'expected always: ann.unit.x < 700',
    );
  });

  test('`never` and `always` apply from then on', () => {
    play.never('mood == "angry"').always('rings <= 1');
    play.set({ rings: 1 }).wait(0.1);
    play.set({ rings: 2 });
    const report = failure(() => play.wait(0.1));
    expect(report).toMatchObject({ expected: 'expected always: rings <= 1', found: ['rings is 2'], tick: 4 });
    expect(report.differences).toContainEqual({ what: 'rings', before: '0', after: '2' });
  });

  test('a failure lists everything that changed since the last passed expectation, what the expectation mentions first', () => {
    play.perform({ spawn: { unit: 'dog', name: 'rex', at: [100, 100] } });
    play.perform({ spawn: { unit: 'dog', name: 'fido', at: [300, 100], owner: 'ann' } });
    play.wait('2 ticks').expect('rings == 0');
    play.set({ rings: 1, mood: 'annoyed', 'rex.health': 12.3456, 'ann.score': 7 });
    play.perform({ spawn: { item: 'bone', at: [300, 300] } }).wait('2 ticks');
    expect(failure(() => play.expect('rex.health > 50')).differences).toEqual([
      { what: 'rex (Guard Dog).health', before: '100', after: '12.346' },
      { what: 'mood', before: '"sleepy"', after: '"annoyed"' },
      { what: 'rings', before: '0', after: '1' },
      { what: 'items of type bone', before: '0', after: '1' },
      { what: 'ann.score', before: '0', after: '7' },
    ]);
  });

  test('`never` within a time ends with it', () => {
    play.never('rings > 0', '1 s');
    expect(play.set({ rings: 3 }).wait(1).seconds).toBe(2);
  });

  test('a failure names scripts that ran and false conditions with their operands', () => {
    play.set({ rings: 5 }).player('ann').say('ring');
    play.player('ann').say('ring again').wait(0.1);
    const thrown = failure(() => play.expect('rings == 6'));
    expect(thrown.scripts).toEqual([{ script: 'ring the bell', count: 2 }]);
    expect(thrown.falseConditions).toEqual([
      { tick: 2, seconds: 0.05, script: 'ring the bell', text: 'rings < 2', sides: ['rings is 5'], count: 2 },
    ]);
    expect(failureText(thrown)).toContain(
      '  scripts that ran: "ring the bell" 2x\n  conditions that were false\n        0.05 s  "ring the bell": rings < 2  (rings is 5), 2x\n',
    );
  });

  test('conditions that were false before an earlier expectation held are not reported', () => {
    play.set({ rings: 5 }).player('ann').say('ring').wait(0.1).expect('rings == 5').wait(0.1);
    expect(failure(() => play.expect('rings == 6'))).toMatchObject({ scripts: [], falseConditions: [] });
  });

  test('a failure shows the last events with their scripts, and the map', () => {
    const { events, picture } = failure(() => play.wait(0.1).expect('players == 2'));
    const greeting = events.find(({ text }) => text.startsWith('output chat'));
    expect(greeting).toMatchObject({
      text: 'output chat: to ann, op "system", text "Welcome."',
      from: '"player joins" action 2 (sendChatMessageToPlayer)',
    });
    expect(picture).toMatch(/^<svg .*yard.*Walker.*<\/svg>$/);
  });
});

describe('steps and events', () => {
  test('players can chat, which scripts receive', () => {
    const play = smallGame({ players: ['ann'] });
    play.player('ann').say('hello').wait('1 tick').expectValue('rings', 1);
    play.event('playerSendsChatMessage', { where: { player: 'ann' } });
    play.event('playerSendsChatMessage', { where: { player: 'u1' }, times: 0 });
    play.output('chat', { where: { text: '/^hel+o$/' } }).ran('ring the bell');
    play.order('playerJoinsGame', { output: 'chat' }, 'playerSendsChatMessage');
    expect(failure(() => play.order('playerSendsChatMessage', 'playerJoinsGame')).found).toEqual([
      'playerJoinsGame never happened after playerSendsChatMessage',
    ]);
  });

  test('events are counted, and similar ones are shown', () => {
    const play = smallGame({ players: ['ann', 'bob'] });
    play.event('playerJoinsGame', { times: 2 });
    const report = failure(() => play.output('chat', { where: { text: 'Goodbye.' } }));
    expect(report.expected).toBe('expected chat with {"text":"Goodbye."} at least once');
    expect(report.found).toEqual([
      'it happened 0 times',
      'with other details it happened 2 times; most recently:',
      expect.stringContaining('to ann'),
      expect.stringContaining('to bob'),
    ]);
  });

  test('an upper bound must hold until the end of the time', () => {
    const play = smallGame({ players: ['ann'] });
    play.player('ann').say('one');
    expect(failure(() => play.event('playerSendsChatMessage', { times: 0, within: 1 })).found[0]).toBe(
      'it happened once',
    );
  });

  test('entities can be spawned, moved, changed and destroyed', () => {
    const play = smallGame({ players: ['ann'] });
    play.spawn({ unit: 'dog', name: 'rex', at: 'yard', owner: 'ann' });
    play.expectValue('rex.owner', '@ann').expectValue('rex.Health', 100);
    play.set({ 'rex.health': 5 }).move('rex', [300, 300]).wait('2 ticks');
    play.expect('rex.health == 5 and rex.x == 300 and no units of type dog in region yard');
    play.give('ann', 'Bone', 2);
    play.expect('items of type Bone held by ann.unit == 1');
    play.destroy('rex').wait('1 tick');
    play.expect('no units of type dog');
    play.player('ann').leave().wait('1 tick');
    play.expect('players == 0');
    expect(() => play.player('ann').say('hm').wait('1 tick')).not.toThrow();
  });

  describe('a region as a position is its centre', () => {
    const middle = 'x == 100 and y == 100';
    const inYard = (play: Play, who: string): void => {
      play.expect(`${who}.x == 100 and ${who}.y == 100`);
    };

    test('for a unit that is given, spawned or moved', () => {
      const play = smallGame({
        players: [{ name: 'ann', unit: { at: 'yard' } }],
        entities: [{ unit: 'dog', name: 'rex', at: 'yard' }],
      });
      inYard(play, 'ann.unit');
      inYard(play, 'rex');
      play.spawn({ unit: 'dog', name: 'max', at: 'yard' });
      inYard(play, 'max');
      play.move('rex', [300, 300]).move('rex', 'yard');
      inYard(play, 'rex');
      play.expect(`units of type dog where (${middle}) == 2`);
    });

    test('for the mouse', () => {
      const play = smallGame({ players: [{ name: 'ann', unit: { at: [100, 300] } }] });
      play.player('ann').point('yard').wait('1 tick');
      expect(play.sim.view().players.find(({ name }) => name === 'ann')!.mouse).toEqual([100, 100]);
    });

    test('also by the id of the region', () => {
      const play = smallGame({ players: ['ann'] });
      play.move('ann', 'r:yard');
      inYard(play, 'ann.unit');
    });
  });

  test('a text in place of a number and a capital letter as a key are refused', () => {
    const play = smallGame({ players: ['ann'] });
    expect(failure(() => play.set({ rings: 'many' })).found[0]).toContain(
      'The variable rings must be a number, not "many".',
    );
    expect(failure(() => play.player('ann').press('D')).found[0]).toContain('Did you mean "d"?');
    play.expect('rings == 0');
  });

  test('steps of scenario files can be used', () => {
    const play = smallGame({ players: ['ann'], entities: [{ unit: 'dog', name: 'rex' }] });
    play.perform(
      { trade: 'rex', by: 'ann' },
      { send: { a: 1 }, by: 'ann' },
      { at: '1 s', say: 'ding', by: 'ann' },
      { wait: 0.1 },
      { expect: 'rings == 1 and time > 1' },
      { event: 'whenPlayerClickTradeOption', where: { player: 'ann', unit: 'rex' } },
      { event: 'whenDataReceivedFromClient', times: 1 },
    );
    expect(failure(() => play.perform({ expect: 'rings == 2' })).found).toEqual(['rings is 1']);
    expect(failure(() => play.perform({ at: '1 s', leave: 'ann' })).found[0]).toContain('`at: 1 s` is too late');
    expect(failure(() => play.perform({ expcet: 'rings == 2' } as never)).found[0]).toContain('is not a step');
  });

  test('a failed expectation reports the actual value', () => {
    const play = smallGame({ players: ['ann'] });
    expect(() => play.expectValue('ann.score', 3)).toThrow('expected ann.score to be 3\n  it is 0');
    expect(() => play.expectValue('ann.scor', 3)).toThrow('Did you mean "score"?');
    expect(() => play.expectValue('u1.owner', '@anne')).toThrow('Did you mean "ann"?');
    expect(() => play.expect('mood == "merry"')).toThrow('expected: mood == "merry"\n  mood is "sleepy"');
    expect(() => play.ran('stumble')).toThrow('expected script "stumble" to run at least once');
  });

  test('expectations about a missing entity fail', () => {
    const play = smallGame({ players: ['ann'] });
    play.player('ann').leave().wait('1 tick');
    expect(() => play.expectValue('ann.score', 3)).toThrow('ann is not in the game');
    expect(() => play.expect('ann.score != 3')).toThrow('ann is not in the game');
  });
});

describe('errors in a scenario name what the game has instead', () => {
  test.each<[string, (play: Play) => unknown, string]>([
    ['a player nobody knows', (play) => play.player('eve').say('hi'), 'There is no player "eve"; players are ann.'],
    [
      'a type',
      (play) => play.spawn({ unit: 'Gard Dog' }),
      'The game has no unit type "Gard Dog". Did you mean "Guard Dog"?',
    ],
    ['a variable', (play) => play.set({ moood: 1 }), 'Did you mean "mood"?'],
    ['an attribute', (play) => play.set({ 'ann.scor': 1 }), 'Did you mean "score"?'],
    [
      'an attribute of another type',
      (play) => play.set({ 'ann.health': 1 }),
      'ann has no attribute or variable "health"',
    ],
    ['no number', (play) => play.set({ 'ann.score': 'many' }), 'must be a number'],
    [
      'a text for a number of a player',
      (play) => play.set({ 'ann.badge': 'gold' }),
      'ann.badge cannot be set to "gold": it has a different type.',
    ],
    ['a thing', (play) => play.destroy('rex'), 'There is no entity, player or region "rex".'],
    ['a script', (play) => play.run('rnig the bell'), 'Did you mean "ring the bell"?'],
    ['two in one', (play) => play.spawn({ unit: 'dog', item: 'bone' }), 'exactly one'],
  ])('%s', (_what, work, message) => {
    const report = failure(() => work(smallGame({ players: ['ann'] })));
    expect(report.kind).toBe('mistake');
    expect(report.found.join()).toContain(message);
  });

  test('an invalid game is refused', () => {
    expect(() => smallGame({ game: { hello: 1 } })).toThrow('is not a game definition');
    expect(() => smallGame({ game: 'no/such/file.json' })).toThrow('File no/such/file.json not found.');
    expect(() => smallGame({ game: 'scenarios/games/outbrake.json' })).toThrow('mean scenarios/games/outbreak.json?');
  });
});

describe('faults and budgets', () => {
  test('a fault of the game fails the scenario, with script and action', () => {
    const report = failure(() =>
      smallGame({ players: ['ann'] })
        .run('stumble')
        .wait('1 tick'),
    );
    expect(report.kind).toBe('fault');
    expect(report.found[0]).toMatch(/^no-such-variable at "stumble" \(scripts\/stumble\/actions\/0\)/);
  });

  test('a fault is ignored if faults, or its code, are allowed', () => {
    smallGame({ players: ['ann'], faults: 'allow' })
      .run('stumble')
      .wait('1 tick');
    smallGame({ players: ['ann'], faults: ['no-such-variable'] })
      .run('stumble')
      .wait('1 tick');
    expect(
      failure(() =>
        smallGame({ faults: ['exception'] })
          .run('stumble')
          .wait('1 tick'),
      ).kind,
    ).toBe('fault');
  });

  test.each([
    [{ ticks: 10 }, 'expected at most 10 ticks'],
    [{ actions: 2 }, 'expected at most 2 actions'],
    [{ events: 3 }, 'expected at most 3 events'],
  ])('%j', (budget, expected) => {
    const report = failure(() => smallGame({ players: ['ann'], budget }).wait(5));
    expect(report).toMatchObject({ kind: 'budget', expected });
  });
});

test('the definition can be patched', () => {
  const play = smallGame({ definition: { variables: { mood: { default: 'merry' }, rings: null } } });
  play.expectValue('mood', 'merry');
  expect(() => play.value('rings')).toThrow(/Unknown name "rings"\..*\n +rings\n +\^/);
});

test('the same seed gives the same state, also with bots', () => {
  const hash = (seed: string): string => smallGame({ seed, bots: 3 }).wait(5).sim.hash();
  expect(hash('a')).toBe(hash('a'));
  expect(hash('a')).not.toBe(hash('b'));
});
