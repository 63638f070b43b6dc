import { describe, expect, test } from 'vitest';
import { type Input, Simulation } from '../../engine/index.ts';
import { viewState } from '../../engine/sim/view.ts';
import { internalsOf, Kind, noEntity } from '../../engine/tools.ts';
import { attribute, body, joinAs, load, play, script, unitType } from '../support/play.ts';
import { note, noting, trailOf, trailVariable, variable } from '../support/trail.ts';

const walkers = {
  unitTypes: { walker: unitType({ bodies: { default: body({ linearDamping: 10 }) } }) },
  scripts: { join: joinAs('walker') },
};

describe('time', () => {
  test('tick 0 is the state after the start scripts', () => {
    const game = play({ variables: trailVariable, scripts: { start: noting('start', 'gameStart') } });
    expect([game.sim.tick, game.sim.nowMs, trailOf(game)]).toEqual([0, 0, 'start']);
  });

  test.each([1, 7, 20, 60, 240])('%d ticks are a second', (frameRate) => {
    const { sim } = play({ defaultData: { frameRate } });
    expect(sim.rate).toBe(frameRate);
    sim.run({ seconds: 3 });
    expect([sim.tick, sim.nowMs]).toEqual([3 * frameRate, 3000]);
    sim.run({ ticks: 2 });
    expect(sim.tick).toBe(3 * frameRate + 2);
    sim.step();
    expect(sim.tick).toBe(3 * frameRate + 3);
  });

  test('runUntil stops at the first tick at which the condition holds, or at the time limit', () => {
    const { sim } = play();
    expect(sim.runUntil((each) => each.tick === 7, { seconds: 1 })).toBe(true);
    expect(sim.tick).toBe(7);
    expect(sim.runUntil((each) => each.tick === 7, { seconds: 1 })).toBe(true);
    expect(sim.tick).toBe(7);
    expect(sim.runUntil(() => false, { seconds: 1 })).toBe(false);
    expect(sim.tick).toBe(27);
  });
});

describe('players', () => {
  test('join at the next tick, get a unit, steer it and leave', () => {
    const { sim } = play(walkers);
    const ann = sim.join({ name: 'Ann' });
    expect([ann.clientId, ann.entity, ann.unit]).toEqual(['p1', noEntity, undefined]);
    sim.step();
    expect(internalsOf(sim).world.ref(ann.entity)?.id).toBe('p1');
    expect(internalsOf(sim).world.is(ann.unit!.entity, Kind.unit)).toBe(true);
    const before = internalsOf(sim).world.ref(ann.unit!.entity);
    const from = internalsOf(sim).game.physics.bodyX(ann.unit!.entity);
    ann.press('d');
    sim.run({ ticks: 10 });
    const reached = internalsOf(sim).game.physics.bodyX(ann.unit!.entity);
    expect(reached).toBeGreaterThan(from + 20);
    ann.release('d');
    sim.run({ ticks: 60 });
    const stopped = internalsOf(sim).game.physics.bodyX(ann.unit!.entity);
    sim.run({ ticks: 10 });
    expect(internalsOf(sim).game.physics.bodyX(ann.unit!.entity)).toBeCloseTo(stopped, 3);
    ann.leave();
    sim.step();
    expect([ann.entity, ann.unit]).toEqual([noEntity, undefined]);
    // The unit stays (reference: players#leaving).
    expect(sim.entities('unit').map((unit) => internalsOf(sim).world.ref(unit))).toEqual([before]);
  });

  test('are named in order of joining, unless the host names them', () => {
    const { sim } = play();
    expect([sim.join(), sim.join({ clientId: 'host' }), sim.join()].map(({ clientId }) => clientId)).toEqual([
      'p1',
      'host',
      'p2',
    ]);
    sim.step();
    expect(
      sim
        .entities('player')
        .slice(-3)
        .map((player) => internalsOf(sim).world.ref(player)?.id),
    ).toEqual(['p1', 'host', 'p2']);
  });

  test('point, talk and answer through their handle', () => {
    const game = play({
      ...walkers,
      variables: trailVariable,
      scripts: {
        ...walkers.scripts,
        answer: noting(
          { function: 'playerCustomInput', player: { function: 'getTriggeringPlayer' } },
          'playerCustomInput',
        ),
        chat: noting(
          { function: 'getLastChatMessageSentByPlayer', player: { function: 'getTriggeringPlayer' } },
          'playerSendsChatMessage',
        ),
      },
    });
    const ann = game.sim.join();
    game.ticks(1);
    ann.pointAt(10, 20);
    ann.say('hello');
    ann.answer('yes');
    game.ticks(1);
    expect(trailOf(game)).toBe('yes hello');
    const { mouseX, mouseY } = game.world.components.controls.find((controls) => controls !== undefined)!;
    expect([mouseX, mouseY]).toEqual([10, 20]);
  });
});

