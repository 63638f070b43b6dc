import { hashText } from '../../engine/core/index.ts';
import type { Entity, ItemHandle, ProjectileHandle, Simulation, UnitHandle } from '../../engine/index.ts';
import { mapOf } from '../../engine/tools.ts';
import { escapeHtml } from '../text/index.ts';
import { baseOpacity, floorOf, runsOf, tileImageOf, upperInset, upperOpacity, wallLayerOf } from './floor.ts';
import { personName } from './label.ts';
import { Legend, type LegendEntry, type LegendFigure } from './legend.ts';
import { alteredColor, debrisColor, mapColors } from './palette.ts';
import { isEmbedded, TypeLooks } from './type-looks.ts';

const widthMax = 720;
/**
 * If there are more entities than this, only marked entities and those named by `nameOf` get labels. All others have
 * only tooltips.
 */
const labelledMax = 24;
/** The maximum number of lines by which a label is moved up to avoid other labels. */
const liftsMax = 4;

/** `auto` follows the colour scheme of the page. `light` and `dark` are for images outside of pages. */
type Theme = 'auto' | 'light' | 'dark';

interface PictureOptions {
  /** Entities that are marked with a ring. */
  readonly marked?: readonly Entity[];
  /** The label of an entity, instead of its player's name; undefined to keep the default label. */
  readonly nameOf?: (entity: Entity) => string | undefined;
  /** The colour scheme. Default: `auto`. */
  readonly theme?: Theme;
  /** A line that is shown in the top corner. */
  readonly caption?: string;
  /**
   * What the picture shows: everything (the default), the map and entities without names and regions (`things`), or
   * only the map.
   */
  readonly shows?: 'all' | 'things' | 'map';
  /**
   * The legend of a series of pictures. It replaces the picture's own legend, and is drawn without counts, so that all
   * pictures of the series have the same size.
   */
  readonly legend?: Legend;
}

/**
 * Draws the map, its regions and all entities from above, as an SVG with a legend. Entities and tiles are drawn with
 * the images that are embedded in the definition, or else as shapes. Wall cells are dark. Sleeping and hidden entities
 * are drawn, too. Returns `''` if the world has no size.
 */
export function picture(
  sim: Simulation,
  { marked = [], nameOf = () => undefined, theme = 'auto', caption, shows = 'all', legend }: PictureOptions = {},
): string {
  const { definition } = sim;
  const map = mapOf(sim);
  const cell = definition.cellSize;
  const [width, height] = [map.width * cell.width, map.height * cell.height];
  if (!(width > 0 && height > 0)) return '';
  const shownWidth = Math.min(widthMax, width);
  const font = Math.round((13 * width) / shownWidth);
  const own = new Legend();
  const isWhole = shows === 'all';
  const images = new Map<string, string>();
  const art = [...tiles(sim, images)];
  const things =
    shows === 'map' ? [] : [...shapes(sim, images, marked, nameOf, own, Math.max(width, height) / 60, font, isWhole)];
  const entries = (legend ?? own).entries();
  const { parts: legendParts, height: legendHeight } = legendDrawn(
    entries,
    images,
    legend === undefined,
    width,
    height,
    font,
  );
  const whole = Math.ceil(height + legendHeight);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="reenact-map" viewBox="0 0 ${width} ${whole}" width="${shownWidth}"`,
    ` height="${Math.round((shownWidth * whole) / width)}" font-size="${font}" role="img" aria-label="Map at tick ${sim.tick}">`,
    `<style>${styleOf(theme)}</style><rect class="floor" width="${width}" height="${whole}"/>`,
    // The inner SVG clips shapes at the edge of the map, so that they do not cover the legend.
    `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    ...(art.length > 0 ? art : [...floor(sim), walls(sim)]),
    ...(isWhole ? regions(sim, font) : []),
    ...debris(sim),
    ...things,
    caption === undefined ? '' : captionText(caption, font),
    '</svg>',
    ...legendParts,
    '</svg>',
  ].join('');
}

/** Adds all current entities of a simulation to the legend of a series of pictures. */
export function addToLegend(legend: Legend, sim: Simulation) {
  const looks = new TypeLooks(sim.definition);
  for (const thing of thingsOf(sim)) legend.add(legendFigure(looks, thing));
  addDebris(legend, sim, looks);
}

function addDebris(legend: Legend, sim: Simulation, looks: TypeLooks) {
  const look = looks.of('debris', undefined, undefined);
  for (const _ of sim.debris())
    legend.add({ kind: 'debris', typeName: looks.nameOf('debris', undefined), look, side: undefined });
}

