import { cached } from '../../../engine/core/index.ts';
import { type PlayEvent, Series } from '../../why/index.ts';
import { element, setText, textButton } from '../parts/element.ts';
import type { History } from './history.ts';
import { type Band, bandsOf, isInside, isSameSpan, percentAt, type Span, shapeOf } from './sparkline.ts';

interface LanePorts {
  readonly seek: (tick: number) => void;
  /** Opens the history of a value. */
  readonly open: (expression: string) => void;
  readonly unwatch: (expression: string) => void;
  /** Shows only this part of the play. */
  readonly zoom: (first: number, last: number) => void;
}

interface Lane {
  readonly name: string;
  readonly series: Series;
  /** The expression of the lane, if it shows a value. */
  readonly expression?: string;
  readonly isWatched?: boolean;
  /** Whether a number is shown as bands, like a string. */
  readonly isState?: boolean;
  /** The events of an event lane, by tick. */
  readonly texts?: ReadonlyMap<number, string>;
}

/**
 * The maximum number of global variables that are shown as bands by default, and the maximum numbers of values and
 * changes of such a variable.
 */
const bandLanesMax = 2;
const bandValuesMax = 8;
const bandChangesMax = 60;
/** A pointer that moves at least this far, in pixels, selects a range. */
const rangePixels = 8;
/** A click at most this far from an event, in percent of what is shown, goes to the event. */
const nearPercent = 0.8;
/** A band at least this wide, in percent of what is shown, has room for its value. */
const namedPercent = 7;

const eventLanes: Readonly<Record<PlayEvent['kind'], string>> = {
  destroyed: 'units destroyed',
  type: 'types changed',
  fault: 'faults',
};

/** Plots on the time line: watched values, variables that act as states (drawn as bands), and events. */
export class Lanes {
  readonly root = element('div.lanes', { role: 'group', 'aria-label': 'Plots over the time line' });
  /**
   * The rows by the name of their lane and whether it is watched. A row is reused as long as its lane exists, so that
   * no click is lost while the play is being read.
   */
  private readonly rows = new Map<string, LaneRow>();
  private readonly line = element('i.failed-at');

  constructor(private readonly ports: LanePorts) {}

  /** `failedAt`: the tick of the failure, which is marked across all lanes. */
  show(history: History, watched: readonly string[], failedAt: number | undefined, span: Span) {
    const lanes = lanesOf(history, watched);
    this.root.setAttribute('aria-busy', String(!history.isComplete));
    const wanted = new Map(lanes.map((lane) => [`${lane.isWatched} ${lane.name}`, lane]));
    for (const [key, { root }] of this.rows) {
      if (wanted.has(key)) continue;
      root.remove();
      this.rows.delete(key);
    }
    let at = this.root.firstChild;
    for (const [key, lane] of wanted) {
      const row = cached(this.rows, key, () => new LaneRow(lane, span, this.ports));
      row.show(lane, span);
      if (row.root === at) at = at.nextSibling;
      else this.root.insertBefore(row.root, at);
    }
    if (failedAt === undefined || lanes.length === 0 || !isInside(failedAt, span)) {
      this.line.remove();
      return;
    }
    this.root.append(this.line);
    this.line.title = `It failed at tick ${failedAt}`;
    this.line.style.setProperty('--at', String(percentAt(failedAt, span) / 100));
  }
}

/** One lane: its name and its plot. */
class LaneRow {
  readonly root: HTMLElement;
  private readonly plot = element('div.plot');
  /** The part of the series that is already drawn. */
  private drawn = { series: undefined as Series | undefined, count: 0, span: undefined as Span | undefined };
  /** Where the pointer was pressed, in pixels, and whether it selects a range. */
  private pressedX: number | undefined;
  private isRange = false;

  constructor(
    private lane: Lane,
    private span: Span,
    ports: LanePorts,
  ) {
    const { name, expression, isWatched, series } = lane;
    if (series.isCount) this.plot.classList.add('events');
    this.plot.addEventListener('click', (event) => {
      const tick = this.tickAt(event);
      if (!this.isRange) ports.seek(snapped(this.lane.series, tick, this.span));
    });
    this.plot.addEventListener('pointerdown', (event) => {
      this.plot.setPointerCapture(event.pointerId);
      this.pressedX = event.clientX;
      this.isRange = false;
    });
    this.plot.addEventListener('pointermove', (event) => {
      if (this.pressedX === undefined) this.explain(event);
      else this.select(this.pressedX, event.clientX);
    });
    this.plot.addEventListener('pointerup', (event) => {
      const ticks = [this.pressedX ?? 0, event.clientX].map((clientX) => this.tickAt({ clientX }));
      this.endRange();
      if (this.isRange) ports.zoom(Math.min(...ticks), Math.max(...ticks));
    });
    this.plot.addEventListener('pointercancel', () => this.endRange());
    const label = textButton(name, () => ports.open(expression!), {
      class: 'lane-name',
      title: expression === undefined ? name : `${name}: its history`,
      disabled: expression === undefined,
    });
    const head = element('div.lane-head', label);
    if (isWatched && expression) {
      const about = { class: 'lane-close', 'aria-label': `Stop watching ${name}` };
      head.append(textButton('✕', () => ports.unwatch(expression), about));
    }
    this.root = element('div.lane', head, this.plot);
  }

