import { cached } from '../../../engine/core/index.ts';
import type { Series, SeriesValue } from '../../why/index.ts';
import { type Markup, markup } from '../parts/element.ts';

export interface Range {
  readonly first: number;
  readonly last: number;
}

/** The range of ticks that a plot covers. */
export interface Span extends Range {
  /** The last tick up to which the play has been read. */
  readonly known: number;
}

export function isSameSpan(left: Span | undefined, right: Span): boolean {
  return left?.first === right.first && left.last === right.last && left.known === right.known;
}

/** If a series has more changes than this, several changes are combined into one column of the plot. */
const columnsMax = 240;
/** If a series has more changes than this, marks at its changes are drawn instead of bands. */
const bandsMax = 80;
const hues = [212, 28, 150, 340, 265, 190, 48, 95] as const;

/** The position of a tick in a span, in percent. */
export function percentAt(tick: number, { first, last }: Range): number {
  return Math.min(100, Math.max(0, ((tick - first) / Math.max(1, last - first)) * 100));
}

export function isInside(tick: number, { first, last }: Range): boolean {
  return tick >= first && tick <= last;
}

const shapes = new WeakMap<Series, { readonly count: number; readonly span: Span; readonly shape: string }>();

/** The shape of a plot, as a CSS property for an element. Undefined for a series without values. */
export function shapeOf(series: Series, span: Span): string | undefined {
  const count = series.ticks.length;
  if (count === 0) return undefined;
  const known = shapes.get(series);
  if (known?.count === count && isSameSpan(known.span, span)) return known.shape;
  const shape = newShape(series, span);
  shapes.set(series, { count, span, shape });
  return shape;
}

function newShape(series: Series, span: Span) {
  const { isCount, isNumeric, ticks } = series;
  if (isNumeric && !isCount) return `clip-path:${area(series, span)}`;
  if (isCount || ticks.length > bandsMax) return `clip-path:${marks(ticks, span)}`;
  const stops = bandsOf(series, span).map(({ from, to, color }) => `${color} ${from.toFixed(2)}% ${to.toFixed(2)}%`);
  return `background:linear-gradient(90deg, ${stops.join(', ')})`;
}

export interface Band {
  readonly from: number;
  readonly to: number;
  readonly color: string;
  readonly value: SeriesValue;
}

/** The values of a series within a span as bands, in percent of the span. Equal values have the same colour. */
export function bandsOf({ ticks, values }: Series, span: Span): Band[] {
  const colors = new Map<SeriesValue, string>();
  const bands = ticks.map((tick, i) => {
    const value = values[i]!;
    const color = cached(colors, value, () =>
      value === null ? 'transparent' : `hsl(${hues[colors.size % hues.length]} 55% 55%)`,
    );
    return { from: percentAt(tick, span), to: percentAt(ticks[i + 1] ?? span.known, span), color, value };
  });
  return bands.filter(({ from, to }) => to > from);
}

/** The numbers of a series as a CSS shape: the area between the values and the lowest one. */
function area(series: Pick<Series, 'ticks' | 'values'>, span: Span) {
  const { low, high } = boundsOf(series);
  const y = (value: SeriesValue | undefined) =>
    typeof value !== 'number' ? 100 : high > low ? 88 - ((value - low) / (high - low)) * 84 : 50;
  const points: string[] = [];
  let before = 100;
  const go = (x: number, at: number) => {
    points.push(`${x.toFixed(2)}% ${before.toFixed(1)}%`, `${x.toFixed(2)}% ${at.toFixed(1)}%`);
    before = at;
  };
  const { ticks, values } = series;
  const every = Math.max(1, Math.ceil(ticks.length / columnsMax));
  for (let i = 0; i < ticks.length; i += every) {
    // A column shows its extremes, so that no peak is lost.
    const column = values.slice(i, i + every).map(y);
    const x = percentAt(ticks[i]!, span);
    if (every > 1) go(x, Math.max(...column));
    if (every > 1) go(x, Math.min(...column));
    go(x, column.at(-1)!);
  }
  const start = percentAt(ticks[0]!, span).toFixed(2);
  const end = percentAt(span.known, span).toFixed(2);
  return `polygon(${start}% 100%, ${points.join(', ')}, ${end}% ${before.toFixed(1)}%, ${end}% 100%)`;
}

/** A CSS shape with a thin mark at each tick. */
function marks(ticks: readonly number[], span: Span) {
  const shown = ticks.filter((tick) => isInside(tick, span));
  const columns = new Set(shown.map((tick) => Math.round(percentAt(tick, span) * 4)));
  const points = [...columns]
    .sort((a, b) => a - b)
    .map((column) => {
      const [from, to] = [Math.min(99.6, column / 4), Math.min(100, column / 4 + 0.4)];
      return `${from}% 100%, ${from}% 0%, ${to}% 0%, ${to}% 100%`;
    });
  return `polygon(0% 100%, ${points.join(', ')}, 100% 100%)`;
}

export function boundsOf({ values }: Pick<Series, 'values'>): { readonly low: number; readonly high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (typeof value !== 'number') continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, high };
}

/** A small plot of a value over the play, with a line at the current tick. */
export function sparkline(series: Series | undefined, span: Span, tick: number, isLarge = false): Markup {
  const shape = series && shapeOf(series, span);
  return markup(
    'span',
    { class: isLarge ? 'spark large' : 'spark', 'aria-hidden': 'true' },
    shape !== undefined && markup('i', { style: shape }),
    markup('b', { style: `left:${percentAt(tick, span).toFixed(2)}%` }),
  );
}
