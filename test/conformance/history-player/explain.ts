import type { StateView } from '../../../engine/index.ts';
import type { Difference } from './compare.ts';
import type { History } from './history.ts';
import { type Cause, type Moment, playHistory, sampleOf } from './play.ts';

/** How a part of our own state came to the value it has at a second's end. */
export interface Track {
  /** Ticks in which it can have become different: after the second before, up to this one. */
  readonly firstTick: number;
  readonly lastTick: number;
  /** The tick before these, then each of them when it was complete. */
  readonly steps: readonly Step[];
  /** The tick of the last change; undefined where there was none in these ticks. */
  readonly changedIn: number | undefined;
  /** The action that had begun last when it changed, or at the end of these ticks. */
  readonly cause: Cause;
}

export interface Step {
  readonly tick: number;
  readonly value: unknown;
  /** The state that moves the unit in question. */
  readonly motion: Readonly<Record<string, unknown>> | undefined;
  /** Actions begun in the tick, in order. */
  readonly actions: readonly string[];
}

/** The unit or player that a difference is about, by its label. */
export function labelOf({ path }: Difference): string | undefined {
  return /^[up][0-9]+(?=$|\.)/.exec(path)?.[0];
}

/** Plays again up to a difference and looks at the part that differs. First tick by tick, then action by action in the tick of its last change. */
export function trackOf(history: History, difference: Difference, ticksPerSecond: number): Track {
  const { second, read } = difference;
  const firstTick = Math.max(0, (second - 1) * ticksPerSecond + 1);
  const valueAt = (moment: Moment): unknown => read?.(sampleOf(moment.view(), second));

  const steps: Step[] = [];
  const label = labelOf(difference);
  let cause: Cause = { tick: 0, action: undefined };
  let actions: string[] = [];
  playHistory(history, second, {
    begun({ tick, action }) {
      if (tick >= firstTick && action !== undefined) actions.push(action);
    },
    tick(moment) {
      cause = moment.cause();
      if (moment.tick < firstTick - 1) return;
      steps.push({ tick: moment.tick, value: valueAt(moment), motion: motionOf(moment.view(), label), actions });
      actions = [];
    },
  });
  const changes = steps.filter(({ value }, index) => index > 0 && !isSame(value, steps[index - 1]!.value));
  const changedIn = changes.at(-1)?.tick;
  if (changedIn !== undefined) {
    let before = steps.find(({ tick }) => tick === changedIn - 1)?.value;
    const look = (moment: Moment) => {
      if (moment.tick !== changedIn) return;
      const now = valueAt(moment);
      // Before the next action begins, the one that had begun last is still the cause.
      if (!isSame(now, before)) cause = moment.cause();
      before = now;
    };
    playHistory(history, second, { beforeAction: look, tick: look });
  }
  return { firstTick, lastTick: second * ticksPerSecond, steps, changedIn, cause };
}

function motionOf({ units }: StateView, label: string | undefined): Step['motion'] {
  const unit = units.find(({ id }) => id === label);
  if (unit === undefined) return undefined;
  const { x, y, angle, vx, vy, moving, ai, aiTarget } = unit;
  return { at: [x, y], angle, v: [vx, vy], moving, ai, aiTarget };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
