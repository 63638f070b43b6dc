import type { Definition, Entity, ItemHandle, ProjectileHandle, Simulation, UnitHandle } from '../../engine/index.ts';
import { insideOf } from '../../engine/internal.ts';
import { escapeHtml } from '../text/escape.ts';

const widthMax = 720;
/** Colours that are distinct on light and on dark. */
const colors = ['#3b82f6', '#e5484d', '#2f9e62', '#d18700', '#9866dd', '#1299ac', '#dd5596', '#a0643c'];
/** In a crowd only those that have a name are labelled; the others say theirs to who points at them. */
const labelledMax = 24;
/** Of units without an owner. */
const nobodyColor = '#7d8896';
/** A label goes up by so many lines at most. */
const liftsMax = 4;

/** `auto` follows the light or dark of the page it stands in; the others are for what shows it outside of one. */
export type Theme = 'auto' | 'light' | 'dark';

export interface PictureOptions {
  /** They have a ring. */
  readonly marked?: readonly Entity[];
  readonly nameOf?: (entity: Entity) => string | undefined;
  /** Default `auto`. */
  readonly theme?: Theme;
  /** In the corner at the top, in place of a key of the types below: pictures of a series are then all of one size. */
  readonly caption?: string;
}

/**
 * The map, its regions and everything in the world, seen from above, as one SVG with a key of the types. Wall cells are dark, sleeping and hidden
 * things are drawn all the same. `''` for a world without a size.
 */
export function picture(
  sim: Simulation,
  { marked = [], nameOf = () => undefined, theme = 'auto', caption }: PictureOptions = {},
): string {
  const { definition } = sim;
  const { map } = insideOf(sim).world;
  const cell = definition.cellSize;
  const [width, height] = [map.width * cell.width, map.height * cell.height];
  if (!(width > 0 && height > 0)) return '';
  const shownWidth = Math.min(widthMax, width);
  const font = Math.round((13 * width) / shownWidth);
  const key = new Key(sim.definition);
  const things = [...shapes(sim, marked, nameOf, key, Math.max(width, height) / 60, font)];
  const { parts: keyParts, height: keyHeight } =
    caption === undefined ? key.drawn(width, height, font) : { parts: [captionText(caption, font)], height: 0 };
  const whole = height + keyHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="reenact-map" viewBox="0 0 ${width} ${whole}" width="${shownWidth}"`,
    ` height="${Math.round((shownWidth * whole) / width)}" font-size="${font}" role="img" aria-label="Map at tick ${sim.tick}">`,
    `<style>${styleOf(theme)}</style><rect class="floor" width="${width}" height="${whole}"/>`,
    walls(sim),
    ...regions(sim, font),
    ...debris(sim),
    ...things,
    ...keyParts,
    '</svg>',
  ].join('');
}

function captionText(caption: string, font: number): string {
  return `<text x="${font / 2}" y="${font * 1.4}" font-size="${font * 1.1}">${escapeHtml(caption)}</text>`;
}

const palettes = {
  light: { back: '#fafbfc', wall: '#566170', text: '#18202c', region: '#2563c9' },
  dark: { back: '#151a21', wall: '#55606f', text: '#e8ecf2', region: '#79aaff' },
} as const;

/** Of the class, so that it means nothing to the page a picture stands in; and the same for all of a page. */
function styleOf(theme: Theme): string {
  const variables = (name: 'light' | 'dark'): string =>
    Object.entries(palettes[name])
      .map(([key, color]) => `--${key}:${color}`)
      .join(';');
  if (theme === 'auto') {
    const dark = `@media (prefers-color-scheme:dark){.reenact-map{${variables('dark')}}}`;
    return `.reenact-map{${variables('light')};font-family:system-ui,sans-serif}${dark}${rules}`;
  }
  // Renderers outside of browsers know no variables.
  const colors: Readonly<Record<string, string>> = palettes[theme];
  const fixed = rules.replaceAll(/var\(--(\w+)\)/g, (_, key: string) => colors[key]!);
  return `.reenact-map{font-family:system-ui,sans-serif}${fixed}`;
}

const rules = [
  '.reenact-map .floor{fill:var(--back)}.reenact-map .wall{fill:var(--wall)}',
  '.reenact-map .region{fill:var(--region);fill-opacity:.09;stroke:var(--region);stroke-dasharray:8}',
  '.reenact-map .debris{fill:var(--wall);fill-opacity:.4;stroke:var(--wall);stroke-width:2}',
  '.reenact-map .front{stroke:#fff;stroke-width:3}.reenact-map .mark{fill:none;stroke:#f0a020;stroke-width:.35em}',
  '.reenact-map text{fill:var(--text);stroke:var(--back);stroke-width:.25em;paint-order:stroke;stroke-linejoin:round}',
  '.reenact-map .label{text-anchor:middle}.reenact-map .name{fill:var(--region)}',
].join('');

function walls(sim: Simulation): string {
  const { map } = insideOf(sim).world;
  const { width, height } = sim.definition.cellSize;
  const tiles = map.layers.findLast(({ name, type }) => name === 'walls' && type === 'tilelayer')?.tiles ?? [];
  const cells: string[] = [];
  for (let i = 0; i < map.width * map.height; i++) {
    if ((tiles[i] ?? 0) === 0) continue;
    const [x, y] = [(i % map.width) * width, Math.floor(i / map.width) * height];
    cells.push(`M${x} ${y}h${width}v${height}h-${width}z`);
  }
  return cells.length === 0 ? '' : `<path class="wall" d="${cells.join('')}"/>`;
}

function* regions(sim: Simulation, font: number): Generator<string> {
  for (const region of sim.regions()) {
    const { x, y, width, height } = region;
    const name = escapeHtml(region.name);
    yield `<rect class="region" x="${x}" y="${y}" width="${width}" height="${height}"><title>${name}</title></rect>`;
    yield `<text class="name" x="${x + font / 3}" y="${y + font * 1.1}">${name}</text>`;
  }
}

/** Debris of the map, which has no owner. */
function* debris(sim: Simulation): Generator<string> {
  for (const { x, y, width, height, angle, name } of sim.debris()) {
    const at = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${degrees(angle)})`;
    yield `<rect class="debris" transform="${at}" x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}"><title>${escapeHtml(name)}</title></rect>`;
  }
}

