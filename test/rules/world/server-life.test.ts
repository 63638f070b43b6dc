import { describe, expect, test } from 'vitest';
import type { OutputEvent } from '../../../engine/index.ts';
import { createUnitAt, delayed, setVariable } from '../../support/actions.ts';
import { type Play, play, script, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

const oneMore = {
  function: 'calculate',
  items: [{ operator: '+' }, { function: 'getVariable', variableName: 'told' }, 1],
};
const count = script('serverShuttingDown', [setVariable('told', oneMore), { type: 'endGame' }]);

/** One tick per second, so that hours take little time. */
function server(defaultData: Json = {}, data: Json = {}): Play & { readonly outputs: OutputEvent[] } {
  const game = play({
    defaultData: { frameRate: 1, ...defaultData },
    variables: { told: { dataType: 'number', default: 0 } },
    scripts: { count },
    ...data,
  });
  const outputs: OutputEvent[] = [];
  game.sim.on('output', (event) => outputs.push(event));
  return { ...game, outputs };
}

const minutes = (game: Play, length: number): void => game.seconds(length * 60);
const told = (game: Play & { readonly outputs: OutputEvent[] }): [number, unknown][] =>
  game.outputs.filter((event) => event.kind === 'chat').map(({ time, text }) => [time / 60, text]);

describe('a server of a definition with a life span', () => {
  test('ends when its life span is over, and not a second before', () => {
    const game = server({ lifeSpanHours: 2.5 });
    minutes(game, 150 - 1 / 60);
    expect(game.sim.ended).toBe(false);
    game.ticks(1);
    expect(game.sim.ended).toBe(true);
    expect(game.outputs.at(-1)).toMatchObject({ kind: 'server', op: 'endGame', reason: 'lifeSpan' });
  });

  test('announces the remaining time to its players', () => {
    const game = server({ lifeSpanHours: 2.5 });
    minutes(game, 150);
    expect(told(game)).toEqual([
      [30, 'The server will shut down in 120 minutes.'],
      [90, 'The server will shut down in 60 minutes.'],
      [120, 'The server will shut down in 30 minutes.'],
      [135, 'The server will shut down in 15 minutes.'],
      [145, 'The server will shut down in 5 minutes.'],
      [149, 'The server will shut down in 1 minute.'],
    ]);
  });

  test.each([[{ lifeSpanHours: 0 }], [{ lifeSpanHours: -1 }], [{}]])('never ends with %j', (defaultData) => {
    const game = server(defaultData);
    minutes(game, 6 * 60);
    expect(game.sim.ended).toBe(false);
    expect(told(game)).toEqual([]);
  });
});

describe('a server without players', () => {
  const left = (defaultData: Json, length: number): Play => {
    const game = server(defaultData);
    const ann = game.sim.join({ userId: 'ann' });
    minutes(game, 20);
    ann.leave();
    minutes(game, length);
    return game;
  };

  test.each([
    [{}, 4.9, false],
    [{}, 5.1, true],
    [{ tier: '2', privateServerIdleTimeout: 0.1 }, 5.1, true],
    [{ tier: '0', privateServerIdleTimeout: 0.1 }, 5.1, false],
    [{ tier: '0', privateServerIdleTimeout: 0.1 }, 6.1, true],
    [{ tier: 0, privateServerIdleTimeout: 0.1 }, 6.1, true],
    [{ tier: '0' }, 5.1, true],
    [{ tier: '4' }, 600, false],
  ])('with %j has ended after %d minutes: %s', (defaultData, length, ended) => {
    expect(left(defaultData, length).sim.ended).toBe(ended);
  });

  test('continues if a player joins in time', () => {
    const game = left({}, 4);
    game.sim.join({ userId: 'bob' });
    minutes(game, 60);
    expect(game.sim.ended).toBe(false);
  });

  test('is kept alive by a bot of a script', () => {
    const add = script('gameStart', [{ type: 'addBotPlayer', name: 'Bot' }]);
    const game = server({}, { scripts: { add } });
    minutes(game, 60);
    expect(game.sim.ended).toBe(false);
  });

  test('waits as long as no player has joined yet', () => {
    const game = server();
    minutes(game, 60);
    expect(game.sim.ended).toBe(false);
  });
});

describe('the end of a server', () => {
  test('fires its trigger once, even if scripts of the trigger end the game', () => {
    const game = server();
    game.sim.input({ kind: 'shutDown' });
    game.ticks(1);
    expect(game.variable('told')).toBe(1);
    expect(game.outputs).toMatchObject([{ kind: 'server', op: 'endGame', reason: 'host' }]);
  });

  test('by a script fires for units first, and the script continues', () => {
    const end = script('gameStart', [
      createUnitAt('unit', { function: 'computerPlayer', number: 1 }, { x: 100, y: 100 }),
      delayed(3000, { type: 'endGame' }, setVariable('told', 7)),
    ]);
    const game = server({}, { unitTypes: { unit: unitType() }, scripts: { end } });
    game.ticks(10);
    expect(game.sim.tick).toBe(3);
    expect(game.of('serverShuttingDown').map(({ scope }) => scope)).toEqual(['entity', 'global']);
    expect(game.variable('told')).toBe(7);
    expect(game.outputs.filter(({ kind }) => kind === 'server')).toMatchObject([{ op: 'endGame' }]);
  });
});
