import { expect, test } from 'vitest';
import { type GameParts, joinGame, splitGame } from '../../src/cli/join/game-parts.ts';
import { game, say, script } from '../review/games.ts';
import { readRealGame, realGames } from '../support/real-games.ts';

const text = JSON.stringify({ title: 'Small', data: game() }, null, 2);

function changed(parts: GameParts, path: string, change: (part: Record<string, unknown>) => void): GameParts {
  const part = JSON.parse(parts.get(path)!);
  change(part);
  return new Map([...parts, [path, JSON.stringify(part)]]);
}

test('each script and each type has a file; joined, they are the same text', () => {
  const parts = splitGame(text);
  expect([...parts.keys()].sort()).toEqual([
    'game.json',
    'scripts/every-second-second.json',
    'scripts/starts-start.json',
    'shops/trader-trader.json',
    'unitTypes/human-human.json',
    'unitTypes/zombie-zombie.json',
    'unitTypes/zombie-zombie/scripts/cries-cry.json',
    'variables/market.json',
    'variables/round.json',
  ]);
  expect(parts.get('scripts/every-second-second.json')).toMatch(
    /^\{\n {2}"key": "second",\n {2}"value": \{\n.*\n {2}\},\n {2}"after": "start"\n\}\n$/s,
  );
  expect(parts.get('game.json')).toContain('"data": [1,1,1,1,0,0,0,0,0,0,0,0]');
  expect(joinGame(parts)).toBe(text);
});

test.each(['', '\t', ' '])('a game indented by %j, with and without a line break at its end', (indent) => {
  for (const end of ['', '\n']) {
    const written = JSON.stringify(game(), null, indent) + end;
    expect(joinGame(splitGame(written))).toBe(written);
  }
});

test('two branches can add scripts in one place, and remove those before', () => {
  const parts = splitGame(text);
  const more = (key: string, after: string): [string, string] => [
    `scripts/${key}.json`,
    JSON.stringify({ key, value: script(key, [say(key)]), after }),
  ];
  const merged = new Map([...parts, more('b', 'start'), more('c', 'b'), more('a', 'start')]);
  const keys = (all: GameParts) => Object.keys(JSON.parse(joinGame(all)).data.scripts);
  expect(keys(merged)).toEqual(['start', 'a', 'b', 'c', 'second']);
  merged.delete('scripts/b.json');
  expect(keys(merged)).toEqual(['start', 'a', 'second', 'c']);
});

test('names of files are valid and distinct on every system', () => {
  const names = ['', 'CON', 'a/b\\c: d?', 'ü', 'Ü', 'x'.repeat(300), '..', '💥'];
  const variables = Object.fromEntries(names.map((name) => [name, { dataType: 'number' }]));
  const written = JSON.stringify({ variables });
  const parts = splitGame(written);
  const files = [...parts.keys()].filter((path) => path !== 'game.json').map((path) => path.slice('variables/'.length));
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
  for (const file of files) expect(file).toMatch(/^(?!con\.)[\p{L}\p{N}_-]{1,62}\.json$/u);
  expect(joinGame(parts)).toBe(written);
});

test('what cannot be joined is refused with its file', () => {
  const parts = splitGame(text);
  const twice = changed(parts, 'scripts/starts-start.json', (part) => {
    part['key'] = 'second';
  });
  expect(() => joinGame(twice)).toThrow('scripts/starts-start.json: another file also has the key "second".');
  expect(() => joinGame(new Map([...parts, ['unitTypes/human-human.json', '<<<<<<<']]))).toThrow(
    'unitTypes/human-human.json: ',
  );
  expect(() => joinGame(new Map([['game.json', '{}']]))).toThrow(
    'game.json does not have the format reenact-parts/1 of reenact split.',
  );
});

test.runIf(realGames.length > 0).each(realGames)('%s', (name) => {
  const written = JSON.stringify(readRealGame(name));
  expect(joinGame(splitGame(written))).toBe(written);
});
