import type { Onset } from '../run/failure-report.ts';
import { element, setText } from './element.ts';
import type { History, PlayEvent } from './history.ts';
import { Series } from './series.ts';
import { bandsOf, percentAt, type Span, shapeOf } from './sparkline.ts';

interface LanePorts {
  readonly seek: (tick: number) => void;
  /** Opens the value of a lane. */
  readonly open: (expression: string) => void;
  readonly unwatch: (expression: string) => void;
}

interface Lane {
  readonly name: string;
  readonly series: Series;
  /** The expression of the lane, if it is a value. */
  readonly expression?: string;
  readonly isWatched?: boolean;
  /** What happened, by tick. */
  readonly texts?: ReadonlyMap<number, string>;
}

/** Global variables shown as bands without being asked for, and how many values and changes they may have. */
const bandLanesMax = 2;
const bandValuesMax = 8;
const bandChangesMax = 60;
/** A click this close to an event, in percent of the play, goes to it. */
const nearPercent = 0.8;
/** A band this wide, in percent, has room for its value. */
const namedPercent = 7;

const eventLanes: Readonly<Record<PlayEvent['kind'], string>> = {
  destroyed: 'units destroyed',
  type: 'types changed',
  fault: 'faults',
};

/** Plots over the time line: watched values, state-like variables as bands, and events. */
export class Lanes {
  readonly root = element('div', { class: 'lanes', role: 'group', 'aria-label': 'Plots over the time line' });
  private readonly ports: LanePorts;
  private shown = '';

  constructor(ports: LanePorts) {
    this.ports = ports;
  }

  show(
    history: History,
    watched: readonly string[],
    failure: { readonly tick: number; readonly onset: Onset | undefined } | undefined,
  ): void {
    const lanes = lanesOf(history, watched);
    // Rebuilt only if there is more to show.
    const key = JSON.stringify([
      history.tick,
      lanes.map(({ name, series, isWatched }) => [name, series.ticks.length, isWatched]),
    ]);
    if (key === this.shown) return;
    this.shown = key;
    this.root.setAttribute('aria-busy', String(!history.isComplete));
    const span = history.span;
    this.root.replaceChildren(...lanes.map((lane) => this.row(lane, span)));
    if (failure !== undefined) {
      const line = element('i', { class: 'failed-at', title: `It failed at tick ${failure.tick}` });
      line.style.setProperty('--at', String(percentAt(failure.tick, span) / 100));
      this.root.append(line);
    }
  }

  private row({ name, series, expression, isWatched, texts }: Lane, span: Span): HTMLElement {
    const plot = element('div', { class: series.isCount ? 'plot events' : 'plot' });
    const shape = shapeOf(series, span);
    const isBands = shape?.startsWith('background') === true;
    if (shape !== undefined && !isBands) {
      const drawn = element('i');
      plot.append(drawn);
      drawn.style.clipPath = shape.slice(shape.indexOf(':') + 1);
    }
    if (isBands) {
      for (const { from, to, color, value } of bandsOf(series, span)) {
        const text = String(value ?? '');
        const band = element('span', { class: 'band' }, to - from >= namedPercent ? text : '');
        plot.append(band);
        Object.assign(band.style, { left: `${from}%`, width: `${Math.max(0.15, to - from)}%`, background: color });
      }
    }
    const tickAt = (event: MouseEvent): number => {
      const { left, width } = plot.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
      return Math.round(span.first + share * (span.last - span.first));
    };
    plot.addEventListener('click', (event) => this.ports.seek(snapped(series, tickAt(event), span)));
    plot.addEventListener('mousemove', (event) => {
      const tick = snapped(series, tickAt(event), span);
      const value = series.at(tick);
      plot.title = `tick ${tick}: ${texts?.get(tick) ?? (series.isCount ? name : `${name} is ${value === undefined ? 'not there' : String(value)}`)}`;
    });
    const label = element('button', {
      type: 'button',
      class: 'lane-name',
      title: expression === undefined ? name : `${name}: its history`,
    });
    setText(label, name);
    if (expression === undefined) label.disabled = true;
    else label.addEventListener('click', () => this.ports.open(expression));
    const close = element(
      'button',
      { type: 'button', class: 'lane-close', 'aria-label': `Stop watching ${name}` },
      '✕',
    );
    if (isWatched === true && expression !== undefined)
      close.addEventListener('click', () => this.ports.unwatch(expression));
    return element(
      'div',
      { class: 'lane' },
      element('div', { class: 'lane-head' }, label, ...(isWatched === true ? [close] : [])),
      plot,
    );
  }
}

/** The nearest change or event, if it is close. */
function snapped(series: Series, tick: number, span: Span): number {
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
    .filter(([name, series]) => !watched.includes(name) && isBanded(series))
    .sort(([a], [b]) => Number(b === 'state') - Number(a === 'state'))
    .slice(0, bandLanesMax);
  for (const [name, series] of bands) lanes.push({ name, series, expression: name });
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

/** Whether a variable is a state: a text with few values. */
function isBanded({ values, isCount }: Series): boolean {
  if (isCount || values.length < 2 || values.length > bandChangesMax) return false;
  const texts = new Set(values.filter((value) => value !== null));
  return (
    texts.size > 1 &&
    texts.size <= bandValuesMax &&
    [...texts].every((value) => typeof value === 'string' && !/^@?[uibpcd]\d+$/.test(value))
  );
}