describe('inputs', () => {
  const refusals: readonly (readonly [Input, string])[] = [
    [{ kind: 'leave', player: 'nobody' }, 'no-such-player'],
    [{ kind: 'keyDown', player: 'nobody', key: 'w' }, 'no-such-player'],
    [{ kind: 'chat', player: 'nobody', text: 'hi' }, 'no-such-player'],
    [{ kind: 'buyItem', player: 'p1', type: 'nothing' }, 'refused'],
    [{ kind: 'buyUnit', player: 'p1', type: 'nothing' }, 'refused'],
    [{ kind: 'swapItems', player: 'p1', from: 0, to: 1 }, 'no-such-entity'],
    [{ kind: 'dialogueOption', player: 'p1', dialogue: 'none', option: 'none' }, 'refused'],
    [{ kind: 'tradeClick', player: 'p1', withUnit: 'u9' }, 'no-such-entity'],
    [{ kind: 'dropItemOnCanvas', player: 'p1', item: 'i9' }, 'no-such-entity'],
    [{ kind: 'trade', player: 'p1', type: 'accept' }, 'refused'],
    [{ kind: 'moderate', player: 'p1', action: 'kick', target: 'p2' }, 'not-permitted'],
    [{ kind: 'httpAnswer', requestId: 7, body: {} }, 'refused'],
  ];
  test.each(refusals)('%j is rejected: %s', (input, reason) => {
    const { sim } = play();
    sim.join();
    sim.step();
    const heard: unknown[] = [];
    sim.on('refused', (refused) => heard.push(refused));
    sim.input(input);
    expect(heard).toEqual([]);
    sim.step();
    expect(heard).toEqual([expect.objectContaining({ input, reason })]);
  });

  test('joining has no effect for a player who is in the game already', () => {
    const game = play({ variables: trailVariable, scripts: { join: noting('join', 'playerJoinsGame') } });
    game.sim.join({ clientId: 'ann' });
    game.sim.join({ clientId: 'ann' });
    game.ticks(1);
    expect(trailOf(game)).toBe('join');
  });

  test('are copied: later changes by the sender have no effect', () => {
    const game = play({
      variables: trailVariable,
      scripts: {
        click: noting({ function: 'getEntityId', entity: { function: 'getTriggeringPlayer' } }, 'htmlUiClick'),
      },
    });
    game.sim.join({ clientId: 'ann' });
    game.sim.join({ clientId: 'bob' });
    const click = { kind: 'htmlClick' as const, player: 'ann', element: 'x' };
    game.sim.input(click);
    click.player = 'bob';
    game.ticks(1);
    expect(trailOf(game)).toBe('ann');
  });
});

