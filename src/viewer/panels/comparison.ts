import type { Journal, LoadedGame } from '../../../engine/index.ts';
import type { PlayComparison } from '../../journal/index.ts';
import type { Series, SeriesValue } from '../../why/index.ts';
import type { Circle, Scene } from '../drawing/scene.ts';
import { type Markup, markup } from '../parts/element.ts';
import type { History } from '../time/history.ts';
import { heading, note } from './details.ts';
import { tickButton, valueLink } from './links.ts';

/** A second play, and how it is called. */
export interface OtherPlay extends Pick<PlayComparison, 'names' | 'difference'> {
  readonly game: LoadedGame;
  readonly journal: Journal;
}

/** Closer figures are at the same place. */
const apartMin = 0.5;

/** Rings around what is only in one of two scenes, elsewhere, or of another type. */
export function marksOf({ figures }: Scene, other: Scene): Circle[] {
  const known = new Map(other.figures.map((figure) => [figure.id, figure]));
  return figures
    .filter(({ id, typeName, x, y }) => {
      const its = known.get(id);
      return its?.typeName !== typeName || Math.hypot(its.x - x, its.y - y) >= apartMin;
    })
    .map(({ x, y, width, height }) => ({ x, y, radius: Math.hypot(width, height) / 2 }));
}

const listedMax = 200;

/** The list of what differs between two plays at a tick: the earliest difference comes first. */
export function differencesContent(
  left: History,
  right: History,
  tick: number,
  { difference, names }: OtherPlay,
): Markup[] {
  if (difference === undefined) return note('The two plays are the same in all ticks that both have.');
  const { tick: since, field, fieldTick } = difference;
  const isRead = tick <= Math.min(left.tick, right.tick);
  const rows = isRead ? differingAt(left, right, tick) : [];
  return [
    markup('h2', {}, 'They differ since ', tickButton(since)),
    ...(field === undefined
      ? []
      : [
          markup('p', { class: 'answer mono' }, field.path, fieldTick === since ? '' : ` (as of tick ${fieldTick})`),
          markup('p', { class: 'mono' }, `${field.left} in ${names[0]}, ${field.right} in ${names[1]}`),
        ]),
    heading(`Values in tick ${tick}`, rows.length),
    ...(rows.length > 0 ? [tableOf(rows)] : note(isRead ? 'All values are the same.' : 'Reading the plays …')),
    ...(rows.length > listedMax ? note(`and ${rows.length - listedMax} more`) : []),
  ];
}

function tableOf(rows: ReturnType<typeof differingAt>): Markup {
  return markup(
    'table',
    { class: 'differing' },
    markup('tr', {}, ...['', 'left', 'right', 'since'].map((text) => markup('th', { scope: 'col' }, text))),
    ...rows
      .slice(0, listedMax)
      .map(({ expression, values, first }) =>
        markup(
          'tr',
          {},
          markup('th', { scope: 'row' }, valueLink(expression)),
          ...values.map((value) => markup('td', {}, shown(value))),
          markup('td', {}, tickButton(first, String(first))),
        ),
      ),
  );
}

function differingAt(left: History, right: History, tick: number) {
  const at = (series: Series | undefined, when: number): SeriesValue => series?.at(when) ?? null;
  return [...new Set([...left.names(), ...right.names()])]
    .flatMap((expression) => {
      const both = [left.known(expression), right.known(expression)] as const;
      const differsAt = (when: number): boolean => !Object.is(at(both[0], when), at(both[1], when));
      if (!differsAt(tick)) return [];
      const changes = both.flatMap((series) => [...(series?.ticks ?? [])]).sort((a, b) => a - b);
      return [{ expression, values: both.map((series) => at(series, tick)), first: changes.find(differsAt) ?? tick }];
    })
    .sort((a, b) => a.first - b.first || (a.expression < b.expression ? -1 : 1));
}

function shown(value: SeriesValue): string {
  return typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : String(value ?? '–');
}
