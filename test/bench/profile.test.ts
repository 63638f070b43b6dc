import { describe, expect, test, vi } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { internalsOf, programsOfGame } from '../../engine/tools.ts';
import { ScriptProfile } from '../../src/bench/profile.ts';
import { lazily } from '../support/lazily.ts';
import { document, script } from '../support/play.ts';

const data = {
  variables: { n: { dataType: 'number', default: 0 } },
  scripts: {
    each: {
      ...script('secondTick', [
        { type: 'runScript', scriptName: 'called' },
        {
          type: 'condition',
          conditions: [{ operator: '==', operandType: 'boolean' }, true, true],
          then: [{ type: 'setVariable', variableName: 'n', value: 1 }],
          else: [],
        },
      ]),
      name: 'each second',
    },
    called: { ...script([], [{ type: 'increaseVariableByNumber', variable: 'n', number: 1 }]), name: 'called' },
  },
};

function profiled(
  seconds: number,
  of: Parameters<typeof document>[0] = data,
): { sim: Simulation; profile: ScriptProfile } {
  const game = programsOfGame(loadDefinition(document(of)).game!).watched('actions');
  const sim = new Simulation(game);
  const profile = new ScriptProfile(programsOfGame(game).program('standard'));
  internalsOf(sim).runtime.observer = profile;
  sim.run({ seconds });
  return { sim, profile };
}

/** A clock that the test sets. */
function timed(steps: readonly number[]): ScriptProfile {
  const game = programsOfGame(loadDefinition(document(data)).game!).watched('actions');
  const profile = new ScriptProfile(programsOfGame(game).program('standard'));
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  for (const ms of steps) {
    profile.enter('trigger', 0);
    profile.enter('script', 0);
    now += ms;
    profile.leave();
    profile.leave();
  }
  clock.mockRestore();
  return profile;
}

test('an action, a trigger and a script below one action keep their own times, whatever their numbers are', () => {
  const game = programsOfGame(loadDefinition(document(data)).game!).watched('actions');
  const profile = new ScriptProfile(programsOfGame(game).program('standard'));
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const spent = { trigger: [1, 2], script: [4, 8], action: [16, 32] };
  profile.enter('action', 3);
  for (const kind of ['trigger', 'script', 'action'] as const) {
    for (const index of [0, 1]) {
      profile.enter(kind, index);
      now += spent[kind][index]!;
      profile.leave();
    }
  }
  profile.leave();
  clock.mockRestore();
  const { triggers, scripts, actions } = profile.rows(1);
  const times = (rows: typeof actions) => rows.map(({ selfMs }) => selfMs).filter((ms) => ms > 0);
  expect(times(triggers).sort((a, b) => a - b)).toEqual(spent.trigger);
  expect(times(actions).sort((a, b) => a - b)).toEqual(spent.action);
  // The time of its actions counts for the script.
  expect(times(scripts).reduce((sum, ms) => sum + ms, 0)).toBe(4 + 8 + 16 + 32);
});

test('the median of several runs ignores a pause in one of them', () => {
  const profile = timed([1, 50, 1]);
  profile.steady([timed([1, 1, 1]), timed([1, 1, 2])]);
  const { scripts, scriptsMs } = profile.rows(3);
  expect(scripts.map(({ calls, selfMs }) => [calls, selfMs])).toEqual([[3, 4]]);
  expect(scriptsMs).toBe(4);
});

describe('a profile', () => {
  const five = lazily(() => {
    const { sim, profile } = profiled(5);
    return { profile, rows: profile.rows(sim.tick) };
  });

  test('counts what triggers, scripts and actions ran', () => {
    const { rows } = five();
    expect(rows.triggers.map(({ name, calls }) => [name, calls])).toEqual([['secondTick', 5]]);
    expect(Object.fromEntries(rows.scripts.map(({ name, calls }) => [name, calls]))).toEqual({
      'each second': 5,
      called: 5,
    });
    expect(Object.fromEntries(rows.actions.map(({ place, calls }) => [place, calls]))).toEqual({
      'scripts/each/actions/0': 5,
      'scripts/each/actions/1': 5,
      'scripts/each/actions/1/then/0': 5,
      'scripts/called/actions/0': 5,
    });
  });

  test('a script that runs another has its time in its total and not in its own', () => {
    const { rows } = five();
    const { selfMs, totalMs } = rows.scripts.find(({ name }) => name === 'each second')!;
    const called = rows.scripts.find(({ name }) => name === 'called')!;
    expect(totalMs).toBeGreaterThan(called.totalMs);
    expect(selfMs + called.selfMs).toBeCloseTo(totalMs, 9);
  });

  test('a script has at least its own time in its total, also for actions that run later', () => {
    const later = {
      type: 'setTimeOut',
      duration: 100,
      actions: [{ type: 'setVariable', variableName: 'n', value: 1 }],
    };
    const waiting = { ...data, scripts: { a: { ...script('secondTick', [later]), name: 'waiting' } } };
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++);
    const { profile, sim } = profiled(5, waiting);
    clock.mockRestore();
    const { scripts } = profile.rows(sim.tick);
    expect(scripts.map(({ name, calls, selfMs, totalMs }) => [name, calls, selfMs === totalMs])).toEqual([
      ['waiting', 5, true],
    ]);
  });

  test('the shares of all scripts add up to 100 %', () => {
    const { rows } = five();
    expect(rows.scripts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  test('for speedscope has a stack for every weight, and all frames exist', () => {
    const { profile } = five();
    const { shared, profiles } = profile.speedscope('game') as {
      shared: { frames: { name: string }[] };
      profiles: { samples: number[][]; weights: number[]; endValue: number }[];
    };
    const { samples, weights, endValue } = profiles[0]!;
    expect(samples.length).toBe(weights.length);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(endValue, 9);
    const stacks = samples.map((sample) => sample.map((frame) => shared.frames[frame]!.name).join(' > '));
    expect(stacks).toContain('secondTick > each second > runScript > called > increaseVariableByNumber');
  });
});

test('a watched game plays the same', () => {
  const plain = new Simulation(loadDefinition(document(data)).game!);
  plain.run({ seconds: 5 });
  expect(profiled(5).sim.hash()).toBe(plain.hash());
});
