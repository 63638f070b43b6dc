import type { Play } from '../playing/play.ts';
import { ScenarioFailure } from '../telling/failure.ts';
import { failAtCaller } from './caller.ts';

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** The matchers added to `expect(play)`. */
export interface ScenarioMatchers<R = unknown> {
  /** Expects a value of an attribute, variable or property of an entity or player, by name. */
  toHaveAttribute(entity: string, attribute: string, value: number): R;
  toHaveVariable(name: string, value: unknown): R;
  toBeOwnedBy(unit: string, player: string): R;
  toHaveFired(trigger: string, where?: Readonly<Record<string, unknown>>): R;
  toHavePublished(output: string, where?: Readonly<Record<string, unknown>>): R;
  toHaveRun(script: string): R;
  /** Expects that the expression is true now. */
  toHold(expression: string): R;
}

// Declared here, because declarations in a module imported only for its side effects do not reach users of the package.
declare module 'vitest' {
  interface Matchers<T> extends ScenarioMatchers<T> {}
}

/** For `expect.extend(matchers)`, if `registerMatchers` did not find an `expect`. */
export const matchers = {
  toHaveAttribute: (play: Play, entity: string, attribute: string, value: number) =>
    compared(play, `${entity}.${attribute}`, value),
  toHaveVariable: (play: Play, name: string, value: unknown) => compared(play, name, value),
  toBeOwnedBy: (play: Play, unit: string, player: string) => compared(play, `${unit}.owner`, `@${player}`),
  toHaveFired: (play: Play, trigger: string, where?: Readonly<Record<string, unknown>>) =>
    tried(play, () => play.event(trigger, { where }), `${trigger} not to have fired${withText(where)}`),
  toHavePublished: (play: Play, output: string, where?: Readonly<Record<string, unknown>>) =>
    tried(play, () => play.output(output, { where }), `no ${output}${withText(where)} to have been published`),
  toHaveRun: (play: Play, script: string) => tried(play, () => play.ran(script), `script "${script}" not to have run`),
  toHold: (play: Play, expression: string) => {
    requirePresent(play, expression, () => play.expect(expression));
    return tried(play, () => play.expect(expression), `not ${expression}`);
  },
};

failAtCaller(matchers);

function compared(play: Play, expression: string, expected: unknown): Verdict {
  requirePresent(play, expression, () => play.expectValue(expression, expected));
  const actual = play.value(expression);
  return {
    ...tried(play, () => play.expectValue(expression, expected), `${expression} not to be ${String(expected)}`),
    actual,
    expected,
  };
}

/** Fails if the entity is missing, so that an expectation about it fails with and without `not`. */
function requirePresent(play: Play, expression: string, fail: () => unknown): void {
  if (play.absence(expression) !== undefined) fail();
}

/** Errors in the scenario are rethrown: an unknown name must not make `not` pass. */
function tried(play: Play, work: () => unknown, opposite: string): Verdict {
  try {
    play.trying(work);
    return { pass: true, message: () => `expected ${opposite}` };
  } catch (error) {
    if (!(error instanceof ScenarioFailure) || error.report.kind !== 'expectation') throw error;
    return { pass: false, message: () => play.explained(error).message };
  }
}

function withText(where: Readonly<Record<string, unknown>> | undefined): string {
  return where === undefined ? '' : ` with ${JSON.stringify(where)}`;
}
