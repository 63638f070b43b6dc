import { dialectNamed, type LoadedGame, Simulation } from '../../../engine/index.ts';
import { ratesOf } from '../../../engine/tools.ts';
import { botIds } from '../../bots/index.ts';
import { type BoundExpression, bindExpression, GameSource } from '../../expression/index.ts';
import { Games } from '../../scenario/index.ts';
import type { Deadline, ExplorePlan } from '../searching/plan.ts';

export interface BoundPlan {
  readonly goal: BoundExpression | undefined;
  readonly objective: BoundExpression | undefined;
  readonly never: readonly BoundExpression[];
  readonly always: readonly BoundExpression[];
  readonly within: readonly BoundDeadline[];
  /** Expressions that must be reachable again within a time, from wherever a play ends. */
  readonly reachable: readonly BoundDeadline[];
}

interface BoundDeadline {
  readonly bound: BoundExpression;
  readonly seconds: number;
}

/** Starts plays, and binds the expressions of their plan to each of them. */
export interface Ground {
  readonly begin: (seed: string) => Simulation;
  readonly bind: (playing: () => Simulation) => BoundPlan;
}

export function groundOf(game: LoadedGame, plan: ExplorePlan): Ground {
  return {
    begin: (seed) => new Simulation(game, { seed, dialect: plan.dialect }),
    bind: (playing) => bindPlan(game, plan, playing),
  };
}

/** Loads the game of a plan, and checks the expressions of the plan. Throws `GameUnreadable` and `ExpressionError`. */
export function openGame(plan: ExplorePlan): { readonly game: LoadedGame; readonly rate: number } {
  const game = new Games().game(plan);
  bindPlan(game, plan);
  return { game, rate: ratesOf(game.definition.defaultData, dialectNamed(plan.dialect)).ticksPerSecond };
}

/**
 * Binds the expressions of a plan to a simulation; without `playing`, it only checks them. Throws `ExpressionError`.
 */
export function bindPlan(game: LoadedGame, plan: ExplorePlan, playing?: () => Simulation): BoundPlan {
  const source = new GameSource(game, plan.dialect, { playing, players: botIds(plan.players[1]) });
  const bind = (text: string) => bindExpression(text, source);
  const deadline = ({ expression, seconds }: Deadline): BoundDeadline => ({ bound: bind(expression), seconds });
  return {
    goal: plan.goal === undefined ? undefined : bind(plan.goal),
    objective: plan.objective && bind(plan.objective.expression),
    never: plan.never.map(bind),
    always: plan.always.map(bind),
    within: plan.within.map(deadline),
    reachable: plan.reachable.map(deadline),
  };
}
