import type { Difference } from './compare.ts';
import type { History } from './history.ts';
import { type Cause, type Moment, playHistory, sampleOf } from './play.ts';

/** How a part of our own state came to the value it has at a second's end. */
export interface Track {
  /** Ticks in which it can have become different: after the second before, up to this one. */
  readonly firstTick: number;
  readonly lastTick: number;
  /** The value when each tick of these was complete, and before the first of them. */
  readonly values: readonly { readonly tick: number; readonly value: unknown }[];
  /** The tick of the last change; undefined where there was none in these ticks. */
  readonly changedIn: number | undefined;
  /** The action that had begun last when it changed, or at the end of these ticks. */
  readonly cause: Cause;
}

/** Plays again up to a difference and looks at the part that differs: tick by tick, then action by action in the tick of its last change. */
export function trackOf(history: History, { second, read }: Difference, ticksPerSecond: number): Track {
  const firstTick = Math.max(0, (second - 1) * ticksPerSecond + 1);
  const lastTick = second * ticksPerSecond;
  const valueAt = (moment: Moment): unknown => read?.(sampleOf(moment.view(), second));

  const values: { tick: number; value: unknown }[] = [];
  let cause: Cause = { tick: 0, action: undefined };
  playHistory(history, second, {
    tick(moment) {
      if (moment.tick < firstTick - 1) return;
      values.push({ tick: moment.tick, value: valueAt(moment) });
      cause = moment.cause();
    },
  });
  const changes = values.filter(({ value }, index) => index > 0 && !isSame(value, values[index - 1]!.value));
  const changedIn = changes.at(-1)?.tick;
  if (changedIn !== undefined) {
    let before = values.find(({ tick }) => tick === changedIn - 1)?.value;
    const look = (moment: Moment) => {
      if (moment.tick !== changedIn) return;
      const now = valueAt(moment);
      // Before the next action begins, the one that had begun last is still the cause.
      if (!isSame(now, before)) cause = moment.cause();
      before = now;
    };
    playHistory(history, second, { action: look, tick: look });
  }
  return { firstTick, lastTick, values, changedIn, cause };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
