import type { BoundExpression } from '../../expression/index.ts';
import type { Onset } from '../../run/index.ts';
import type { RunningCase } from '../playing/running-case.ts';
import { isMistake } from '../playing/steps.ts';

type Moment = Pick<Onset, 'tick' | 'seconds'>;

/**
 * Evaluates the expressions of a failure while the case runs again, to find the tick at which they got their final
 * value.
 */
export class OnsetSearch {
  private boundExpressions: readonly BoundExpression[] | undefined;
  private held: boolean | undefined;
  private values = '';
  /** The last tick at which the expectation became false after it had been true; undefined if it was never true. */
  private broke: Moment | undefined;
  private changed: Moment | undefined;
  private last: Moment | undefined;

  constructor(private readonly expressions: readonly string[]) {}

  /** Evaluates the expressions. Must be called after each tick. */
  look(running: RunningCase) {
    if (this.expressions.length === 0) return;
    this.boundExpressions ??= bindAll(running, this.expressions);
    const holds = this.boundExpressions.every((bound) => bound.holds());
    const values = JSON.stringify(this.boundExpressions.map((bound) => running.parts(bound)));
    const here = { tick: running.sim.tick, seconds: running.seconds };
    if (this.held === true && !holds) this.broke = here;
    if (this.last !== undefined && values !== this.values) this.changed = here;
    this.held = holds;
    this.values = values;
    this.last = here;
  }

  /** The tick at which the failure began; undefined if nothing could be evaluated. */
  found(): Onset | undefined {
    const { broke, changed, last } = this;
    if (last === undefined || this.boundExpressions?.length === 0) return undefined;
    if (broke !== undefined) return { kind: 'broken', ...broke };
    return changed === undefined ? { kind: 'never', ...last } : { kind: 'changed', ...changed };
  }
}

/**
 * Binds expressions. Empty if they cannot be bound at the start, for example because a later step introduces a name.
 */
function bindAll(running: RunningCase, expressions: readonly string[]): readonly BoundExpression[] {
  try {
    return expressions.map((text) => running.bind(text));
  } catch (error) {
    if (isMistake(error)) return [];
    throw error;
  }
}
