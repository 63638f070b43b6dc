import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Example, exampleIn } from '../../src/playground/link.ts';
import { runScenarios } from '../../src/playground/scenarios.ts';
import { Session } from '../../src/playground/session.ts';
import { all, configured, fragmentOf, pages, root } from './site-examples.ts';

const outbreak = readFileSync(`${root}scenarios/games/outbreak.json`, 'utf8');

/** The text of the game that an example is about. */
function gameOf({ game }: Example): string {
  if ('text' in game) return game.text;
  expect(game).toEqual({ sample: 'outbreak' });
  return outbreak;
}

/** The links of the documentation that open its examples in the playground. */
test('every block of JSON or YAML can be tried, or configures something other than a game', () => {
  // The page of issues has fragments of games with mistakes, which the tests of the rules check.
  const tried = all.filter(({ path }) => path !== 'docs/issues.md');
  const others = tried.flatMap(({ markdown, examples }) =>
    [...markdown.matchAll(/^```(?:json|yaml)\n([\s\S]*?)^```/gm)]
      .map(([, block]) => block!)
      .filter((block) => !examples.some((example) => example.block === block)),
  );
  expect(others.filter((block) => configured(block) === undefined)).toEqual([]);
  expect(others.length).toBeGreaterThan(0);
  expect(pages.map(({ path }) => path).sort()).toEqual([
    'README.md',
    'docs/recipes.md',
    'docs/scenarios.md',
    'docs/writing-a-game.md',
  ]);
});

describe.each(pages)('the examples of $path', ({ examples }) => {
  test.each(examples.map((example, i) => ({ name: `${i + 1}: ${example.block.slice(0, 50)}`, example })))(
    'open: $name',
    async ({ example }) => {
      const { game, scenarios } = example;
      const opened = (await exampleIn(fragmentOf(example)))!;
      expect(opened).toEqual({ game, scenarios });
      const session = new Session();
      const beginning = { seed: 'reenact', dialect: 'standard' } as const;
      const { problems, errors } = await session.open({ document: gameOf(opened), beginning, bots: 2 }, () => {});
      expect({ problems, errors }).toEqual({ problems: [], errors: 0 });
      if (scenarios === undefined) return;
      const { problems: wrong, results } = runScenarios({ text: scenarios, game: gameOf(opened) }, () => {});
      expect(wrong).toEqual([]);
      expect(results.length).toBeGreaterThan(0);
      // The examples with the sample game show failures, too.
      if ('text' in game) expect(results.map(({ story }) => story).filter((story) => story !== undefined)).toEqual([]);
    },
  );
});