function captionText(caption: string, font: number) {
  return `<text x="${font / 2}" y="${font * 1.4}" font-size="${font * 1.1}">${escapeHtml(caption)}</text>`;
}

/** The CSS rules are scoped to a class, so that they do not affect the surrounding page. */
function styleOf(theme: Theme) {
  const variables = (name: 'light' | 'dark') =>
    Object.entries(mapColors[name])
      .map(([key, color]) => `--${key}:${color}`)
      .join(';');
  if (theme === 'auto') {
    const dark = `@media (prefers-color-scheme:dark){.reenact-map{${variables('dark')}}}`;
    return `.reenact-map{${variables('light')};font-family:system-ui,sans-serif}${dark}${rules}`;
  }
  // Outside of pages, the colours are inserted directly, because SVG renderers do not support CSS variables.
  const colors = mapColors[theme];
  const fixed = rules.replaceAll(/var\(--(\w+)\)/g, (_, key: string) => colors[key as keyof typeof colors]);
  return `.reenact-map{font-family:system-ui,sans-serif}${fixed}`;
}

const rules = [
  '.reenact-map .floor{fill:var(--floor)}.reenact-map .wall{fill:var(--wall)}',
  '.reenact-map .region{fill:var(--region);fill-opacity:.09;stroke:var(--region);stroke-dasharray:8}',
  `.reenact-map .debris{fill:${debrisColor};fill-opacity:.55;stroke:var(--wallEdge);stroke-width:.12em}`,
  '.reenact-map .body{stroke:var(--wallEdge);stroke-width:.12em}.reenact-map .edge{fill:none;stroke:var(--wallEdge)}',
  '.reenact-map .front{stroke:#fff;stroke-width:3}.reenact-map .mark{fill:none;stroke:var(--mark);stroke-width:.35em}',
  '.reenact-map text{fill:var(--text);stroke:var(--floor);stroke-width:.25em;paint-order:stroke;stroke-linejoin:round}',
  '.reenact-map .label{text-anchor:middle}.reenact-map .name{fill:var(--region)}',
].join('');

/** Draws the floor, with a muted colour for each kind of tile. */
function* floor(sim: Simulation): Generator<string> {
  const map = mapOf(sim);
  const { width, height } = sim.definition.cellSize;
  for (const layer of floorOf(map)) {
    const inset = layer.isBase ? 0 : upperInset;
    const parts = new Map<string, string>();
    for (const { color, column, row, length } of runsOf(layer, map.width)) {
      const [x, y] = [(column + inset) * width, (row + inset) * height].map((at) => Math.round(at));
      const [across, down] = [(length - 2 * inset) * width, (1 - 2 * inset) * height].map((size) => Math.round(size));
      parts.set(color, `${parts.get(color) ?? ''}M${x} ${y}h${across}v${down}h-${across}z`);
    }
    for (const [color, d] of parts)
      yield `<path fill="${color}" fill-opacity="${layer.isBase ? baseOpacity : upperOpacity}" d="${d}"/>`;
  }
}

/** The overlap of neighbouring tiles, in world pixels. It hides the seams between them. */
const overlapPixels = 6;

/** Draws the images of the tiles, layer by layer. */
function* tiles(sim: Simulation, images: Map<string, string>): Generator<string> {
  const map = mapOf(sim);
  const { width, height } = sim.definition.cellSize;
  const size = ` width="${width + overlapPixels}" height="${height + overlapPixels}"`;
  for (const layer of map.layers) {
    for (let i = 0; layer.type === 'tilelayer' && i < map.width * map.height; i++) {
      const image = tileImageOf(layer.tiles[i] ?? 0, map.source);
      if (image === undefined || !isEmbedded('image', image.url)) continue;
      const place = ` x="${(i % map.width) * width}" y="${Math.floor(i / map.width) * height}"${size}`;
      yield imagePart(images, image.url, `${image.x} ${image.y} ${image.width} ${image.height}`, '', place);
    }
  }
}

function walls(sim: Simulation) {
  const map = mapOf(sim);
  const { width, height } = sim.definition.cellSize;
  const tiles = map.layers[wallLayerOf(map.layers)]?.tiles ?? [];
  const cells: string[] = [];
  for (let i = 0; i < map.width * map.height; i++) {
    if ((tiles[i] ?? 0) === 0) continue;
    const [x, y] = [(i % map.width) * width, Math.floor(i / map.width) * height];
    cells.push(`M${x} ${y}h${width}v${height}h-${width}z`);
  }
  return cells.length === 0 ? '' : `<path class="wall" d="${cells.join('')}"/>`;
}

