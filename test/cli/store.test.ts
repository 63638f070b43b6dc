import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { attribute, script } from '../support/play.ts';
import { countingGame, file, reenact } from './support.ts';

const player = { function: 'getTriggeringPlayer' };
const gold = { function: 'getPlayerAttribute', entity: player, attribute: 'gold' };
const oneMore = { function: 'calculate', items: [{ operator: '+' }, gold, 1] };

/** Counts in an attribute of each player how often it has joined, over all games, and saves at once. */
const guestBook = countingGame({
  defaultData: { _id: 'guest-book', frameRate: 20 },
  variables: { visits: { dataType: 'number', default: 0 } },
  playerTypes: {
    human: { name: 'human', attributes: { gold: attribute(0) }, variables: {}, relationships: {} },
  },
  scripts: {
    join: script('playerJoinsGame', [
      { type: 'assignPlayerType', entity: player, playerType: 'human' },
      { type: 'loadPlayerDataAndApplyIt', player },
      { type: 'setPlayerAttribute', entity: player, attribute: 'gold', value: oneMore },
      { type: 'savePlayerData', player },
      { type: 'setVariable', variableName: 'visits', value: gold },
    ]),
  },
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const visits = async (...more: string[]): Promise<unknown> => {
  const path = file('guest-book.json', guestBook);
  const { stdout } = await reenact(['run', path, '--seconds', '5', '--bots', '1', '--json', ...more]);
  return (JSON.parse(stdout) as { variables: { visits: unknown } }).variables.visits;
};

test('saved player data is available in the next run', async () => {
  const store = ['--store', join(folder, 'new')];
  expect([await visits(...store), await visits(...store), await visits(...store)]).toEqual([1, 2, 3]);
  expect(readdirSync(join(folder, 'new'))).toHaveLength(1);
});

test('without a store, nothing is kept between runs', async () => {
  expect([await visits(), await visits()]).toEqual([1, 1]);
});

test('without a store, a player who comes back within the run gets what was saved', async () => {
  const { stdout } = await reenact([
    'run',
    file('guest-book.json', guestBook),
    '--seconds',
    '600',
    '--bots',
    '1',
    '--json',
  ]);
  const summary = JSON.parse(stdout) as { joined: number };
  expect(summary).toMatchObject({ faults: [], variables: { visits: summary.joined } });
  expect(summary.joined).toBeGreaterThan(2);
});

test('a store that cannot be written is a warning, and the game runs anyway', async () => {
  const taken = join(folder, 'a file');
  writeFileSync(taken, '');
  const path = file('guest-book.json', guestBook);
  const { code, stderr } = await reenact(['run', path, '--seconds', '5', '--bots', '1', '--store', taken]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^notice: player data not saved: /m);
});
