import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { GameCoverage } from '../scenario/index.ts';

/**
 * For editors: how often each script ran in the last `reenact test --coverage`. By game file, then by place of the
 * script.
 */
interface LastCoverage {
  readonly reenactCoverage: 1;
  readonly runs: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The name of the file, in the folder of pictures. */
export const lastCoverageFile = 'coverage.json';

/** The content of the file. */
export function lastCoverageText(coverage: readonly GameCoverage[]): string {
  const runs = coverage.map(({ game, each }) => [
    resolve(game),
    Object.fromEntries(each.map((script) => [script.place, script.runs])),
  ]);
  const content: LastCoverage = { reenactCoverage: 1, runs: Object.fromEntries(runs) };
  return `${JSON.stringify(content)}\n`;
}

/** The counts of the scripts of a game, from the nearest `.reenact` folder above it that has them. */
export function lastCoverage(game: string): Readonly<Record<string, number>> | undefined {
  for (let folder = dirname(game); ; folder = dirname(folder)) {
    const file = join(folder, '.reenact', lastCoverageFile);
    if (existsSync(file)) {
      const { runs } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LastCoverage>;
      if (runs !== undefined && Object.hasOwn(runs, game)) return runs[game];
    }
    if (dirname(folder) === folder) return undefined;
  }
}
