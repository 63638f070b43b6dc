import type { BenchResult, Counters, GameResult, ScaleResult } from './result.ts';

/**
 * How a game has changed since a result was saved. A change alone does not make the command fail; `--require` can
 * forbid changes.
 */
export interface Comparison {
  readonly file: string;
  readonly bots: number;
  /**
   * `invalid`: the hash differs, so the game does different work, and times cannot be compared. `other-options`: the
   * saved result was measured with another seed, dialect or length.
   */
  readonly verdict: 'same' | 'invalid' | 'other-options';
  /** The counters that differ, with their values before and now. */
  readonly changed: readonly { readonly counter: keyof Counters; readonly before: number; readonly now: number }[];
  /** The current median tick time divided by the saved one. */
  readonly tickRatio: number;
  /** The saved result of the same game and number of bots. */
  readonly then: ScaleResult;
}

/**
 * Compares the results that have the same game file and number of bots. If both results contain a single game, their
 * files may differ. Results without a counterpart are left out.
 */
export function compareResults(now: BenchResult, before: BenchResult): Comparison[] {
  const comparisons: Comparison[] = [];
  for (const [i, game] of now.games.entries()) {
    const other =
      before.games.find(({ file }) => file === game.file) ?? (now.games.length === 1 ? before.games[i] : undefined);
    if (other === undefined) continue;
    for (const scale of game.scales) {
      const then = other.scales.find(({ bots }) => bots === scale.bots);
      if (then !== undefined) comparisons.push(compareScales(game, other, scale, then));
    }
  }
  return comparisons;
}

function compareScales(game: GameResult, other: GameResult, now: ScaleResult, then: ScaleResult): Comparison {
  const wasAskedTheSame =
    game.seed === other.seed &&
    game.dialect === other.dialect &&
    game.seconds === other.seconds &&
    game.warmUpSeconds === other.warmUpSeconds;
  const names = Object.keys(now.counters) as (keyof Counters)[];
  return {
    file: game.file,
    bots: now.bots,
    verdict: !wasAskedTheSame ? 'other-options' : now.hash === then.hash ? 'same' : 'invalid',
    changed: names
      .filter((counter) => now.counters[counter] !== then.counters[counter])
      .map((counter) => ({ counter, before: then.counters[counter], now: now.counters[counter] })),
    tickRatio: now.typical.tickMs.p50 / then.typical.tickMs.p50,
    then,
  };
}
