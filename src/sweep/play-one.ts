import { type LoadedGame, Simulation } from '../../engine/index.ts';
import { Bots, botIds, countBots, optionsOf } from '../bots/index.ts';
import { bindExpression, GameSource, recordable } from '../expression/index.ts';
import { type Ending, play } from '../run/index.ts';
import type { SweepPlan, SweepPlay } from './plan.ts';

/** The value of a measure; null if it has none. A group of entities is represented by its size. */
export type Answer = number | boolean | string | null;

export interface Outcome {
  readonly answers: readonly Answer[];
  readonly ticks: number;
  readonly ending: Ending;
}

/** A run and its outcome. */
export interface Result extends SweepPlay, Outcome {}

/** Runs one game to its end and evaluates the measures. Throws `ExpressionError` for an invalid expression. */
export async function playOne(game: LoadedGame, plan: SweepPlan, seed: string): Promise<Outcome> {
  const { dialect, bots: groups, tries, seconds, until, measures } = plan;
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
