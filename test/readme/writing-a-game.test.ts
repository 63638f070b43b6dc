import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { checkGame, loadDefinition } from '../../engine/index.ts';
import { casesOf, mergedWith } from '../../src/scenario/cases.ts';
import { Games } from '../../src/scenario/games.ts';
import { playCase } from '../../src/scenario/play-case.ts';
import { readScenarioText } from '../../src/scenario/read.ts';
import { reenact } from '../cli/support.ts';
import { inBothDialects } from '../support/both-dialects.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/writing-a-game.md', import.meta.url)), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'reenact-writing-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Piece {
  /** The heading above it, and its number, so that a failure tells where to look. */
  readonly name: string;
  readonly kind: 'game' | 'scenario';
  readonly text: string;
  /** The game made of all pieces up to this one. */
  readonly game: unknown;
}

function piecesOf(text: string): Piece[] {
  let game: unknown = {};
  let heading = '';
  const pieces: Piece[] = [];
  for (const [, title, kind, block] of text.matchAll(
    /^#{2,3} (.+)$|^<!-- (game|scenario) -->\n```\w+\n([\s\S]*?)```/gm,
  )) {
    if (title !== undefined) heading = title;
    if (kind === 'game') game = mergedWith(game, JSON.parse(block!));
    if (kind === 'game' || kind === 'scenario')
      pieces.push({ name: `${pieces.length + 1}: ${heading}`, kind, text: block!, game });
  }
  return pieces;
}

const pieces = piecesOf(page);

describe('the guide to writing a game', () => {
  test('has pieces and checks under most of its headings', () => {
    expect(pieces.filter(({ kind }) => kind === 'game').length).toBeGreaterThanOrEqual(9);
    expect(pieces.filter(({ kind }) => kind === 'scenario').length).toBeGreaterThanOrEqual(9);
  });

  test.each(pieces.filter(({ kind }) => kind === 'game'))('the game has no issues after piece $name', ({ game }) => {
    const loaded = loadDefinition(game);
    const issues = [...loaded.issues, ...checkGame(loaded.game!)].filter(({ severity }) => severity !== 'info');
    expect(issues.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`)).toEqual([]);
  });

  test.each(pieces.filter(({ kind }) => kind === 'scenario'))('the check of piece $name holds', ({ text, game }) => {
    writeFileSync(join(folder, 'game.json'), JSON.stringify(game));
    const indented = text.replaceAll(/^/gm, '  ');
    const read = readScenarioText(join(folder, 'guide.scenario.yaml'), `game: game.json\nscenarios:\n${indented}`);
    const results = casesOf(read)
      .flatMap(inBothDialects)
      .map((each) => playCase(each, new Games(), {}));
    expect(results.length).toBeGreaterThan(0);
    expect(results.map(({ failure }) => failure && [failure.expected, ...failure.found])).toEqual(
      results.map(() => undefined),
    );
  });

  test.each(['standard', 'moddio'])('the whole game has no fault when bots play it in %s', async (dialect) => {
    const file = join(folder, 'whole.json');
    writeFileSync(file, JSON.stringify(pieces.at(-1)!.game));
    const { stdout } = await reenact(['run', file, '--bots', '4', '--seconds', '30', '--dialect', dialect, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ faults: [] });
  });

  test('every heading of the table of contents exists', () => {
    const anchors = [...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
    const headings = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, text]) =>
      text!
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(anchors.filter((anchor) => !headings.includes(anchor!))).toEqual([]);
  });
});
