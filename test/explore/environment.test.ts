import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LoadedGame, loadDefinition } from '../../engine/index.ts';
import {
  Environment,
  type EnvironmentOptions,
  ExpressionError,
  explore,
  GameUnreadable,
  type Space,
} from '../../src/explore/library.ts';
import { attribute, body, document, joinAs, script, unitType } from '../support/play.ts';
import { each, set } from './support.ts';

/** A walker starts in the middle of the map; the goal lies to the right and above. */
const walk = document({
  unitTypes: {
    walker: unitType({ inventorySize: 0, bodies: { default: body({ linearDamping: 20 }) } }),
    stone: unitType(),
  },
  playerTypes: { human: { name: 'human', attributes: { coins: attribute(7) }, variables: {}, relationships: {} } },
  variables: {
    goal: { dataType: 'region', default: { x: 800, y: 448, width: 128, height: 128 } },
    round: { dataType: 'number', default: 3 },
  },
  scripts: { join: joinAs('walker'), second: each('secondTick', set('round', 4)), idle: script([], []) },
});
const options: EnvironmentOptions = {
  reward: 'units in region goal',
  end: 'units in region goal',
  ticksPerStep: 8,
  stepsMax: 40,
};

function gameOf(json: unknown): LoadedGame {
  return loadDefinition(json).game!;
}

const game = gameOf(walk);

function started(more: Partial<EnvironmentOptions> = {}): Environment {
  const environment = new Environment(game, { ...options, ...more });
  environment.reset('one');
  return environment;
}

/** The action in which a player holds some keys. */
function holding({ actionSpace }: Environment, ...keys: readonly string[]): number[] {
  return actionSpace.names.map((name) => (keys.includes(name) ? 1 : 0));
}

const flags = (...of: readonly number[]): Uint8Array => Uint8Array.from(of);

function observed(environment: Environment, player = 0): Readonly<Record<string, number>> {
  const { names } = environment.observationSpace;
  return Object.fromEntries(Array.from(environment.observe(player), (value, i) => [names[i]!, value]));
}

test('spaces follow from the definition', () => {
  const { observationSpace, actionSpace } = started({ nearest: 1 });
  expect(actionSpace.names.slice(0, 4)).toEqual(['w', 'a', 's', 'd']);
  expect(actionSpace.names.slice(-2)).toEqual(['mouseX', 'mouseY']);
  expect(observationSpace.names).toEqual([
    'unit',
    'x',
    'y',
    'velocityX',
    'velocityY',
    'unit.health',
    'unit.speed',
    'player.coins',
    'unit1.type',
    'unit1.x',
    'unit1.y',
    'item1.type',
    'item1.x',
    'item1.y',
    'goal.x',
    'goal.y',
    'round',
  ]);
  expect(observationSpace.shape).toEqual([1, observationSpace.names.length]);
  expect(actionSpace.shape).toEqual([1, actionSpace.names.length]);
  expect(started({ players: 3 }).actionSpace.shape[0]).toBe(3);
});

test('spaces have bounds, which observations keep', () => {
  const { observationSpace, actionSpace } = started({ nearest: 1 });
  const bounds = ({ names, low, high }: Space, name: string) => {
    const at = names.indexOf(name);
    return [low[at], high[at]];
  };
  const { POSITIVE_INFINITY: most, NEGATIVE_INFINITY: least } = Number;
  expect(bounds(actionSpace, 'd')).toEqual([0, 1]);
  expect(bounds(actionSpace, 'mouseX')).toEqual([-1280, 1280]);
  expect(bounds(observationSpace, 'x')).toEqual([0, 1280]);
  expect(bounds(observationSpace, 'unit1.type')).toEqual([0, 2]);
  expect(bounds(observationSpace, 'unit.health')).toEqual([0, 100]);
  expect(bounds(observationSpace, 'velocityX')).toEqual([least, most]);
  const environment = started({ nearest: 1 });
  for (let step = 0; step < 20; step++) {
    const { observation } = environment.step(holding(environment, step % 2 === 0 ? 'a' : 's'));
    const outside = observationSpace.names.filter(
      (_, at) => !(observation[at]! >= observationSpace.low[at]! && observation[at]! <= observationSpace.high[at]!),
    );
    expect(outside).toEqual([]);
  }
});

test.each([
  ['d', 1.5, 'd of player 1 must be from 0 to 1, not 1.5'],
  ['d', Number.NaN, 'd of player 1 must be from 0 to 1, not NaN'],
  ['mouseY', -5000, 'mouseY of player 1 must be from -1280 to 1280, not -5000'],
])('an action whose %s is %d is refused by its name', (name, value, message) => {
  const environment = started({ players: 2 });
  const { names } = environment.actionSpace;
  const actions = [...holding(environment), ...holding(environment)];
  actions[names.length + names.indexOf(name)] = value;
  expect(() => environment.step(actions)).toThrow(message);
  expect(environment.sim.tick).toBe(1);
});

