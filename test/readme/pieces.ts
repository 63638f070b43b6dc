import { join } from 'node:path';
import { type DialectName, loadDefinition } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { playCase } from '../../src/scenario/playing/play-case.ts';
import { casesOf, mergedWith } from '../../src/scenario/reading/cases.ts';
import { Games } from '../../src/scenario/reading/games.ts';
import { readScenarioText } from '../../src/scenario/reading/scenario-reader.ts';
import { inBothDialects } from '../support/both-dialects.ts';

/** A block of JSON or YAML of a guide, after `<!-- game -->` or `<!-- scenario -->`. */
export interface Piece {
  /** The heading above it, and its number, so that a failure tells where to look. */
  readonly name: string;
  readonly heading: string;
  readonly kind: 'game' | 'scenario';
  readonly text: string;
  /** The game made of all pieces up to this one. */
  readonly game: unknown;
}

/** Each game piece is merged into the game so far, or, with `startsAgain`, into that of its section only. */
export function piecesOf(page: string, base: unknown = {}, { startsAgain = false } = {}): Piece[] {
  let game = base;
  let heading = '';
  const pieces: Piece[] = [];
  for (const [, title, kind, block] of page.matchAll(
    /^#{2,3} (.+)$|^<!-- (game|scenario) -->\n```\w+\n([\s\S]*?)```/gm,
  )) {
    if (title !== undefined) heading = title;
    if (title !== undefined && startsAgain) game = base;
    if (kind === 'game') game = mergedWith(game, JSON.parse(block!));
    if (kind === 'game' || kind === 'scenario')
      pieces.push({ name: `${pieces.length + 1}: ${heading}`, heading, kind, text: block!, game });
  }
  return pieces;
}

/** Errors and warnings, as `check --strict` counts them. */
export function issuesOf(game: unknown, dialect: DialectName = 'standard'): string[] {
  const loaded = loadDefinition(game);
  const issues = [...loaded.issues, ...checkGame(loaded.game!, dialect)].filter(({ severity }) => severity !== 'info');
  return issues.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`);
}

/** Plays the scenarios of a piece in both dialects with `game.json` in the folder; the failure of each, if any. */
export function failuresOf(text: string, folder: string): (readonly string[] | undefined)[] {
  const indented = text.replaceAll(/^/gm, '  ');
  const read = readScenarioText(join(folder, 'guide.scenario.yaml'), `game: game.json\nscenarios:\n${indented}`);
  return casesOf(read)
    .flatMap(inBothDialects)
    .map((each) => playCase(each, new Games(), {}))
    .map(({ failure }) => failure && [failure.expected, ...failure.found]);
}
