import { type Change, withChanges } from '../load/index.ts';
import { Games, gameOf } from '../scenario/index.ts';
import type { SweepPlan } from './plan.ts';
import { type Outcome, playOne } from './play-one.ts';

/** The URL of this file for starting threads, bundled or not. */
export const workerUrl = import.meta.url;

export interface PlayTask {
  readonly plan: SweepPlan;
  readonly changes: readonly Change[];
  readonly seed: string;
}

/** Per thread: each document is read once, and a definition is loaded once for all seeds of a point. */
const games = new Games();
let last: { readonly key: string; readonly game: ReturnType<typeof gameOf> } | undefined;

export async function playInWorker({ plan, changes, seed }: PlayTask): Promise<Outcome> {
  const key = JSON.stringify([plan.game, changes]);
  if (last?.key !== key) {
    const document = withChanges(games.document(plan.game), changes);
    last = { key, game: gameOf(document, plan.game) };
  }
  return playOne(last.game, plan, seed);
}