/**
 * Draws a part of an image. Each part is defined where it is used first, because many entities share one; `known` has
 * the ids of the parts that are defined already. `box`: the part as a view box; `size`: attributes of the whole image,
 * by default its own.
 */
function imagePart(known: Map<string, string>, url: string, box: string, size: string, place: string) {
  const key = url + box;
  const seen = known.get(key);
  if (seen !== undefined) return `<use href="#${seen}"${place}/>`;
  const id = `i${hashText(key)}`;
  known.set(key, id);
  return `<symbol id="${id}" viewBox="${box}" preserveAspectRatio="none"><image href="${escapeHtml(url)}"${size} preserveAspectRatio="none"/></symbol><use href="#${id}"${place}/>`;
}

function* regions(sim: Simulation, font: number): Generator<string> {
  for (const region of sim.regions()) {
    const { x, y, width, height } = region;
    const name = escapeHtml(region.name);
    yield `<rect class="region" x="${x}" y="${y}" width="${width}" height="${height}"><title>${name}</title></rect>`;
    yield `<text class="name" x="${x + font / 3}" y="${y + font * 1.1}">${name}</text>`;
  }
}

/** Draws the debris of the map. */
function* debris(sim: Simulation): Generator<string> {
  for (const { x, y, width, height, angle, name } of sim.debris()) {
    const at = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${degrees(angle)})`;
    yield `<rect class="debris" transform="${at}" x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}"><title>${escapeHtml(name)}</title></rect>`;
  }
}

function degrees(radians: number) {
  return ((radians * 180) / Math.PI).toFixed(1);
}

function* shapes(
  sim: Simulation,
  images: Map<string, string>,
  marked: readonly Entity[],
  nameOf: (entity: Entity) => string | undefined,
  legend: Legend,
  sizeMin: number,
  font: number,
  isNamed: boolean,
): Generator<string> {
  const looks = new TypeLooks(sim.definition);
  const isCrowd = sim.units().length > labelledMax;
  // Labels are drawn last, so that nothing covers them.
  const labels = new Labels(font);
  addDebris(legend, sim, looks);
  for (const thing of thingsOf(sim)) {
    const { id, kind, entity } = thing;
    const figure = legendFigure(looks, thing);
    legend.add(figure);
    const { typeName, look } = figure;
    const width = Math.max(thing.width, sizeMin / 3);
    const height = Math.max(thing.height, sizeMin / 3);
    const [x, y] = [thing.x.toFixed(1), thing.y.toFixed(1)];
    const given = nameOf(entity);
    const name = given ?? (thing.kind === 'unit' ? personName(thing) || undefined : undefined);
    const isHeld = thing.kind === 'item' && thing.slot !== undefined;
    const turn = (Number(degrees(thing.angle)) + (isHeld ? (look.anchor?.rotation ?? 0) : 0)).toFixed(1);
    const hasFront = kind === 'unit' && look.image === undefined;
    const front = hasFront ? `<path class="front" d="M0 ${-height / 2}v${height / 3}"/>` : '';
    const isMarked = marked.includes(entity);
    const ring = isMarked ? `<circle class="mark" r="${Math.max(width, height)}"/>` : '';
    const shape = bodyShape(figure, images, width, height, font);
    const title = `<title>${escapeHtml(name === undefined ? `${id}: ${typeName}` : `${name} (${id}): ${typeName}`)}</title>`;
    yield `<g transform="translate(${x} ${y})" fill="${look.color}">${ring}<g transform="rotate(${turn})">${shape}${front}</g>${title}</g>`;
    if (!isNamed || (given === undefined && (kind !== 'unit' || (isCrowd && !isMarked)))) continue;
    labels.add(name ?? id, thing.x, thing.y - height * (isMarked ? 1.1 : 0.6) - 4);
  }
  yield* labels.drawn();
}

/**
 * The entities of a picture, in drawing order. Of the items that a unit carries, only the held one is drawn, on top of
 * the unit.
 */
function thingsOf(sim: Simulation): readonly (UnitHandle | ItemHandle | ProjectileHandle)[] {
  const units = sim.units();
  const lying = sim.items().filter(({ slot }) => slot === undefined);
  return [...lying, ...sim.projectiles(), ...units, ...units.flatMap(({ holding }) => holding ?? [])];
}

function legendFigure(looks: TypeLooks, thing: UnitHandle | ItemHandle | ProjectileHandle): LegendFigure {
  const { kind, type, state } = thing;
  const owner = kind === 'unit' ? thing.owner : undefined;
  const side = looks.side(owner?.exists === true ? owner.type : undefined);
  return { kind, typeName: looks.nameOf(kind, type), look: looks.of(kind, type, state), side };
}

