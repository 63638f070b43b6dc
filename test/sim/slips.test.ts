import { describe, expect, test } from 'vitest';
import { loadDefinition, ReplayError, Simulation, SnapshotError } from '../../engine/index.ts';
import { inputUnchecked } from '../../engine/tools.ts';
import { load, play, unitType } from '../support/play.ts';

/** Calls that look right but would do nothing, or something else: each is rejected with a suggestion. */
const game = {
  variables: {
    timeLeft: { dataType: 'number', default: 10 },
    night: { dataType: 'boolean', default: false },
    state: { dataType: 'string', default: 'day' },
    bag: { dataType: 'object', default: {} },
    boss: { dataType: 'unit' },
    winner: { dataType: 'player' },
    anyone: { dataType: 'entity' },
    home: { dataType: 'position', default: { x: 0, y: 0 } },
  },
  unitTypes: { orc: unitType({ variables: { rage: { dataType: 'number', default: 1 } } }) },
};

test('a capital letter is not a key, unless the game binds it', () => {
  const { sim } = play(game);
  const ada = sim.join({ name: 'Ada' });
  sim.step();
  expect(() => ada.press('D')).toThrow('There is no key "D". Did you mean "d"?');
  expect(() => ada.release('W')).toThrow('Did you mean "w"?');
  for (const key of ['d', '1', '[', 'space', 'é']) expect(() => ada.press(key)).not.toThrow();
});

describe('a key that differs from a known one by capitals only', () => {
  const bound = {
    ...game,
    unitTypes: { orc: unitType({ controls: { abilities: { Jump: {}, Q: {} } } }) },
  };
  const keyDown = (key: string) => ({ kind: 'keyDown', player: 'ada', key }) as const;

  test.each([
    ['D', 'd'],
    ['SPACE', 'space'],
    ['lookwheel', 'lookWheel'],
    ['É', 'é'],
    ['jump', 'Jump'],
  ])('is rejected as an input: %s', (key, meant) => {
    const { sim } = play(bound);
    for (const input of [keyDown(key), { ...keyDown(key), kind: 'keyUp' } as const])
      expect(() => sim.input(input)).toThrow(
        expect.objectContaining({ code: 'bad-key', message: `There is no key "${key}". Did you mean "${meant}"?` }),
      );
  });

  test('does not apply to keys that the game binds, or to other words', () => {
    const { sim } = play(bound);
    for (const key of ['Jump', 'Q', 'constructor', 'key 999', 'mouse9', 'ẞẞ']) sim.input(keyDown(key));
  });

  test('is accepted unchanged from recordings and clients', () => {
    const { sim } = play(game);
    sim.join({ clientId: 'ada' });
    sim.step();
    inputUnchecked(sim, keyDown('D'));
    sim.step();
    expect(sim.view().players.find(({ clientId }) => clientId === 'ada')?.keysDown).toEqual(['D']);
  });
});

test('a global variable accepts only values of its type', () => {
  const { sim } = play(game);
  for (const [name, wrong] of [
    ['timeLeft', 'text'],
    ['timeLeft', '5'],
    ['night', 1],
    ['state', 3],
  ] as const)
    expect(() => sim.edit.setGlobal(name, wrong), name).toThrow(
      expect.objectContaining({
        code: 'bad-value',
        message: expect.stringContaining(`The variable ${name} must be a `),
      }),
    );
  expect(sim.variable('timeLeft')).toBe(10);
  sim.edit.setGlobal('timeLeft', 5);
  sim.edit.setGlobal('bag', { a: 1 });
  expect([sim.variable('timeLeft'), sim.variable('bag')]).toEqual([5, { a: 1 }]);
  sim.edit.setGlobal('state', undefined);
});

test('a global variable for entities accepts only entities of its kind', () => {
  const { sim } = play(game);
  const ada = sim.join({ name: 'Ada' });
  sim.step();
  const orc = sim.edit.createUnit({ type: 'orc', x: 0, y: 0 });
  for (const [name, wrong, takes] of [
    ['boss', 5, 'a unit'],
    ['boss', true, 'a unit'],
    ['boss', 'u1', 'a unit'],
    ['boss', ada, 'a unit'],
    ['boss', {}, 'a unit'],
    ['winner', orc, 'a player'],
    ['anyone', 5, 'an entity'],
    ['home', 5, 'a position'],
    ['home', { x: 1 }, 'a position'],
    ['home', orc, 'a position'],
  ] as const)
    expect(() => sim.edit.setGlobal(name, wrong), `${name} ${wrong}`).toThrow(
      expect.objectContaining({
        code: 'bad-value',
        message: expect.stringContaining(`The variable ${name} must be ${takes}, not `),
      }),
    );
  expect(['boss', 'winner', 'anyone'].map((name) => sim.variable(name))).toEqual([undefined, undefined, undefined]);
  sim.edit.setGlobal('boss', orc);
  sim.edit.setGlobal('winner', ada);
  sim.edit.setGlobal('anyone', ada);
  sim.edit.setGlobal('home', { x: 1, y: 2 });
  expect(['boss', 'winner', 'anyone', 'home'].map((name) => sim.variable(name))).toEqual([
    orc,
    ada,
    ada,
    { x: 1, y: 2 },
  ]);
  sim.edit.setGlobal('boss', undefined);
  expect(sim.variable('boss')).toBeUndefined();
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('no variable accepts %s', (number) => {
  const { sim } = play(game);
  const orc = sim.edit.createUnit({ type: 'orc', x: 0, y: 0 });
  const code = (noun: string) =>
    expect.objectContaining({ code: 'bad-value', message: `${noun} must contain only finite numbers, not ${number}.` });
  expect(() => sim.edit.setGlobal('timeLeft', number)).toThrow(code('The variable timeLeft'));
  expect(() => sim.edit.setGlobal('home', { x: 1, y: number })).toThrow(code('The variable home'));
  expect(() => sim.edit.setGlobal('bag', { prices: [1, number] })).toThrow(code('The variable bag'));
  expect(() => sim.edit.setVariable(orc, 'rage', number)).toThrow(code(`The variable rage of ${orc}`));
  expect([sim.variable('timeLeft'), sim.variable('bag'), orc.variable('rage')]).toEqual([10, {}, 1]);
});

test('step() plays one tick and has no argument', () => {
  const { sim } = play(game);
  const before = sim.tick;
  expect(() => (sim.step as (ticks: number) => void).call(sim, 5)).toThrow('Use run({ ticks }) for several');
  expect(sim.tick).toBe(before);
});

test('a file name is not a definition', () => {
  const { game: none, issues } = loadDefinition('file.json');
  expect(none).toBeUndefined();
  expect(issues).toMatchObject([
    { code: 'not-a-definition', message: expect.stringMatching(/^This is a string\. .* JSON\.parse/) },
  ]);
});

test('errors have names', () => {
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
