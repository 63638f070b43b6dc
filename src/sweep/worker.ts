import { type LoadedGame, Simulation } from '../../engine/index.ts';
import { Bots, botIds, countBots, optionsOf } from '../bots/index.ts';
import { bindExpression, GameSource, recordable } from '../expression/index.ts';
import { type Change, withChanges } from '../load/index.ts';
import { play } from '../run/index.ts';
import { Games, gameOf } from '../scenario/index.ts';
import type { Answer, Outcome, SweepPlan } from './plan.ts';

/** The URL of this file for starting threads, bundled or not. */
export const workerUrl = import.meta.url;

export interface PlayTask {
  readonly plan: SweepPlan;
  readonly changes: readonly Change[];
  readonly seed: string;
}

/** Per thread: each document is read once, and a definition is loaded once for all seeds of a point. */
const games = new Games();
let last: { readonly key: string; readonly game: LoadedGame } | undefined;

/** Runs one game to its end and evaluates the measures. */
export async function playInWorker({ plan, changes, seed }: PlayTask): Promise<Outcome> {
  const { game: path, host, dialect, bots: groups, tries, seconds, until, measures } = plan;
  const key = JSON.stringify([path, changes]);
  if (last?.key !== key) last = { key, game: gameOf(withChanges(games.document(path), changes), path, host) };
  const { game } = last;
  const source: GameSource = new GameSource(game, dialect, { playing: () => sim, players: botIds(countBots(groups)) });
  const boundExpressions = measures.map((measure) => bindExpression(measure, source));
  const end = until === undefined ? undefined : bindExpression(until, source);
  const sim: Simulation = new Simulation(game, { seed, dialect });
  const { ending } = await play(sim, {
    ticks: Math.round(seconds * sim.rate),
    bots: new Bots(sim, { ...optionsOf(groups, game, dialect), seed, tries }),
    until: end && (() => end.holds()),
  });
  return { answers: boundExpressions.map((bound) => answerOf(bound.value())), ticks: sim.tick, ending };
}

function answerOf(value: unknown): Answer {
  const answer = recordable(value);
  return typeof answer === 'object' ? (answer === null ? null : JSON.stringify(answer)) : (answer as Answer);
}
