import { type Journal, type LoadedGame, Replay } from '../../../engine/index.ts';
import { ExpressionError, GameSource } from '../../expression/index.ts';
import { stopCondition } from '../../why/index.ts';

/** A search request. */
export interface SearchQuery {
  /** An expression, or a value followed by `falls`, `rises` or `changes`, such as `u12.health falls`. */
  readonly text: string;
  /** Searches for the first tick after this one (-1 includes all ticks); with `isBack`, for the last tick up to it. */
  readonly after: number;
  readonly isBack: boolean;
}

interface SearchProgress {
  readonly tick: number;
  /** The tick that was found; undefined until then. */
  readonly found: number | undefined;
  /** The last tick up to `after` at which the expression became true; undefined if there is none. */
  readonly before: number | undefined;
  readonly isDone: boolean;
}

/** The progress of a search, or the message about an invalid expression. */
export type Finding = SearchProgress | { readonly wrong: string };

/** How long, in ms, a search runs before it lets other work run. */
const sliceMs = 30;
/** The number of ticks that are simulated between two checks of the time. */
const sliceTicks = 20;

/**
 * Replays a journal from the start until an expression becomes true, or a value falls, rises or changes. It uses a
 * simulation of its own, because `fired` and `outputs` count from the start. It yields every few ticks. Throws
 * `ExpressionError` before the first tick.
 */
function searchForTick(
  { text, after, isBack }: SearchQuery,
  loaded: LoadedGame,
  journal: Journal,
): Iterator<SearchProgress> {
  // The search never goes back, so it needs no snapshots.
  const replay = new Replay(loaded, journal, { keyframeTicks: Number.MAX_SAFE_INTEGER });
  const source = new GameSource(loaded, journal.head.dialect, {
    playing: () => replay.sim,
    journal,
    whyUncounted: () =>
      journal.head.tick === 0 ? undefined : 'the journal does not start at the beginning of the game',
  });
  const condition = stopCondition(text, source);
  return (function* search(): Generator<SearchProgress> {
    let before: number | undefined;
    for (;;) {
      const isFound = condition.happened();
      const { tick } = replay;
      if (isBack && tick > after) {
        yield { tick, found: before, before, isDone: true };
        return;
      }
      if (isFound) {
        if (tick > after) {
          yield { tick, found: tick, before, isDone: true };
          return;
        }
        before = tick;
      }
      if (replay.isAtEnd) {
        yield { tick, found: isBack ? before : undefined, before, isDone: true };
        return;
      }
      if (tick % sliceTicks === 0) yield { tick, found: undefined, before, isDone: false };
      replay.step();
    }
  })();
}

/** Searches in slices of time, and reports after each until it is done. Returns a function that stops the search. */
export function searchInSlices(
  query: SearchQuery,
  loaded: LoadedGame,
  journal: Journal,
  report: (finding: Finding) => void,
): () => void {
  let isStopped = false;
  const go = (search: Iterator<SearchProgress>) => {
    if (isStopped) return;
    const end = performance.now() + sliceMs;
    for (;;) {
      const step = search.next();
      if (step.done === true) return;
      if (!step.value.isDone && performance.now() < end) continue;
      report(step.value);
      if (!step.value.isDone) setTimeout(() => go(search));
      return;
    }
  };
  try {
    const search = searchForTick(query, loaded, journal);
    setTimeout(() => go(search));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report({ wrong: [error.message, ...error.place].join('\n') });
  }
  return () => {
    isStopped = true;
  };
}
