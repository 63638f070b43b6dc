import { joinAs, type Play, play, script, unitType } from '../../support/play.ts';
import { trailOf, trailVariable } from '../../support/trail.ts';

export type Json = Record<string, unknown>;

/** Behaviour that `standard` corrects and `moddio` keeps as recorded: runs the same game in both. */
export function inBoth(data: Json, run: (game: Play) => unknown): { standard: unknown; moddio: unknown } {
  const answer = (dialect: 'standard' | 'moddio') => {
    const game = play(
      { ...data, variables: { ...trailVariable, ...(data['variables'] as Json | undefined) } },
      { dialect },
    );
    return run(game);
  };
  return { standard: answer('standard'), moddio: answer('moddio') };
}

/** The words that scripts of the game have appended after `act`, in both dialects. */
export function trailsAfter(data: Json, act: (game: Play) => void): { standard: unknown; moddio: unknown } {
  return inBoth(data, (game) => {
    act(game);
    return trailOf(game);
  });
}

export function withUnit(type: Json, data: Json = {}): Json {
  const { scripts, unitTypes, ...rest } = data;
  return {
    unitTypes: { hero: unitType(type), ...(unitTypes as Json | undefined) },
    scripts: { join: joinAs('hero'), ...(scripts as Json | undefined) },
    ...rest,
  };
}

export const started = (...actions: unknown[]): Json => ({ scripts: { start: script('gameStart', actions) } });
export const thisUnit = { function: 'thisEntity' };
export const join = (game: Play, ticks = 2): void => {
  game.sim.join({ name: 'Ada' });
  game.ticks(ticks);
};

/** Ada joins and answers an input box. */
export const answered = (game: Play): void => {
  const ada = game.sim.join({ name: 'Ada' });
  game.ticks(2);
  ada.answer('now');
  game.ticks(1);
};