function degrees(radians: number): string {
  return ((radians * 180) / Math.PI).toFixed(1);
}

function* shapes(
  sim: Simulation,
  marked: readonly Entity[],
  nameOf: (entity: Entity) => string | undefined,
  key: Key,
  sizeMin: number,
  font: number,
): Generator<string> {
  const units = sim.units();
  const isCrowd = units.length > labelledMax;
  // Labels come last, so that nothing lies on them.
  const labels = new Labels(font);
  // A carried item is where its carrier is and would only cover it.
  const lying = sim.items().filter(({ slot }) => slot === undefined);
  for (const things of [lying, sim.projectiles(), units]) {
    for (const thing of things) {
      const { id, kind, entity } = thing;
      const type = thing.typeName ?? kind;
      const width = Math.max(thing.width, sizeMin / 3);
      const height = Math.max(thing.height, sizeMin / 3);
      const [x, y] = [thing.x.toFixed(1), thing.y.toFixed(1)];
      const name = nameOf(entity);
      const turn = degrees(thing.angle);
      const front = kind === 'unit' ? `<path class="front" d="M0 ${-height / 2}v${height / 3}"/>` : '';
      const shape = isRound(sim, thing)
        ? `<circle r="${Math.max(width, height) / 2}"/>`
        : `<rect x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}" rx="${width / 16}"/>`;
      const isMarked = marked.includes(entity);
      const ring = isMarked ? `<circle class="mark" r="${Math.max(width, height)}"/>` : '';
      const title = `<title>${escapeHtml(name === undefined ? `${id}: ${type}` : `${name} (${id}): ${type}`)}</title>`;
      const color = key.colorOf(thing, type);
      yield `<g transform="translate(${x} ${y})" fill="${color}">${ring}<g transform="rotate(${turn})">${shape}${front}</g>${title}</g>`;
      if (name === undefined && (kind !== 'unit' || (isCrowd && !isMarked))) continue;
      labels.add(name ?? id, thing.x, thing.y - height * (isMarked ? 1.1 : 0.6) - 4);
    }
  }
  yield* labels.drawn();
}

