import type { BenchResult, Counters, GameResult, ScaleResult } from './result.ts';

/** The change of a game since a result was saved. It is only reported; to fail a run, use `--require`. */
export interface Comparison {
  readonly file: string;
  readonly bots: number;
  /**
   * `invalid`: the game no longer runs the same (different hash), so figures cannot be compared. `other-options`: it
   * was measured with another seed, dialect or length.
   */
  readonly verdict: 'same' | 'invalid' | 'other-options';
  /** The counters that differ, before and now. */
  readonly changed: readonly { readonly counter: keyof Counters; readonly before: number; readonly now: number }[];
  /** The median tick now divided by the median tick then. */
  readonly tickRatio: number;
  /** The saved result. */
  readonly then: ScaleResult;
}

/** Matches by name of the game, if unique, and number of bots; what only one side has is left out. */
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
