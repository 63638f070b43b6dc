import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
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
});
