import type { Entity, Simulation } from '../../engine/index.ts';
import { insideOf } from '../../engine/internal.ts';
import { escapeHtml } from '../text/escape.ts';

const widthMax = 720;
/** They can be told apart on light and on dark; one for each type, in order of appearance. */
const colors = ['#3b82f6', '#e5484d', '#2f9e62', '#d18700', '#9866dd', '#1299ac', '#dd5596', '#a0643c', '#7d8896'];
/** In a crowd only those that have a name are labelled; the others say theirs to who points at them. */
const labelledMax = 24;

/**
 * The map, its regions and everything in the world, seen from above, as one SVG with a key of the types. Wall cells are dark, sleeping and hidden
 * things are drawn all the same; `marked` entities have a ring. `''` for a world without a size.
 */
export function picture(
  sim: Simulation,
  marked: readonly Entity[],
  nameOf: (entity: Entity) => string | undefined,
): string {
  const { definition } = sim;
  const { map } = insideOf(sim).world;
  const cell = definition.cellSize;
  const [width, height] = [map.width * cell.width, map.height * cell.height];
  if (!(width > 0 && height > 0)) return '';
  const shownWidth = Math.min(widthMax, width);
  const font = Math.round((13 * width) / shownWidth);
  const key = new Key();
  const things = [...shapes(sim, marked, nameOf, key, Math.max(width, height) / 60)];
  const { parts: keyParts, height: keyHeight } = key.drawn(width, height, font);
  const whole = height + keyHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="reenact-map" viewBox="0 0 ${width} ${whole}" width="${shownWidth}"`,
    ` height="${Math.round((shownWidth * whole) / width)}" font-size="${font}" role="img" aria-label="Map at tick ${sim.tick}">`,
    `<style>${style}</style><rect class="floor" width="${width}" height="${whole}"/>`,
    walls(sim),
    ...regions(sim, font),
    ...props(sim),
    ...things,
    ...keyParts,
    '</svg>',
  ].join('');
}

/** Of the class, so that it means nothing to the page a picture stands in; and the same for all of a page. */
const style = [
  '.reenact-map{--back:#fafbfc;--wall:#566170;--text:#18202c;--region:#2563c9;font-family:system-ui,sans-serif}',
  '@media (prefers-color-scheme:dark){.reenact-map{--back:#151a21;--wall:#55606f;--text:#e8ecf2;--region:#79aaff}}',
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
  const tiles = map.layers.find(({ name }) => name === 'walls')?.tiles ?? [];
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

/** Props of the map, which belong to nobody. */
function* props(sim: Simulation): Generator<string> {
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
): Generator<string> {
  const units = sim.units();
  const isCrowd = units.length > labelledMax;
  // Labels come last, so that nothing lies on them.
  const labels: string[] = [];
  // What somebody carries is where its carrier is and would only cover it.
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
      const shape =
        kind === 'unit'
          ? `<rect x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}" rx="${width / 8}"/><path class="front" d="M0 ${-height / 2}v${height / 3}"/>`
          : `<circle r="${Math.max(width, height) / 2}"/>`;
      const isMarked = marked.includes(entity);
      const ring = isMarked ? `<circle class="mark" r="${Math.max(width, height)}"/>` : '';
      const title = `<title>${escapeHtml(name === undefined ? `${id}: ${type}` : `${name} (${id}): ${type}`)}</title>`;
      const color = key.colorOf(type, kind === 'unit');
      yield `<g transform="translate(${x} ${y})" fill="${color}">${ring}<g transform="rotate(${turn})">${shape}</g>${title}</g>`;
      if (name === undefined && (kind !== 'unit' || (isCrowd && !isMarked))) continue;
      const above = (thing.y - height * (isMarked ? 1.1 : 0.6) - 4).toFixed(1);
      labels.push(`<text class="label" x="${x}" y="${above}">${escapeHtml(name ?? id)}</text>`);
    }
  }
  yield* labels;
}

/** Colours of the types, and what they mean, below the map. */
class Key {
  private readonly given = new Map<string, { readonly color: string; readonly isUnit: boolean; count: number }>();

  colorOf(type: string, isUnit: boolean): string {
    const name = `${isUnit} ${type}`;
    let entry = this.given.get(name);
    if (entry === undefined) {
      entry = { color: colors[this.given.size % colors.length]!, isUnit, count: 0 };
      this.given.set(name, entry);
    }
    entry.count++;
    return entry.color;
  }

  drawn(width: number, top: number, font: number): { readonly parts: readonly string[]; readonly height: number } {
    const line = font * 1.7;
    let [x, y] = [font * 0.6, top + line];
    const parts = Array.from(this.given, ([name, { color, isUnit, count }]) => {
      const text = `${name.slice(name.indexOf(' ') + 1)} ${count}`;
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
