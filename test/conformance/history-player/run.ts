import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareRecords, type Difference, firstDivergence } from './compare.ts';
import { trackOf } from './explain.ts';
import { gameOf, readHistory, recordOf } from './history.ts';
import { playHistory } from './play.ts';
import { explanation, type HistoryResult, hasPassed, line } from './report.ts';

export interface HistoryOptions {
  /** Only games whose name contains this; empty for all. */
  readonly only: string;
  /** Number of seconds to play and compare; undefined for the whole history. */
  readonly until: number | undefined;
  /** Print the detailed report of each history that differs. */
  readonly explain: boolean;
}

/**
 * Plays the histories of a folder with the definitions from other folders, and prints each result at once. The last
 * line is the count. Throws if a folder does not exist or has no matching history.
 */
export function runHistories(
  folder: string,
  gamesFolders: readonly string[],
  { only, until, explain }: HistoryOptions,
  print: (text: string) => void,
): void {
  for (const games of gamesFolders) if (!existsSync(games)) throw new Error(`There is no folder ${games}.`);
  const paths = historiesOf(folder).filter((path) => gameOf(path).includes(only));
  if (paths.length === 0)
    throw new Error(`${folder} holds no history${only === '' ? '' : ` of a game named ${only}`}.`);
  let passed = 0;
  for (const path of paths) {
    const result = judge(path, gamesFolders, { until, track: explain ? 'firstState' : 'first' });
    if (hasPassed(result)) passed++;
    print(explain ? [line(result), ...explanation(result)].join('\n') : line(result));
  }
  print(`${passed} passed, ${paths.length - passed} failed`);
}

/** The recordings of a folder, sorted by name. Throws if the folder does not exist. */
export function historiesOf(folder: string): string[] {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  return readdirSync(folder)
    .filter((name) => /\.history\.json(\.gz)?$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

export interface JudgeOptions extends Partial<Pick<HistoryOptions, 'until'>> {
  /**
   * Which difference to explain, which takes two more replays up to it: the first of all, as far as samples show it, or
   * the first in samples. Default: none.
   */
  readonly track?: 'first' | 'firstState';
}

/** Plays one history and compares. If it cannot be played, the result is the reason. */
export function judge(
  path: string,
  gamesFolders: readonly string[],
  { until, track: tracked }: JudgeOptions = {},
): HistoryResult {
  const game = gameOf(path);
  try {
    const history = readHistory(path, gamesFolders);
    const { file } = history;
    const { ticksPerSecond } = file.rates;
    const seconds = Math.min(until ?? file.seconds, file.seconds);
    const expected = recordOf(file, seconds);
    const got = playHistory(history, seconds);
    const comparison = compareRecords(expected, got, ticksPerSecond);
    const first = firstDivergence(comparison, ticksPerSecond);
    const followed: Difference | undefined =
      tracked === 'firstState'
        ? comparison.differences.find(({ read }) => read !== undefined)
        : tracked === 'first' && first !== undefined && 'state' in first
          ? first.state
          : undefined;
    const track = followed?.read && trackOf(history, followed, ticksPerSecond);
    return { game, played: { file, expected, got, comparison, track } };
  } catch (error) {
    return { game, error: error instanceof Error ? error.message : String(error) };
  }
}