/**
 * Draws the body of an entity. The edge of the body shows the side of the entity or, without an image, that the entity
 * is not in the first state of its type.
 */
function bodyShape(
  { look, side }: Omit<LegendFigure, 'kind' | 'typeName'>,
  images: Map<string, string>,
  width: number,
  height: number,
  font: number,
) {
  const shape = (inset: number, attributes: string) =>
    look.isRound
      ? `<circle r="${width / 2 - inset}"${attributes}/>`
      : `<rect x="${inset - width / 2}" y="${inset - height / 2}" width="${width - 2 * inset}" height="${height - 2 * inset}" rx="${width / 16}"${attributes}/>`;
  const body = shape(0, ' class="body"');
  const { image } = look;
  if (side === undefined && !look.isAltered && image === undefined) return body;
  const wide = Math.min(Math.min(width, height) * (side === undefined ? 0.11 : 0.16), font * 0.3);
  const dashes = look.isAltered ? ` stroke-dasharray="${(wide * 1.5).toFixed(1)}"` : '';
  const edge = (color: string) =>
    shape(wide / 2, ` class="edge" style="stroke:${color}" stroke-width="${wide.toFixed(1)}"${dashes}`);
  if (image !== undefined) {
    const { url, columns, rows, frames } = image;
    const [row, column] = [Math.floor((frames[0]! - 1) / columns), (frames[0]! - 1) % columns];
    const size = ` width="${columns}" height="${rows}"`;
    const ring = side === undefined ? '' : edge(escapeHtml(side.color));
    const place = ` x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}"`;
    return ring + imagePart(images, url, `${column} ${row} 1 1`, size, place);
  }
  if (side === undefined) return body + edge(alteredColor);
  // Dark lines on both sides of the edge keep it visible if it has the same colour as the body.
  return (
    body + shape(wide * 0.65, ` class="edge" stroke-width="${(wide * 1.3).toFixed(1)}"`) + edge(escapeHtml(side.color))
  );
}

/** Places labels, and moves a label up if it would overlap another one. */
class Labels {
  private readonly placed: { readonly text: string; readonly x: number; readonly y: number; readonly half: number }[] =
    [];

  constructor(private readonly font: number) {}

  add(text: string, x: number, wanted: number) {
    const half = text.length * this.font * 0.3;
    let y = wanted;
    for (let tries = 0; tries < liftsMax && this.covers(x, y, half); tries++) y -= this.font;
    this.placed.push({ text, x, y, half });
  }

  *drawn(): Generator<string> {
    for (const { text, x, y } of this.placed)
      yield `<text class="label" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${escapeHtml(text)}</text>`;
  }

  private covers(x: number, y: number, half: number) {
    return this.placed.some(
      (other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < this.font * 0.95,
    );
  }
}

/** Draws the legend below the map. */
function legendDrawn(
  entries: readonly LegendEntry[],
  images: Map<string, string>,
  hasCounts: boolean,
  width: number,
  top: number,
  font: number,
): { readonly parts: readonly string[]; readonly height: number } {
  const line = font * 1.7;
  const size = font * 0.9;
  let [x, y] = [font * 0.6, top + line];
  let before: LegendEntry['meaning'] = 'type';
  const parts = entries.map(({ meaning, text, color, isRound, image, count }) => {
    const words = meaning === 'type' && hasCounts ? `${text} ${count}` : meaning === 'side' ? `side ${text}` : text;
    const long = font * (2.2 + words.length * 0.6);
    // The first entry for an edge starts a new line.
    const isNext = meaning !== 'type' && before === 'type';
    before = meaning;
    if (x > font && (isNext || x + long > width)) [x, y] = [font * 0.6, y + line];
    const figure = {
      look: { color, isRound, image, isAltered: meaning === 'state' },
      side: meaning === 'side' ? { name: text, color } : undefined,
    };
    const fill = meaning === 'side' ? 'none' : color;
    const sign = bodyShape(figure, images, size, size, font);
    const entry = `<g class="entry" transform="translate(${(x + size / 2).toFixed(1)} ${(y - size * 0.4).toFixed(1)})" fill="${fill}">${sign}</g><text x="${(x + font * 1.3).toFixed(1)}" y="${y.toFixed(1)}">${escapeHtml(words)}</text>`;
    x += long;
    return entry;
  });
  return { parts, height: parts.length === 0 ? 0 : y - top + line * 0.5 };
}
