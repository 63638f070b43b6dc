import type { StateView } from '../../../engine/index.ts';
import type { Difference } from './compare.ts';
import type { History } from './history.ts';
import { type Cause, type Moment, playHistory, sampleOf } from './play.ts';

/** How a value of our state became what it is at the end of a second. */
export interface Track {
  /** The ticks in which it can have become different: those after the previous second, up to this one. */
  readonly firstTick: number;
  readonly lastTick: number;
  /** The values after the preceding tick and after each of these ticks. */
  readonly steps: readonly Step[];
  /** The tick of the last change; undefined if there was none in these ticks. */
  readonly changedIn: number | undefined;
  /** The last action that had begun before it changed, or at the end of these ticks. */
  readonly cause: Cause;
}

export interface Step {
  readonly tick: number;
  readonly value: unknown;
  /** The state that determines the movement of the unit. */
  readonly motion: Readonly<Record<string, unknown>> | undefined;
  /** Actions begun in the tick, in order. */
  readonly actions: readonly string[];
}

/** The unit or player that a difference is about, by its label. */
export function labelOf({ path }: Difference): string | undefined {
  return /^[up][0-9]+(?=$|\.)/.exec(path)?.[0];
}

/**
 * Replays up to a difference and watches the value that differs: first tick by tick, then action by action in the tick
 * of its last change.
 */
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
      // Until the next action begins, the previous one is the cause.
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
