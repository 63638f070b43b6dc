import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Example, exampleIn } from '../../src/playground/link.ts';
import { playScenarios } from '../../src/playground/scenarios.ts';
import { Session } from '../../src/playground/session.ts';

interface Tools {
  examplesOf(path: string, markdown: string): readonly (Example & { readonly block: string })[];
  fragmentOf(example: Example): string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const { examplesOf, fragmentOf } = (await import(`${root}tools/site/examples.mjs`)) as Tools;
const pages = ['README.md', 'docs/scenarios.md', 'docs/recipes.md', 'docs/writing-a-game.md'];
const outbreak = readFileSync(`${root}scenarios/games/outbreak.json`, 'utf8');

/** The text of the game that an example is about. */
function gameOf({ game }: Example): string {
  if ('text' in game) return game.text;
  expect(game).toEqual({ sample: 'outbreak' });
  return outbreak;
}

/** The links of the documentation that open its examples in the playground. */
describe.each(pages)('the examples of %s', (path) => {
  const markdown = readFileSync(root + path, 'utf8');
  const examples = examplesOf(path, markdown);

  test('are all those that show a game or a scenario', () => {
    const shown = [...markdown.matchAll(/^<!-- (?:game|scenario) -->|^game: outbreak\.json/gm)];
    expect(examples.length).toBe(shown.length);
    expect(examples.length).toBeGreaterThan(0);
  });

  test.each(examples.map((example, i) => ({ name: `${i + 1}: ${example.block.slice(0, 50)}`, example })))(
    'open: $name',
    async ({ example }) => {
      const { game, scenarios } = example;
      const opened = (await exampleIn(fragmentOf(example)))!;
      expect(opened).toEqual({ game, scenarios });
      const session = new Session();
      const beginning = { seed: 'reenact', dialect: 'standard' } as const;
      const { problems } = await session.open({ document: gameOf(opened), beginning, bots: 2 }, () => {});
      expect(problems).toEqual([]);
      if (scenarios === undefined) return;
      const { problems: wrong, results } = playScenarios(scenarios, gameOf(opened), () => {});
      expect(wrong).toEqual([]);
      expect(results.length).toBeGreaterThan(0);
      // The examples with the sample game show failures, too.
      if ('text' in game) expect(results.map(({ story }) => story).filter((story) => story !== undefined)).toEqual([]);
    },
  );
});
