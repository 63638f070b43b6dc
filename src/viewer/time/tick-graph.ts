import { element, setText } from '../parts/element.ts';
import { area } from './sparkline.ts';

const shownTicks = 120;

interface TickTimes {
  readonly tick: number;
  /** Ticks per second. */
  readonly rate: number;
  /** Returns the duration of a tick in ms; undefined if it is unknown. */
  readonly tickMs: (tick: number) => number | undefined;
}

/** A plot of the durations of recent ticks in this browser, and a text with their share of the frame budget. */
export class TickGraph {
  readonly root: HTMLElement;
  private readonly plot = element('i');
  private readonly summary = element('output', { id: 'tick-time', class: 'mono soft' });

  constructor() {
    const about = { class: 'spark', role: 'img', 'aria-label': 'Durations of recent ticks' };
    this.root = element('div', { class: 'graph' }, element('span', about, this.plot), this.summary);
  }

  show({ tick, rate, tickMs }: TickTimes): void {
    const first = tick - shownTicks;
    const ticks = Array.from({ length: shownTicks + 1 }, (_, i) => first + i);
    const times = ticks.map((each) => (each === first ? undefined : tickMs(each)) ?? 0);
    const known = times.filter((ms) => ms > 0).sort((a, b) => a - b);
    const last = times.at(-1)!;
    const text = (ms: number | undefined): string => (ms ?? 0).toFixed(2);
    const parts = [
      ...(last > 0 ? [`tick ${text(last)} ms`] : []),
      `median ${text(known[known.length >> 1])}`,
      `max ${text(known.at(-1))} of ${(1000 / rate).toFixed(1)} ms`,
    ];
    setText(this.summary, known.length === 0 ? 'no tick simulated yet' : parts.join(' · '));
    this.plot.hidden = known.length === 0;
    // The first value is 0, so that the heights in the plot start at zero.
    this.plot.style.clipPath = area({ ticks, values: times }, { first, last: tick, known: tick });
  }
}
