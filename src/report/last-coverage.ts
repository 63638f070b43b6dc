import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Dictionary } from '../../engine/core/index.ts';
import type { GameCoverage } from '../scenario/index.ts';

/**
 * How often each script, action and branch ran in the last `reenact test --coverage`, which editors show. `runs`
 * contains the counts by absolute path of the game, then by JSON Pointer.
 */
interface LastCoverage {
  readonly reenactCoverage: 1;
  readonly runs: Dictionary<Dictionary<number>>;
}

/** The name of the file with the last coverage, in the folder of pictures. */
export const lastCoverageFile = 'coverage.json';

/** The content of the file with the last coverage. */
export function lastCoverageText(coverage: readonly GameCoverage[]): string {
  const runs = coverage.map(({ game, each }) => [
    resolve(game),
    Object.fromEntries(
      each.flatMap(({ pointer, runs, lines }) => [[pointer, runs], ...lines.map((line) => [line.pointer, line.count])]),
    ),
  ]);
  const content: LastCoverage = { reenactCoverage: 1, runs: Object.fromEntries(runs) };
  return `${JSON.stringify(content)}\n`;
}

/**
 * How often each script, action and branch of a game ran, by JSON Pointer. The counts are read from the nearest folder
 * `.reenact` above the game that has counts for it; undefined if there is none, or if the game was saved later, because
 * other actions may be at the same places.
 */
export function lastCoverage(game: string): Dictionary<number> | undefined {
  for (let folder = dirname(game); ; folder = dirname(folder)) {
    const file = join(folder, '.reenact', lastCoverageFile);
    if (existsSync(file) && statSync(file).mtimeMs >= statSync(game).mtimeMs) {
      const { runs } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LastCoverage>;
      if (runs !== undefined && Object.hasOwn(runs, game)) return runs[game];
    }
    if (dirname(folder) === folder) return undefined;
  }
}
