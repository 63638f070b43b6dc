import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HostWords } from '../../engine/index.ts';
import { playCase } from '../../src/scenario/playing/play-case.ts';
import { casesOf } from '../../src/scenario/reading/cases.ts';
import { Games } from '../../src/scenario/reading/games.ts';
import { readScenarioText } from '../../src/scenario/reading/scenario-reader.ts';
import { type Play, scenario } from '../../src/scenario/testing.ts';
import { reenact } from '../cli/support.ts';
import { inBothDialects } from '../support/both-dialects.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = `${root}docs/scenarios.md`;
const language = `${root}docs/expressions.md`;
const game = `${root}scenarios/games/outbreak.json`;

/** The text of the code block after `<!-- WHAT -->`. */
function blocks(what: RegExp, from = page): { readonly name: string; readonly text: string }[] {
  const found = readFileSync(from, 'utf8').matchAll(/<!-- (.+?) -->\n+```\w*\n([\s\S]*?)```/g);
  return Array.from(found, ([, name, text]) => ({ name: name!, text: text! })).filter(({ name }) => what.test(name));
}

/** The `{ … }` between backticks in the first column of a table. */
function stepsOf(table: string): string[] {
  const text = new RegExp(`<!-- steps ${table} -->\\n((?:\\|.*\\n)+)`).exec(readFileSync(page, 'utf8'))![1]!;
  const cells = text.split('\n').map((line) => /^\| (.*?) \|/.exec(line)?.[1] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`(\{.*?\})`/g)].map(([, step]) => step!));
}

/** Those of the host in the guide of the library, which steps may use. */
const words: HostWords = {
  operations: {
    awardBadge: { about: 'Awards a badge on the platform.', params: { player: 'player' } },
    getSeason: { about: 'The season on the platform.', returns: 'string' },
  },
  triggers: { giftReceived: { about: 'A viewer has sent a gift.', payload: { player: 'player', amount: 'number' } } },
};

const folder = mkdtempSync(join(tmpdir(), 'reenact-guide-'));

/** The results of the scenarios in a text, as if the file were beside the game. */
function played(text: string) {
  const file = join(folder, 'guide.scenario.yaml');
  return casesOf(readScenarioText(file, text))
    .filter(({ skip }) => skip === undefined)
    .flatMap(inBothDialects)
    .map((each) => playCase({ ...each, host: words }, new Games(), {}))
    .map(({ case: { title }, outcome, failure }) => ({
      title,
      outcome,
      why: failure && [failure.expected, failure.found],
    }));
}

beforeAll(async () => {
  copyFileSync(game, join(folder, 'outbreak.json'));
  await reenact(['run', game, '--seconds', '2', '--bots', '1', '--record', join(folder, 'play.journal')]);
});

describe('the guide to scenarios', () => {
  test.each(blocks(/^file .*\.yaml$/))('has the working example $name', ({ text }) => {
    const found = played(text);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  });

  test.each(['when', 'then'])('has the working steps of the table "%s"', (table) => {
    const steps = stepsOf(table);
    expect(steps.length).toBeGreaterThan(10);
    const text = `
game: outbreak.json
scenarios:
  - name: all of them
    given:
      players: [alice]
      entities: [{ unit: dog, name: rex, owner: computer1 }]
    definition:
      variables: { "@dogs": { default: 2 } }
      dialogues: { greeting: { name: greeting, options: [{ name: yes }] } }
      scripts:
        badge:
          name: badge
          triggers: [{ type: playerJoinsGame }]
          actions: [{ type: awardBadge, player: { function: getTriggeringPlayer } }]
    steps:
${steps.map((step) => `      - ${step}`).join('\n')}
      - { expect: tick > 0 }
`;
    expect(played(text)).toEqual([
      { title: 'all of them (standard)', outcome: 'passed', why: undefined },
      { title: 'all of them (moddio)', outcome: 'passed', why: undefined },
    ]);
  });

  describe('expressions', () => {
    let play: Play;
    beforeAll(() => {
      play = scenario({ game, players: ['alice'] });
    });

    test.each(blocks(/^expressions$/, language).flatMap(({ text }) => text.trim().split('\n')))('%s', (expression) => {
      expect(() => play.value(expression)).not.toThrow();
    });
  });

  test.each(blocks(/^wrong /, language))('shows the right message for: $name', async ({ name, text }) => {
    const { code, stderr } = await reenact(['run', game, '--until', name.slice('wrong '.length)]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: text });
  });

  test('has a working test in TypeScript', () => {
    const { text } = blocks(/^file .*\.ts$/)[0]!;
    const body = text.replace(/^import .*$/gm, '').replace("'outbreak.json'", JSON.stringify(game));
    const ran: string[] = [];
    const run = (name: string, work: () => void): void => {
      work();
      ran.push(name);
    };
    new Function('test', 'expect', 'scenario', body)(run, expect, scenario);
    expect(ran).toHaveLength(1);
  });

  test('uses existing words', () => {
    const text = readFileSync(page, 'utf8');
    const [, properties] = /an entity has the properties `([^`]*)`/.exec(readFileSync(language, 'utf8'))!;
    const play = scenario({ game, players: ['alice'] });
    for (const word of properties!.split(' ')) expect(() => play.value(`alice.${word}`)).not.toThrow();
    expect(() => play.expect('alice == nothing')).toThrow();
    play.player('alice').leave().wait('1 tick');
    for (const expression of ['alice.score != 5', 'no units owned by alice']) {
      expect(text).toContain(`\`${expression}\``);
      expect(() => play.expect(expression)).toThrow('alice is not in the game');
    }
    play.expect('alice == nothing');
  });
});