/** The shape of the body that its state has now; without a body, units are square and other things round. */
function isRound(sim: Simulation, { kind, type, state }: UnitHandle | ItemHandle | ProjectileHandle): boolean {
  const { unitTypes, itemTypes, projectileTypes } = sim.definition;
  const types = kind === 'unit' ? unitTypes : kind === 'item' ? itemTypes : projectileTypes;
  const found = type === undefined ? undefined : types.get(type);
  const body = found?.bodies.get(found.states.get(state ?? '')?.body ?? '');
  return body?.fixtures[0] === undefined ? kind !== 'unit' : body.fixtures[0].shape.type === 'circle';
}

/** Names of things, moved up where another is already, so that each can be read. */
class Labels {
  private readonly placed: { readonly text: string; readonly x: number; readonly y: number; readonly half: number }[] =
    [];
  private readonly font: number;

  constructor(font: number) {
    this.font = font;
  }

  add(text: string, x: number, wanted: number): void {
    const half = text.length * this.font * 0.3;
    let y = wanted;
    for (let tries = 0; tries < liftsMax && this.covers(x, y, half); tries++) y -= this.font;
    this.placed.push({ text, x, y, half });
  }

  *drawn(): Generator<string> {
    for (const { text, x, y } of this.placed)
      yield `<text class="label" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${escapeHtml(text)}</text>`;
  }

  private covers(x: number, y: number, half: number): boolean {
    return this.placed.some(
      (other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < this.font * 0.95,
    );
  }
}

/** Colours, and what they mean, below the map. A game has the same colours in all pictures: they follow the order of the definition. */
class Key {
  private readonly given = new Map<
    string,
    { readonly type: string; readonly color: string; readonly isUnit: boolean; count: number }
  >();
  private readonly definition: Definition;

  constructor(definition: Definition) {
    this.definition = definition;
  }

  /** Units have the colour of their player's type, so that sides are distinct; other things one for each type. */
  colorOf(thing: UnitHandle | ItemHandle | ProjectileHandle, type: string): string {
    const isUnit = thing.kind === 'unit';
    const color = isUnit ? this.sideColor(thing) : this.typeColor(thing);
    const name = `${isUnit} ${color} ${type}`;
    let entry = this.given.get(name);
    if (entry === undefined) {
      entry = { type, color, isUnit, count: 0 };
      this.given.set(name, entry);
    }
    entry.count++;
    return entry.color;
  }

  private sideColor({ owner }: UnitHandle): string {
    const at = [...this.definition.playerTypes.keys()].indexOf((owner?.exists === true ? owner.type : undefined) ?? '');
    return at < 0 ? nobodyColor : colors[at % colors.length]!;
  }

  private typeColor({ kind, type }: ItemHandle | ProjectileHandle): string {
    const { playerTypes, itemTypes, projectileTypes } = this.definition;
    const at = [...(kind === 'item' ? itemTypes : projectileTypes).keys()].indexOf(type ?? '');
    return colors[(playerTypes.size + Math.max(0, at)) % colors.length]!;
  }

  drawn(width: number, top: number, font: number): { readonly parts: readonly string[]; readonly height: number } {
    const line = font * 1.7;
    let [x, y] = [font * 0.6, top + line];
    const parts = Array.from(this.given.values(), ({ type, color, isUnit, count }) => {
      const text = `${type} ${count}`;
      const long = font * (2.2 + text.length * 0.6);
      if (x > font && x + long > width) [x, y] = [font * 0.6, y + line];
      const size = font * 0.8;
      const sign = isUnit
        ? `<rect x="${x}" y="${y - size * 0.95}" width="${size}" height="${size}" rx="${size / 6}" fill="${color}"/>`
        : `<circle cx="${x + size / 2}" cy="${y - size * 0.45}" r="${size / 2}" fill="${color}"/>`;
      const entry = `${sign}<text x="${x + font * 1.2}" y="${y}">${escapeHtml(text)}</text>`;
      x += long;
      return entry;
    });
    return { parts, height: parts.length === 0 ? 0 : y - top + line * 0.5 };
  }
}