test('a player terminates alone, and the others go on', () => {
  const environment = started({ players: 2, reward: 'unit.x', end: 'unit.x > 800', ticksPerStep: 40, stepsMax: 3 });
  const { sim } = environment;
  sim.edit.move(sim.player('bot2').unit!, 300, 300);
  const actions = [...holding(environment, 'd'), ...holding(environment)];
  const first = environment.step(actions);
  expect([[...first.terminated], [...first.truncated], first.isOver]).toEqual([[1, 0], [0, 0], false]);
  const { x } = sim.player('bot1').unit!;
  environment.step([...holding(environment, 'a'), ...holding(environment)]);
  // What a player who has terminated sends does nothing, and is worth nothing.
  expect(first.rewards[0]).toBe(0);
  expect(sim.player('bot1').unit!.x).toBeGreaterThanOrEqual(x);
  environment.step(actions);
  expect([[...first.terminated], [...first.truncated], first.isOver]).toEqual([[1, 0], [0, 1], true]);
  environment.reset();
  environment.sim.input({ kind: 'leave', player: 'bot2' });
  expect([...environment.step(actions).terminated]).toEqual([1, 1]);
});

test('a reset returns what all players observe, by seeds that count', () => {
  const environment = started({ players: 2, nearest: 1 });
  const { observation, info } = environment.reset(5);
  expect(observation.length).toBe(2 * environment.observationSpace.names.length);
  expect([...observation]).toEqual([...environment.observe(0), ...environment.observe(1)]);
  expect(info).toEqual({ tick: 1 });
  environment.reset();
  const third = environment.sim.hash();
  environment.reset(2);
  expect(environment.sim.hash()).toBe(third);
});

test('limits hold', () => {
  const stones = (environment: Environment): void => {
    for (let i = 0; i < 20; i++) environment.sim.edit.createUnit({ type: 'stone', x: 1, y: 1 });
  };
  expect(() => stones(started())).not.toThrow();
  expect(() => stones(started({ limits: { entities: 20 } }))).toThrow(expect.objectContaining({ code: 'no-room' }));
});

test('a player observes its unit, what is near, regions and variables', () => {
  const environment = started({ nearest: 2 });
  const { sim } = environment;
  sim.edit.createUnit({ type: 'stone', x: 640, y: 900 });
  sim.edit.createUnit({ type: 'walker', x: 540, y: 640 });
  sim.edit.createUnit({ type: 'stone', x: 100, y: 100 });
  environment.step(holding(environment, 'd'));
  const { x, y } = sim.players({}).find(({ clientId }) => clientId === 'bot1')!.unit!;
  const seen = observed(environment);
  expect(seen).toMatchObject({ unit: 1, x: Math.fround(x), y: Math.fround(y), 'unit.health': 100, 'player.coins': 7 });
  // Eight ticks of a twentieth of a second each, of which the first accelerates.
  expect(seen['velocityX']).toBeCloseTo((x - 640) / (8 / 20), -2);
  expect(seen['velocityX']).toBeGreaterThan(100);
  expect(seen).toMatchObject({ 'unit1.type': 1, 'unit2.type': 2, 'item1.type': 0, round: 3 });
  expect(seen['unit1.x']).toBeCloseTo(540 - x, 3);
  expect(seen['unit2.y']).toBeCloseTo(900 - y, 3);
  expect(seen['goal.x']).toBeCloseTo(864 - x, 3);
  for (let i = 0; i < 3; i++) environment.step(holding(environment));
  expect(observed(environment)).toMatchObject({ velocityX: expect.closeTo(0, 0), round: 4 });
});

test('players act and observe on their own', () => {
  const environment = started({ players: 2, reward: 'unit.x', nearest: 1 });
  const { rewards } = environment.step([...holding(environment, 'a'), ...holding(environment, 'd')]);
  expect(rewards[0]).toBeLessThan(0);
  expect(rewards[1]).toBeGreaterThan(0);
  expect(observed(environment, 0)['unit1.x']).toBeGreaterThan(0);
  expect(observed(environment, 1)['unit1.x']).toBeLessThan(0);
});

test('equal seeds and actions give equal plays, and a fork goes on from its moment alone', () => {
  const [one, two] = [started(), started()];
  for (const each of [one, two]) each.step(holding(each, 'd'));
  const fork = one.fork();
  one.step(holding(one, 'd'));
  two.step(holding(two, 'd'));
  expect(two.sim.hash()).toBe(one.sim.hash());
  expect(fork.sim.tick).toBe(one.sim.tick - 8);
  // The fork knows which keys are held.
  fork.step(holding(fork));
  fork.step(holding(fork));
  expect(observed(fork)['velocityX']).toBeCloseTo(0, 0);
  expect(two.sim.hash()).toBe(one.sim.hash());
});

