import { resolve } from 'node:path';
import type { LoadedGame } from '../../engine/index.ts';
import { programsOfGame } from '../../engine/tools.ts';
import { type Exploration, exploreGame } from '../../src/explore/explore.ts';
import { type ExplorePlan, isSearch } from '../../src/explore/searching/plan.ts';
import { newProgress, type Progress } from '../../src/explore/searching/progress.ts';
import { joinAs, load, script, unitType } from '../support/play.ts';

type Json = Record<string, unknown>;

/** 20 ticks per second. */
export const rate = 20;

export const variable = (variableName: string): Json => ({ function: 'getVariable', variableName });

export const calculate = (left: unknown, operator: string, right: unknown): Json => ({
  function: 'calculate',
  items: [{ operator }, left, right],
});

export const set = (variableName: string, value: unknown): Json => ({ type: 'setVariable', variableName, value });

export const when = (
  left: unknown,
  operator: string,
  right: unknown,
  then: readonly Json[],
  type = 'number',
): Json => ({
  type: 'condition',
  conditions: [{ operator, operandType: type }, left, right],
  then,
  else: [],
});

/** A game with one unit per player, in which these scripts run. */
export function gameOf(scripts: Json, more: Json = {}): LoadedGame {
  const game = load({
    unitTypes: { walker: unitType() },
    scripts: { join: joinAs('walker'), ...scripts },
    ...more,
  });
  return programsOfGame(game).watched('conditions');
}

export const each = (trigger: string, ...actions: readonly Json[]): Json => script(trigger, actions);

export function planOf(more: Partial<ExplorePlan> = {}): ExplorePlan {
  return {
    game: resolve('game.json'),
    dialect: 'standard',
    seed: '8',
    players: [1, 3],
    never: [],
    always: [],
    within: [],
    reachable: [],
    ...more,
  };
}

export async function explored(
  game: LoadedGame,
  plan: ExplorePlan,
  seconds: number,
): Promise<Exploration & { readonly progress: Progress }> {
  // The first two plays are long and the same for all games, unless there is a goal.
  const progress = { ...newProgress(), next: isSearch(plan) ? 0 : 2 };
  const exploration = await exploreGame({
    plan,
    game,
    rate,
    budget: { ticks: seconds * rate },
    jobs: 1,
    progress,
    onProgress() {},
    signal: new AbortController().signal,
  });
  return { ...exploration, progress };
}
