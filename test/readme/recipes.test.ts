import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { mergedWith } from '../../src/scenario/reading/cases.ts';
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

  // Teams replace the player type that respawn and AI name.
  const withTeams = ['A gun', 'Shop and inventory', 'Saving', 'A timer', 'Teams and rounds'];
  const [teams, others] = [
    withTeams,
    recipes.map(({ heading }) => heading).filter((each) => !each.startsWith('Teams')),
  ].map((headings) => recipes.filter(({ heading }) => headings.includes(heading)));
  const together = (parts: typeof recipes): unknown =>
    parts.reduce<unknown>((whole, { text }) => mergedWith(whole, JSON.parse(text)), blank);

  test.each([
    ['A gun', 'Shop and inventory'],
    ...withTeams.slice(0, -1).map((heading) => [heading, teams!.at(-1)!.heading]),
  ])('the scenarios of "%s" and "%s" pass together, unchanged', (...headings) => {
    const parts = recipes.filter(({ heading }) => headings.includes(heading));
    writeFileSync(join(folder, 'game.json'), JSON.stringify(together(parts)));
    const scenarios = pieces.filter(
      (each) => each.kind === 'scenario' && parts.some((part) => part.heading === each.heading),
    );
    const failures = scenarios.flatMap(({ text }) => failuresOf(text, folder));
    expect(failures.length).toBeGreaterThanOrEqual(4);
    expect(failures).toEqual(failures.map(() => undefined));
  });

  test.each(
    dialects.flatMap((dialect) => [
      { name: 'the others together', parts: others!, dialect },
      { name: 'teams with the recipes that go with them', parts: teams!, dialect },
    ]),
  )('bots play $name without a fault in $dialect', async ({ parts, dialect }) => {
    const game = together(parts);
    expect(issuesOf(game, dialect)).toEqual([]);
    const file = join(folder, 'whole.json');
    writeFileSync(file, JSON.stringify(game));
    const options = ['--bots', '4', '--seconds', '150', '--dialect', dialect];
    const { stdout } = await reenact(['run', file, ...options, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ faults: [] });
  });
});
