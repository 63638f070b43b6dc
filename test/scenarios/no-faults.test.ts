import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { reenact } from '../cli/support.ts';
import { isLong } from '../support/property.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const gamesIn = (folder: string): string[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.json') && !path.startsWith('templates/recipes/'));
/** The samples that newcomers play first. */
const games = [...gamesIn('templates'), ...gamesIn('scenarios/games')];

describe.each(games)('%s', (game) => {
  test.each(['standard', 'moddio'])('has no fault when bots play it in %s', { timeout: 60_000 }, async (dialect) => {
    const options = ['--bots', '4', '--seconds', isLong ? '30' : '10', '--dialect', dialect, '--json'];
    const { code, stdout } = await reenact(['run', root + game, ...options]);
    expect(code).toBe(0);
    const { joined, faults } = JSON.parse(stdout);
    expect(joined).toBeGreaterThanOrEqual(4);
    expect(faults).toEqual([]);
  });
});

test('all templates are covered', () => {
  expect(games).toContain('templates/coins/game.json');
  expect(games.length).toBeGreaterThanOrEqual(6);
});
