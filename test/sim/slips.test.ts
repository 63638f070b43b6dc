import { expect, test } from 'vitest';
import { loadDefinition, ReplayError, Simulation, SnapshotError } from '../../engine/index.ts';
import { load, play } from '../support/play.ts';

/** Calls that look right and would do nothing, or something else: each is refused and says what was meant. */
const game = {
  variables: {
    timeLeft: { dataType: 'number', default: 10 },
    night: { dataType: 'boolean', default: false },
    state: { dataType: 'string', default: 'day' },
    bag: { dataType: 'object', default: {} },
  },
};

test('a capital letter is no key, unless the game binds it', () => {
  const { sim } = play(game);
  const ada = sim.join({ name: 'Ada' });
  sim.step();
  expect(() => ada.press('D')).toThrow('There is no key "D". Did you mean "d"?');
  expect(() => ada.release('W')).toThrow('Did you mean "w"?');
  for (const key of ['d', '1', '[', 'space', 'é']) expect(() => ada.press(key)).not.toThrow();
});

test('a global variable takes only what its type takes', () => {
  const { sim } = play(game);
  for (const [name, wrong] of [
    ['timeLeft', 'text'],
    ['timeLeft', '5'],
    ['night', 1],
    ['state', 3],
  ] as const)
    expect(() => sim.edit.setGlobal(name, wrong), name).toThrow(
      expect.objectContaining({ code: 'bad-value', message: expect.stringContaining(`The variable ${name} is a `) }),
    );
  expect(sim.variable('timeLeft')).toBe(10);
  sim.edit.setGlobal('timeLeft', 5);
  sim.edit.setGlobal('bag', { a: 1 });
  expect([sim.variable('timeLeft'), sim.variable('bag')]).toEqual([5, { a: 1 }]);
  sim.edit.setGlobal('state', undefined);
});

test('a step is one tick, and does not count', () => {
  const { sim } = play(game);
  const before = sim.tick;
  expect(() => (sim.step as (ticks: number) => void).call(sim, 5)).toThrow('run({ ticks }) plays several');
  expect(sim.tick).toBe(before);
});

test('the name of a file is no definition', () => {
  const { game: none, issues } = loadDefinition('file.json');
  expect(none).toBeUndefined();
  expect(issues).toMatchObject([
    { code: 'not-a-definition', message: expect.stringMatching(/^This is a text, .* parse it first/) },
  ]);
});

test('errors go by their names', () => {
  const thrown = (() => {
    try {
      return Simulation.restore(load({}), new Uint8Array(8));
    } catch (error) {
      return error;
    }
  })();
  expect(thrown).toBeInstanceOf(SnapshotError);
  expect(String(thrown)).toMatch(/^SnapshotError: /);
  expect(new ReplayError('no-start', 'x').name).toBe('ReplayError');
});
