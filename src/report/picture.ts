import { type Entity, Kind, rowOf, type Simulation } from '../../engine/index.ts';
import { escapeHtml } from './escape.ts';

const widthMost = 720;
/** They can be told apart on white; one for each type, in order of appearance. */
const colors = ['#2a6fdb', '#d1495b', '#3a9d5d', '#c47f17', '#7b4fb5', '#13929b', '#a0522d', '#6b7280'];

/**
 * The map, its regions and everything in the world, seen from above, as one SVG. Wall cells are dark, sleeping and hidden things are drawn all the
 * same; `marked` entities have a ring. `''` for a world without a size.
 */
export function picture(
  sim: Simulation,
  marked: readonly Entity[],
  nameOf: (entity: Entity) => string | undefined,
): string {
  const { world, definition } = sim;
  const { map } = world;
  const cell = definition.cellSize;
  const [width, height] = [map.width * cell.width, map.height * cell.height];
  if (!(width > 0 && height > 0)) return '';
  const parts: string[] = [];
  const walls = map.layers.find(({ name }) => name === 'walls')?.tiles ?? [];
  const cells: string[] = [];
  for (let i = 0; i < map.width * map.height; i++) {
    if ((walls[i] ?? 0) > 0)
      cells.push(
        `M${(i % map.width) * cell.width} ${Math.floor(i / map.width) * cell.height}h${cell.width}v${cell.height}h-${cell.width}z`,
      );
  }
  if (cells.length > 0) parts.push(`<path class="wall" d="${cells.join('')}"/>`);
  for (const entity of world.lists[Kind.region]!.entries) {
    const region = world.regions[rowOf(entity)];
    if (region === undefined) continue;
    const { x, y, width: w, height: h, name } = region;
    parts.push(
      `<rect class="region" x="${x}" y="${y}" width="${w}" height="${h}"><title>${escapeHtml(name)}</title></rect>`,
    );
    parts.push(`<text class="name" x="${x + 4}" y="${y + 18}">${escapeHtml(name)}</text>`);
  }
  const colorOf = palette();
  const size = Math.max(width, height) / 60;
  for (const [kind, list] of [
    ['item', world.types.item],
    ['projectile', world.types.projectile],
    ['unit', world.types.unit],
  ] as const) {
    for (const entity of sim.entities(kind)) {
      const row = rowOf(entity);
      const c = world.columns;
      const [x, y] = [c.x[row]!, c.y[row]!];
      const type = list.list[c.type[row]!];
      // What somebody carries is where its carrier is and would only cover it.
      if (kind === 'item' && c.slot[row]! >= 0) continue;
      const [w, h] = [Math.max(c.width[row]!, size / 3), Math.max(c.height[row]!, size / 3)];
      const label = nameOf(entity) ?? world.ref(entity)!.id;
      const turn = ((c.angle[row]! * 180) / Math.PI).toFixed(1);
      const shape =
        kind === 'unit'
          ? `<rect x="${-w / 2}" y="${-h / 2}" width="${w}" height="${h}" rx="${w / 8}"/><path class="front" d="M0 ${-h / 2}v${h / 3}"/>`
          : `<circle r="${Math.max(w, h) / 2}"/>`;
      const ring = marked.includes(entity) ? `<circle class="mark" r="${Math.max(w, h)}"/>` : '';
      const title = `<title>${escapeHtml(`${label}: ${type?.name ?? kind}`)}</title>`;
      parts.push(
        `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" fill="${colorOf(`${kind} ${type?.name}`)}">${ring}<g transform="rotate(${turn})">${shape}</g>${title}</g>`,
      );
      if (kind === 'unit') {
        parts.push(
          `<text class="label" x="${x.toFixed(1)}" y="${(y - h / 2 - 4).toFixed(1)}">${escapeHtml(label)}</text>`,
        );
      }
    }
  }
  const shownWidth = Math.min(widthMost, width);
  const font = Math.round((14 * width) / shownWidth);
  const style = `.wall{fill:#4b5563}.region{fill:#2563eb18;stroke:#2563eb;stroke-dasharray:8}.front{stroke:#fff;stroke-width:3}.mark{fill:none;stroke:#f59e0b;stroke-width:${font / 3}}text{font:${font}px system-ui,sans-serif}.label{text-anchor:middle}.name{fill:#2563eb}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${shownWidth}" height="${Math.round((shownWidth * height) / width)}" role="img" aria-label="Map at tick ${sim.tick}"><style>${style}</style><rect width="${width}" height="${height}" fill="#f8fafc" stroke="#cbd5e1"/>${parts.join('')}</svg>`;
}

function palette(): (type: string) => string {
  const given = new Map<string, string>();
  return (type) => {
    let color = given.get(type);
    if (color === undefined) {
      color = colors[given.size % colors.length]!;
      given.set(type, color);
    }
    return color;
  };
}
