import type { Journal, LoadedGame, Simulation } from '../../../engine/index.ts';
import type { PlayComparison } from '../../journal/index.ts';
import type { Series, SeriesValue } from '../../why/index.ts';
import { between, type Circle, type Scene } from '../drawing/scene.ts';
import { SimulationScene } from '../drawing/simulation-scene.ts';
import { type Markup, markup } from '../parts/element.ts';
import type { History } from '../time/history.ts';
import type { Playback } from '../time/playback.ts';
import { note } from './details.ts';
import { tickButton, valueLink } from './links.ts';

/** A second play, and how it is called. */
export interface OtherPlay extends Pick<PlayComparison, 'names' | 'difference'> {
  readonly game: LoadedGame;
  readonly journal: Journal;
}

/** One of two plays beside each other, at the tick of the page. */
export class Side {
  readonly playback: Playback;
  readonly history: History;
  readonly name: string;
  readonly game: LoadedGame;
  private readonly scenes = new SimulationScene();
  private drawn: { readonly tick: number; readonly scene: Scene } | undefined;
  private before: Scene | undefined;

  constructor(name: string, game: LoadedGame, playback: Playback, history: History) {
    this.name = name;
    this.game = game;
    this.playback = playback;
    this.history = history;
  }

  /** The scene of a tick, or of the end of a shorter play. */
  sceneAt(tick: number): Scene {
    this.playback.seek(tick);
    const scene = this.scenes.of(this.playback.sim);
    this.before = this.drawn?.tick === this.playback.tick - 1 ? this.drawn.scene : undefined;
    this.drawn = { tick: this.playback.tick, scene };
    return scene;
  }

  /** The scene at a share of the way from the tick before. */
  between(share: number): Scene | undefined {
    const { before, drawn } = this;
    return before === undefined || drawn === undefined ? drawn?.scene : between(before, drawn.scene, share);
  }
}

/** Closer figures are at the same place. */
const apartMin = 0.5;

/** Rings around what is only in one of two scenes, elsewhere, or of another type. */
export function marksOf({ figures }: Scene, other: Scene): Circle[] {
  const known = new Map(other.figures.map((figure) => [figure.id, figure]));
  return figures.flatMap((figure): Circle[] => {
    const its = known.get(figure.id);
    const isSame =
      its !== undefined &&
      its.typeName === figure.typeName &&
      Math.hypot(its.x - figure.x, its.y - figure.y) < apartMin;
    return isSame ? [] : [{ x: figure.x, y: figure.y, radius: Math.hypot(figure.width, figure.height) / 2 }];
  });
}

const listedMax = 200;

interface Differing {
  readonly expression: string;
  readonly left: SeriesValue | undefined;
  readonly right: SeriesValue | undefined;
  readonly since: number;
}

/** The list of what differs between two plays at a tick: the earliest difference comes first. */
export function differencesContent(left: Side, right: Side, other: OtherPlay): Markup[] {
  const { tick } = left.playback;
  const known = Math.min(left.history.tick, right.history.tick);
  const differing = tick > known ? [] : differingAt(left.history, right.history, tick);
  return [
    ...firstContent(other),
    markup('h3', {}, `Values in tick ${tick}`, markup('span', { class: 'count' }, String(differing.length))),
    ...(tick > known ? note('Reading the plays …') : differing.length === 0 ? note('All values are the same.') : []),
    ...(differing.length === 0
      ? []
      : [
          markup(
            'table',
            { class: 'differing' },
            markup('tr', {}, ...['', 'left', 'right', 'since'].map((text) => markup('th', { scope: 'col' }, text))),
            ...differing
              .slice(0, listedMax)
              .map(({ expression, ...each }) =>
                markup(
                  'tr',
                  {},
                  markup('th', { scope: 'row' }, valueLink(expression)),
                  markup('td', {}, shown(each.left)),
                  markup('td', {}, shown(each.right)),
                  markup('td', {}, tickButton(each.since, String(each.since))),
                ),
              ),
          ),
        ]),
    ...(differing.length > listedMax ? note(`and ${differing.length - listedMax} more`) : []),
    ...placesContent(left.playback.sim, right.playback.sim),
  ];
}

function firstContent({ difference, names }: OtherPlay): Markup[] {
  if (difference === undefined) return note('The two plays are the same in all ticks that both have.');
  const { tick, field, fieldTick } = difference;
  return [
    markup('h2', {}, 'They differ since ', tickButton(tick)),
    ...(field === undefined
      ? []
      : [
          markup('p', { class: 'answer mono' }, field.path, fieldTick === tick ? '' : ` (as of tick ${fieldTick})`),
          markup('p', { class: 'mono' }, `${field.left} in ${names[0]}, ${field.right} in ${names[1]}`),
        ]),
  ];
}

function differingAt(left: History, right: History, tick: number): Differing[] {
  const found: Differing[] = [];
  for (const expression of new Set([...left.names(), ...right.names()])) {
    const [ours, theirs] = [left.known(expression), right.known(expression)];
    const values = [ours?.at(tick) ?? null, theirs?.at(tick) ?? null] as const;
    if (Object.is(values[0], values[1])) continue;
    const since = differSince(ours, theirs, tick);
    found.push({ expression, left: values[0], right: values[1], since });
  }
  return found.sort((a, b) => a.since - b.since || Number(a.expression > b.expression) - 0.5);
}

/** The first tick at which two values differed. */
function differSince(left: Series | undefined, right: Series | undefined, tick: number): number {
  const ticks = [...(left?.ticks ?? []), ...(right?.ticks ?? [])].sort((a, b) => a - b);
  return ticks.find((at) => !Object.is(left?.at(at) ?? null, right?.at(at) ?? null)) ?? tick;
}

/** How far apart entities are that both plays have. */
function placesContent(left: Simulation, right: Simulation): Markup[] {
  const placed = (sim: Simulation) => [...sim.units(), ...sim.items(), ...sim.projectiles()];
  const others = new Map(placed(right).map(({ id, x, y }) => [id, { x, y }]));
  const rows = placed(left).flatMap(({ id, x, y }) => {
    const other = others.get(id);
    const apart = other === undefined ? 0 : Math.hypot(other.x - x, other.y - y);
    return apart < apartMin ? [] : [{ id, apart }];
  });
  if (rows.length === 0) return [];
  return [
    markup('h3', {}, 'Places', markup('span', { class: 'count' }, String(rows.length))),
    markup(
      'table',
      {},
      ...rows
        .slice(0, listedMax)
        .map(({ id, apart }) =>
          markup(
            'tr',
            {},
            markup('th', { scope: 'row' }, markup('button', { type: 'button', class: 'id', 'data-id': id }, id)),
            markup('td', {}, `${apart.toFixed(1)} px apart`),
          ),
        ),
    ),
  ];
}

function shown(value: SeriesValue | undefined): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : String(value);
}
