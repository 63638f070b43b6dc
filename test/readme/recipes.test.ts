import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { mergedWith } from '../../src/scenario/cases.ts';
import { reenact } from '../cli/support.ts';
import { failuresOf, issuesOf, piecesOf } from './pieces.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/recipes.md`, 'utf8');
const blank: unknown = JSON.parse(readFileSync(`${root}templates/blank/game.json`, 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'reenact-recipes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pieces = piecesOf(page, blank, { startsAgain: true });
const recipes = pieces.filter(({ kind }) => kind === 'game');
const dialects = ['standard', 'moddio'] as const;

describe('the recipes', () => {
  test('each has a game and a scenario', () => {
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(recipes.map(({ heading }) => heading)).toEqual(headings);
    expect(pieces.filter(({ kind }) => kind === 'scenario').map(({ heading }) => heading)).toEqual(headings);
  });

  test.each(recipes)('the game of recipe $name has no issues', ({ game }) => {
    for (const dialect of dialects) expect(issuesOf(game, dialect), dialect).toEqual([]);
  });

  test.each(pieces.filter(({ kind }) => kind === 'scenario'))('the scenario of recipe $name passes', (piece) => {
    writeFileSync(join(folder, 'game.json'), JSON.stringify(piece.game));
    const failures = failuresOf(piece.text, folder);
    expect(failures.length).toBeGreaterThanOrEqual(2);
    expect(failures).toEqual(failures.map(() => undefined));
  });

  test.each(pieces.filter(({ kind }) => kind === 'scenario'))(
    'the scenario of recipe $name fails in the blank game',
    (piece) => {
      writeFileSync(join(folder, 'game.json'), JSON.stringify(blank));
      expect(failuresOf(piece.text, folder)).not.toContain(undefined);
    },
  );

  // Teams replace the player type that the other recipes extend.
  const [teams, others] = [true, false].map((areTeams) =>
    recipes.filter(({ heading }) => (heading === 'Teams and rounds') === areTeams),
  );
  test.each(
    dialects.flatMap((dialect) => [
      { name: 'the others together', parts: others!, dialect },
      { name: 'teams', parts: teams!, dialect },
    ]),
  )('bots play $name without a fault in $dialect', async ({ parts, dialect }) => {
    const game = parts.reduce<unknown>((whole, { text }) => mergedWith(whole, JSON.parse(text)), blank);
    expect(issuesOf(game, dialect)).toEqual([]);
    const file = join(folder, 'whole.json');
    writeFileSync(file, JSON.stringify(game));
    const options = ['--bots', '4', '--seconds', '30', '--dialect', dialect, '--store', join(folder, dialect)];
    const { stdout } = await reenact(['run', file, ...options, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ faults: [] });
  });
});
