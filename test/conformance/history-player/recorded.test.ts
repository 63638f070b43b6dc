import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleOf } from '../../support/property.ts';
import { percent } from './compare.ts';
import { hasPassed, line } from './report.ts';
import { historiesOf, judge } from './run.ts';

/** Recordings of real games, and the games, belong to other people. If available, they are beside the project. */
const folder = process.env['REENACT_HISTORIES'] ?? '../shared/histories';
const games = process.env['REENACT_GAMES'] ?? '../shared/games';
const missing = [folder, games].filter((path) => !existsSync(path));
const without = missing.length === 0 ? '' : ` (skipped: there is no ${missing.join(' and no ')})`;
// In the title, because reporters do not show why tests were skipped.
if (missing.length > 0) console.warn(`histories of whole games: skipped, there is no ${missing.join(' and no ')}`);

interface Floor {
  /** Percentage of equal comparisons when the row was written, rounded down. */
  readonly triggers: number;
  readonly attributes: number;
  readonly positions: number;
  readonly units: number;
  /** Number of equal rows at the start of the list of triggers. */
  readonly rows: number;
}

/** The results reached so far. A game that does worse fails; if one does better, raise its row. */
const floors: Readonly<Record<string, Floor>> = {
  'bear-test-2022': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 519 },
  'braains-test-2023': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 737 },
  'death-match-2021': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 7 },
  'for-all-units-of-unittype-2024': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 231 },
  'froge-2023': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 296 },
  'froge-2025': { triggers: 100, attributes: 100, positions: 100, units: 99, rows: 378 },
  'heist-2023': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 417 },
  'hunt-and-gather-2022': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 171 },
  'labraains-b-2024': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 303 },
  'monster-world-2024': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 7 },
  'new-game-deathmatch-2023': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 260 },
  'rc-2023': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 347 },
  'two-houses-2023': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 1212 },
  'zombie-tag-2023': { triggers: 100, attributes: 100, positions: 100, units: 100, rows: 67 },
};

/** Games that are known to fail. One that passes must move to the table above. */
const knownFailures: Readonly<Record<string, Floor>> = {};

test('no game is in both tables', () => {
  expect(Object.keys(floors).filter((game) => Object.hasOwn(knownFailures, game))).toEqual([]);
});

describe.skipIf(missing.length > 0)(`whole games come out as recorded${without}`, () => {
  test('every recording has a line', () => {
    const lines = [...Object.keys(floors), ...Object.keys(knownFailures)].sort();
    expect(historiesOf(folder)).toEqual(lines.map((game) => pathOf(game)));
  });

  test.each(sampleOf(Object.entries(floors), 5))('%s', (game, floor) => {
    const result = judge(pathOf(game), [games]);
    expect(below(result, floor), line(result)).toEqual([]);
    expect(hasPassed(result), line(result)).toBe(true);
  });

  test.each(Object.entries(knownFailures))('%s is known to fail', (game, floor) => {
    const result = judge(pathOf(game), [games]);
    expect(below(result, floor), line(result)).toEqual([]);
    expect(hasPassed(result), `${game} passes: it belongs to the games that do`).toBe(false);
  });
});

function pathOf(game: string): string {
  return join(folder, `${game}.history.json.gz`);
}

/** The results below their minimum. */
function below({ played }: ReturnType<typeof judge>, floor: Floor): string[] {
  if (played === undefined) return ['not played'];
  const { shares, rows } = played.comparison;
  const got: Floor = {
    triggers: percent(shares.triggers),
    attributes: percent(shares.attributes),
    positions: percent(shares.positions),
    units: percent(shares.units),
    rows: rows.equal,
  };
  return Object.entries(got).flatMap(([name, figure]) => {
    const least = floor[name as keyof Floor];
    return figure < least ? [`${name} ${figure.toFixed(1)}, at least ${least}`] : [];
  });
}
