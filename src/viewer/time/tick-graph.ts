import { element, setText } from '../parts/element.ts';

const shownTicks = 240;
const heightPixels = 30;

interface TickTimes {
  readonly tick: number;
  /** Ticks per second. */
  readonly rate: number;
  /** Undefined if the time of a tick is unknown. */
  readonly tickMs: (tick: number) => number | undefined;
  /** For a room: how late the tick started. */
  readonly lateMs?: number | undefined;
}

/** A bar chart of the durations of recent ticks, in this browser or on the server, with the frame budget. */
export class TickGraph {
  readonly root: HTMLElement;
  private readonly canvas = element('canvas', { role: 'img', 'aria-label': 'Durations of recent ticks' });
  /** Kept while they hold, because asking for them makes the browser compute the layout of the page at once. */
  private width = 0;
  private colors: { readonly bad: string; readonly accent: string } | undefined;
  private readonly summary = element('output', { id: 'tick-time', class: 'mono soft' });

  constructor() {
    this.root = element('div', { class: 'graph' }, this.canvas, this.summary);
    new ResizeObserver(() => {
      this.width = this.canvas.clientWidth;
    }).observe(this.canvas);
  }

  /** Call after the page changed between light and dark. */
  recolor(): void {
    this.colors = undefined;
  }

  show({ tick, rate, tickMs, lateMs }: TickTimes): void {
    const times: number[] = [];
    for (let each = tick - shownTicks + 1; each <= tick; each++) times.push(tickMs(each) ?? 0);
    const known = times.filter((ms) => ms > 0).sort((a, b) => a - b);
    const budgetMs = 1000 / rate;
    const median = known[Math.floor(known.length / 2)] ?? 0;
    const most = known.at(-1) ?? 0;
    const last = times.at(-1)!;
    setText(
      this.summary,
      known.length === 0
        ? 'no tick simulated yet'
        : `${last > 0 ? `tick ${last.toFixed(2)} ms · ` : ''}median ${median.toFixed(2)} · max ${most.toFixed(2)} of ${budgetMs.toFixed(1)} ms${lateMs === undefined ? '' : ` · ${lateMs.toFixed(1)} late`}`,
    );
    this.draw(times, Math.max(most, median * 2, 0.1), budgetMs);
  }

  private draw(times: readonly number[], topMs: number, budgetMs: number): void {
    const { canvas } = this;
    if (this.width === 0) this.width = canvas.clientWidth;
    const { width } = this;
    if (width === 0) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(heightPixels * ratio);
    const context = canvas.getContext('2d')!;
    this.colors ??= colorsOf(canvas);
    const { bad, accent } = this.colors;
    context.scale(ratio, ratio);
    const step = width / shownTicks;
    times.forEach((ms, i) => {
      if (ms === 0) return;
      const height = Math.min(1, ms / topMs) * (heightPixels - 2);
      context.fillStyle = ms > budgetMs ? bad : accent;
      context.fillRect(i * step, heightPixels - height, Math.max(1, step - 0.5), height);
    });
  }
}

function colorsOf(canvas: HTMLCanvasElement): { readonly bad: string; readonly accent: string } {
  const style = getComputedStyle(canvas);
  return { bad: style.getPropertyValue('--bad'), accent: style.getPropertyValue('--accent') };
}