describe('listeners', () => {
  const failure = new Error('no');
  const fail = (): never => {
    throw failure;
  };

  test('that throw are reported, and affect neither the world nor other listeners', () => {
    const quiet = play(walkers);
    const loud = play(walkers);
    const ticks: number[] = [];
    const failures: unknown[] = [];
    loud.sim.on('error', (failed) => failures.push(failed));
    loud.sim.on('tick', fail);
    loud.sim.on('tick', (tick) => ticks.push(tick));
    for (const game of [quiet, loud]) {
      game.sim.join();
      game.ticks(3);
    }
    expect(failures).toEqual([1, 2, 3].map((tick) => ({ listener: 'tick', error: failure, tick })));
    expect(ticks).toEqual([1, 2, 3]);
    expect(loud.sim.hash()).toBe(quiet.sim.hash());
  });

  const failing: [listener: string, (sim: Simulation) => void][] = [
    ['trigger', (sim) => sim.observe(fail)],
    ['phase', (sim) => sim.observePhases(fail)],
    ['tick', (sim) => sim.on('tick', fail)],
    ['an error', (sim) => [sim.on('tick', fail), sim.on('error', fail)]],
  ];
  test.each(failing)('%s: without a listener for errors, the error is thrown after the tick', (_, listen) => {
    const quiet = play(walkers);
    const loud = play(walkers);
    quiet.ticks(2);
    listen(loud.sim);
    for (const tick of [1, 2]) {
      let thrown: unknown;
      try {
        loud.sim.step();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(AggregateError);
      expect((thrown as AggregateError).errors[0]).toBe(failure);
      expect((thrown as AggregateError).message).toMatch(`in tick ${tick}. The first: no`);
    }
    expect([loud.sim.tick, loud.sim.hash()]).toEqual([2, quiet.sim.hash()]);
  });

  test('that throw while the game starts make the constructor throw, unless errors have a listener', () => {
    const loaded = load({ scripts: { start: script('gameStart', []) } });
    expect(() => new Simulation(loaded, { observer: fail })).toThrow(AggregateError);
    const failures: unknown[] = [];
    new Simulation(loaded, { observer: fail, onError: ({ listener }) => failures.push(listener) });
    expect(new Set(failures)).toEqual(new Set(['trigger']));
  });

  test('can be removed', () => {
    const { sim } = play();
    const ticks: number[] = [];
    const stop = sim.on('tick', (tick) => ticks.push(tick));
    sim.run({ ticks: 2 });
    stop();
    sim.run({ ticks: 2 });
    expect(ticks).toEqual([1, 2]);
  });

  test('receive the first fault of each source location', () => {
    const { sim } = play({
      scripts: { frame: script('frameTick', [{ type: 'setVariable', variableName: 'nobody', value: 1 }]) },
    });
    const codes: string[] = [];
    sim.on('fault', ({ code, at }) => codes.push(`${code} ${at}`));
    sim.run({ ticks: 3 });
    expect(codes).toEqual(['no-such-variable scripts/frame/actions/0']);
  });

  test('in the options receive triggers and outputs from the start', () => {
    const heard: string[] = [];
    const say = { type: 'sendChatMessage', message: 'welcome' };
    const bad = { type: 'setVariable', variableName: 'nobody', value: 1 };
    new Simulation(load({ scripts: { start: script('gameStart', [say, bad]) } }), {
      observer: (type) => heard.push(type),
      onOutput: ({ kind }) => heard.push(kind),
      onFault: ({ code }) => heard.push(code),
    });
    expect(heard[0]).toBe('gameStart');
    expect(heard.slice(1)).toEqual(['chat', 'no-such-variable']);
  });
});

describe('the end', () => {
  const ending = {
    variables: trailVariable,
    scripts: {
      frame: noting('frame', 'frameTick'),
      end: script('playerCustomInput', [note('end'), { type: 'endGame' }, note('last')]),
    },
  };

  test('a game that has ended cannot be stepped', () => {
    const game = play(ending);
    const { sim } = game;
    const ann = sim.join();
    sim.step();
    expect(sim.ended).toBe(false);
    ann.answer('');
    sim.run({ seconds: 5 });
    expect(sim.ended).toBe(true);
    expect(sim.tick).toBe(2);
    const hash = sim.hash();
    sim.step();
    sim.run({ ticks: 10 });
    expect(sim.runUntil(() => false, { seconds: 1 })).toBe(false);
    expect([sim.tick, sim.hash()]).toEqual([2, hash]);
    expect(trailOf(game).split(' ').slice(0, 3)).toEqual(['frame', 'end', 'last']);
  });
});

describe('variables', () => {
  const data = {
    variables: {
      ...trailVariable,
      score: { dataType: 'number', default: 7 },
      empty: { dataType: 'number' },
      friend: { dataType: 'player', default: 'computer3' },
      square: { dataType: 'region', default: { x: 10, y: 20, width: 30, height: 40 } },
    },
    scripts: {
      move: script('secondTick', [{ type: 'setVariable', variableName: 'square', value: variable('home') }]),
      answer: script('playerCustomInput', [{ type: 'increaseVariableByNumber', variable: 'score', number: 1 }]),
      click: script('htmlUiClick', [note(variable('score'))]),
    },
  };

  test('are read as a script would, without consuming their default', () => {
    const game = play(data);
    const before = game.sim.hash();
    expect([game.variable('score'), game.variable('empty'), game.variable('nobody')]).toEqual([
      7,
      undefined,
      undefined,
    ]);
    expect(game.sim.hash()).toBe(before);
    game.sim.join();
    game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
    game.ticks(1);
    // The variable had not been read, so there was no value to add to (reference: variables#adding).
    expect(game.variable('score')).toBe(7);
    game.sim.input({ kind: 'htmlClick', player: 'p1', element: '' });
    game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
    game.ticks(1);
    expect([trailOf(game), game.variable('score')]).toEqual(['7', 8]);
  });

  test('a default that names a computer player is returned as that player without consuming it', () => {
    const game = play(data);
    const before = game.sim.hash();
    expect(game.variable('friend')).toBe('@c3');
    expect(game.sim.hash()).toBe(before);
  });

  test('the variable of a region is the region, unless a script sets it to something else', () => {
    const game = play({
      ...data,
      variables: { ...data.variables, home: { dataType: 'position', default: { x: 1, y: 2 } } },
    });
    const shown = () => viewState(game.world, game.game.physics).variables;
    expect(game.variable('square')).toBe('@r:square');
    expect(shown()).toMatchObject({ square: { x: 10, y: 20, width: 30, height: 40 }, friend: 'computer3' });
    game.ticks(20);
    expect(game.variable('square')).toEqual({ x: 1, y: 2 });
    expect(shown()['square']).toEqual({ x: 1, y: 2 });
  });
});

test('entities that exist are listed oldest first', () => {
  const { sim } = play({
    unitTypes: { walker: unitType({ attributes: { health: attribute(1), speed: attribute(1) } }) },
    scripts: { join: joinAs('walker') },
  });
  sim.join();
  sim.join();
  sim.step();
  const ids = () => sim.entities('unit').map((unit) => internalsOf(sim).world.ref(unit)?.id);
  expect(ids()).toEqual(['u1', 'u2']);
  expect(sim.entities('player')).toHaveLength(12);
  expect(sim.entities('item')).toEqual([]);
});
