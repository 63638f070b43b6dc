import { hashText, isRecord, joinPointer } from '../../engine/core/index.ts';
import { amount } from '../text/index.ts';
import { type JsonRecord, memberLines, type ShownLine } from './value-text.ts';

/** The lines of a map. `before` is another version of the map: the lines then also say which cells differ. */
export function mapLines(map: JsonRecord, pointer: string, before: JsonRecord = {}): ShownLine[] {
  const { layers: _layers, width, height, tilewidth, tileheight, ...others } = map;
  const old = layersOf(before);
  const layers = layersOf(map).flatMap(({ name, json, index }) => {
    const { data, name: _name, ...rest } = json;
    const was = old.find((layer) => layer.name === name)?.json['data'];
    const { objects } = rest;
    let about = amount(Array.isArray(objects) ? objects.length : 0, 'object');
    if (Array.isArray(data)) about = tilesText(data);
    if (Array.isArray(data) && Array.isArray(was)) about += differenceText(rows(was, before), rows(data, map));
    const place = joinPointer(joinPointer(pointer, 'layers'), index);
    return [{ text: `  layer ${name}: ${about}`, pointer: place }, ...memberLines(rest, place, 2)];
  });
  const text = `map: ${width} x ${height} cells of ${tilewidth} x ${tileheight} px`;
  return [{ text, pointer }, ...memberLines(others, pointer, 1), ...layers];
}

/** The layers in order. A layer without a name is called by its position. */
function layersOf({ layers }: JsonRecord) {
  if (!Array.isArray(layers)) return [];
  return layers.flatMap((json: unknown, index) => {
    if (!isRecord(json)) return [];
    const { name } = json;
    return { name: typeof name === 'string' && name !== '' ? name : `#${index + 1}`, json, index };
  });
}

/** The number of tiles, and a checksum, which shows that tiles have changed. */
function tilesText(data: readonly unknown[]) {
  const filled = data.filter((tile) => tile !== 0);
  if (filled.length === 0) return 'no tiles';
  const checksum = hashText(data.join()).slice(0, 8);
  return `${amount(filled.length, 'tile')} of ${amount(new Set(filled).size, 'kind')}, checksum ${checksum}`;
}

function rows(data: readonly unknown[], { width }: JsonRecord) {
  const columns = typeof width === 'number' && width >= 1 ? Math.floor(width) : 1;
  return Array.from({ length: Math.ceil(data.length / columns) }, (_, y) => data.slice(y * columns, (y + 1) * columns));
}

/**
 * The differences between two layers, such as `; 9 cells differ, within 4 x 3 at 10, 3`. Cells are compared by
 * position, so a wider map does not make old cells differ.
 */
function differenceText(before: readonly unknown[][], after: readonly unknown[][]) {
  let cells = 0;
  let [left, right, top, bottom] = [Infinity, 0, Infinity, 0];
  for (let y = 0; y < Math.max(before.length, after.length); y++) {
    const [old = [], now = []] = [before[y], after[y]];
    for (let x = 0; x < Math.max(old.length, now.length); x++) {
      if ((old[x] ?? 0) === (now[x] ?? 0)) continue;
      cells++;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  if (cells === 0) return '';
  const verb = cells === 1 ? 'differs' : 'differ';
  return `; ${amount(cells, 'cell')} ${verb}, within ${right - left + 1} x ${bottom - top + 1} at ${left}, ${top}`;
}