test('a key that is still held also moves a new unit', () => {
  const environment = started({ nearest: 1 });
  const { sim } = environment;
  environment.step(holding(environment, 'd'));
  sim.input({ kind: 'leave', player: 'bot1' });
  sim.join({ clientId: 'bot1' });
  sim.step();
  const before = sim.player('bot1').unit!.x;
  expect(before).toBeCloseTo(640, 0);
  environment.step(holding(environment, 'd'));
  expect(observed(environment)['x']).toBeGreaterThan(before + 20);
});

test('an episode is truncated after its steps, and must be reset after its end', () => {
  const environment = started({ stepsMax: 2, end: 'unit.x > 700', ticksPerStep: 20 });
  expect(environment.step(holding(environment))).toMatchObject({ isOver: false });
  expect(environment.step(holding(environment))).toMatchObject({
    terminated: flags(0),
    truncated: flags(1),
    isOver: true,
  });
  environment.reset('two');
  expect(environment.step(holding(environment, 'd'))).toMatchObject({
    terminated: flags(1),
    truncated: flags(0),
    isOver: true,
  });
  expect(() => environment.step(holding(environment))).toThrow('Call `reset`');
  environment.reset('three');
  expect(environment.step(holding(environment)).isOver).toBe(false);
});

test.each([
  [{ reward: 'unitz.x' }, 'expression-unknown-name'],
  [{ reward: undefined }, 'bad-option'],
  [{ end: 'round >' }, 'expression-syntax'],
  [{ players: 0 }, 'bad-option'],
  [{ ticksPerStep: 0.5 }, 'bad-option'],
  [{ stepMax: 3 }, 'unknown-option'],
])('options %j are refused', (wrong, code) => {
  expect(() => started(wrong as Partial<EnvironmentOptions>)).toThrow(expect.objectContaining({ code }));
});

test('wrong calls are refused', () => {
  expect(() => new Environment(game, options).observe()).toThrow('Call `reset` first');
  const environment = started();
  expect(() => environment.step([1])).toThrow(
    `1 × ${environment.actionSpace.names.length} numbers (players × actions), not 1`,
  );
  expect(() => environment.observe(1)).toThrow('There is no player 1');
});

test('tabular Q-learning finds the way to a region', () => {
  const environment = new Environment(game, options);
  const { names } = environment.observationSpace;
  const [goalX, goalY] = [names.indexOf('goal.x'), names.indexOf('goal.y')];
  const actions = ['w', 'a', 's', 'd'].map((key) => holding(environment, key));
  const table = new Map<string, number[]>();
  const valuesHere = (): number[] => {
    const seen = environment.observe();
    const state = `${Math.round(seen[goalX]! / 128)} ${Math.round(seen[goalY]! / 128)}`;
    if (!table.has(state)) table.set(state, [0, 0, 0, 0]);
    return table.get(state)!;
  };
  let random = 1;
  const chance = (): number => {
    random = (random * 48271) % 2147483647;
    return random / 2147483647;
  };
  const play = (seed: number, exploring: number): number => {
    environment.reset(seed);
    for (let steps = 1; ; steps++) {
      const values = valuesHere();
      const action = chance() < exploring ? Math.floor(4 * chance()) : values.indexOf(Math.max(...values));
      const { rewards, terminated, isOver } = environment.step(actions[action]!);
      const future = terminated[0] === 1 ? 0 : Math.max(...valuesHere());
      values[action]! += 0.5 * (rewards[0]! - 0.02 + 0.9 * future - values[action]!);
      if (isOver) return steps;
    }
  };
  for (let episode = 0; episode < 60; episode++) play(episode, 0.3);
  // The shortest way has 3 or 4 steps; a random walk rarely ends within 40.
  expect(play(1000, 0)).toBeLessThanOrEqual(5);
});

test('a program explores a game as the command does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'explore-'));
  try {
    const path = join(folder, 'game.json');
    writeFileSync(path, JSON.stringify(walk));
    const ticks = 400;
    const found = await explore(path, { budget: { ticks }, never: ['round == 4'], players: [1, 1], jobs: 1 });
    expect(found.findings.map(({ kind }) => kind)).toEqual(['never']);
    const goal = await explore(path, { budget: { ticks }, goal: 'round == 4', players: [1, 1], jobs: 1 });
    expect(goal.findings[0]!.recording.ticks).toBeLessThanOrEqual(21);
    await expect(explore(path, { budget: { ticks }, never: ['roundz == 4'] })).rejects.toThrow(ExpressionError);
    await expect(explore(path, { budget: { ticks: 0 } })).rejects.toThrow('above 0');
    await expect(explore(join(folder, 'gone.json'), { budget: { ticks } })).rejects.toThrow(GameUnreadable);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