  show(lane: Lane, span: Span) {
    this.lane = lane;
    this.span = span;
    const { series } = lane;
    const { drawn } = this;
    const count = series.ticks.length;
    if (drawn.series === series && drawn.count === count && isSameSpan(drawn.span, span)) return;
    this.drawn = { series, count, span };
    const shape = shapeOf(series, span);
    const isBands = lane.isState || shape?.startsWith('background');
    if (isBands) this.showBands(bandsOf(series, span));
    else if (shape === undefined) this.plot.replaceChildren();
    else this.showShape(shape.slice(shape.indexOf(':') + 1));
  }

  private showShape(path: string) {
    let shape = this.plot.firstElementChild as HTMLElement | null;
    if (shape?.tagName !== 'I') {
      shape = element('i');
      this.plot.replaceChildren(shape);
    }
    shape.style.clipPath = path;
  }

  private showBands(bands: readonly Band[]) {
    const { plot } = this;
    if (plot.firstElementChild?.tagName === 'I') plot.replaceChildren();
    // If the play is read again, it may have fewer bands than before.
    while (plot.children.length > bands.length) plot.lastElementChild!.remove();
    for (const [i, { from, to, color, value }] of bands.entries()) {
      if (plot.children[i] === undefined) plot.append(element('span.band'));
      const band = plot.children[i] as HTMLElement;
      setText(band, to - from >= namedPercent ? String(value ?? '') : '');
      Object.assign(band.style, { left: `${from}%`, width: `${Math.max(0.15, to - from)}%`, background: color });
    }
  }

  private tickAt({ clientX }: Pick<MouseEvent, 'clientX'>) {
    const { span } = this;
    const { left, width } = this.plot.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
    return Math.round(span.first + share * (span.last - span.first));
  }

  /** Shows the range between two positions of the pointer. */
  private select(fromX: number, toX: number) {
    const { left } = this.plot.getBoundingClientRect();
    this.isRange = Math.abs(toX - fromX) >= rangePixels;
    this.plot.style.setProperty('--from', `${Math.min(fromX, toX) - left}px`);
    this.plot.style.setProperty('--wide', this.isRange ? `${Math.abs(toX - fromX)}px` : '0');
  }

  private endRange() {
    this.pressedX = undefined;
    this.plot.style.setProperty('--wide', '0');
  }

  private explain(event: MouseEvent) {
    const { name, series, texts } = this.lane;
    const tick = snapped(series, this.tickAt(event), this.span);
    const value = series.at(tick);
    const is = series.isCount ? name : `${name} is ${value === undefined ? 'not there' : String(value)}`;
    this.plot.title = `tick ${tick}: ${texts?.get(tick) ?? is}`;
  }
}

/** The tick of the nearest change or event if it is close, otherwise the tick itself. */
function snapped(series: Series, tick: number, span: Span) {
  const near = (nearPercent / 100) * (span.last - span.first);
  const at = series.indexAt(tick);
  const candidates = [series.ticks[at], series.ticks[at + 1]].filter((each) => each !== undefined);
  const [best] = candidates.sort((a, b) => Math.abs(a - tick) - Math.abs(b - tick));
  return best !== undefined && Math.abs(best - tick) <= near ? best : tick;
}

function lanesOf(history: History, watched: readonly string[]): Lane[] {
  const lanes: Lane[] = watched.flatMap((expression) => {
    const series = history.seriesIfRight(expression);
    return series === undefined ? [] : [{ name: expression, series, expression, isWatched: true }];
  });
  const bands = history
    .globals()
    .filter(([name, series]) => !watched.includes(name) && isBanded(series, name === 'state'))
    .sort(([a], [b]) => Number(b === 'state') - Number(a === 'state'))
    .slice(0, bandLanesMax);
  for (const [name, series] of bands) lanes.push({ name, series, expression: name, isState: true });
  for (const [kind, name] of Object.entries(eventLanes)) {
    const events = history.events.filter((each) => each.kind === kind);
    if (events.length === 0) continue;
    const series = new Series(true);
    const texts = new Map<number, string>();
    for (const { tick, text } of events) {
      if (!texts.has(tick)) series.add(tick, 1);
      texts.set(tick, texts.has(tick) ? `${texts.get(tick)}, ${text}` : text);
    }
    lanes.push({ name, series, texts });
  }
  const chat = history.seriesIfRight('outputs chat');
  if (chat !== undefined && chat.ticks.length > 0 && !watched.includes('outputs chat'))
    lanes.push({ name: 'chat', series: chat, expression: 'outputs chat' });
  return lanes;
}

/** Whether a variable acts as a state: a string with few different values; with `isNumber`, a number, too. */
function isBanded({ values, isCount }: Series, isNumber: boolean) {
  if (isCount || values.length < 2 || values.length > bandChangesMax) return false;
  const texts = new Set(values.filter((value) => value !== null));
  return (
    texts.size > 1 &&
    texts.size <= bandValuesMax &&
    [...texts].every((value) =>
      typeof value === 'string' ? !/^@?[uibpcd]\d+$/.test(value) : isNumber && typeof value === 'number',
    )
  );
}
