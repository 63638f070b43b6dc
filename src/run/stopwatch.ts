import { type Phase, type PhaseListener, phases } from '../../engine/index.ts';

export type TickPart = Phase | 'bots';

/** Measures the wall time of each part of the ticks. Time in scripts counts towards the part that runs them. */
export class Stopwatch {
  private readonly totals = new Map<TickPart | 'idle', number>();
  private current: TickPart | 'idle' = 'idle';
  private since = performance.now();

  /** Starts timing a part of the tick. Time in the part `idle` is not reported. */
  readonly start: PhaseListener & ((part: TickPart | 'idle') => void) = (part) => {
    const now = performance.now();
    this.totals.set(this.current, (this.totals.get(this.current) ?? 0) + now - this.since);
    this.current = part;
    this.since = now;
  };

  /** The wall time of each part in ms, in the order of a tick. */
  get partsMs(): Readonly<Record<TickPart, number>> {
    const parts: readonly TickPart[] = ['bots', ...phases];
    return Object.fromEntries(parts.map((part) => [part, this.totals.get(part) ?? 0])) as Record<TickPart, number>;
  }
}
