import { canonical, noRenames, type Renames } from './canonical.ts';
import { type FieldChange, fieldChanges } from './field-diff.ts';
import { isTileLayer, type Layer, layersOf } from './map-parts.ts';
import type { JsonRecord } from './value-text.ts';

/**
 * A rectangle of changed cells of a layer, in cells. `before` and `after` are only present if they are the same for all
 * cells.
 */
export interface TileChange {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface LayerDiff {
  readonly layer: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Changed cells. */
  readonly cells: number;
  /** Cells that got a tile, lost it, or have another. */
  readonly filled: number;
  readonly cleared: number;
  readonly replaced: number;
  readonly areas: readonly TileChange[];
  readonly fields: readonly FieldChange[];
}

export interface MapDiff {
  readonly fields: readonly FieldChange[];
  readonly layers: readonly LayerDiff[];
}

const nothing = { cells: 0, filled: 0, cleared: 0, replaced: 0, areas: [], fields: [] };

/** Undefined if both maps are the same. */
export function mapDiff(before: JsonRecord = {}, after: JsonRecord = {}, renames: Renames): MapDiff | undefined {
  const { layers: _old, ...oldRest } = before;
  const { layers: _now, ...nowRest } = after;
  const { changes: fields } = fieldChanges(oldRest, nowRest, renames);
  const [old, now] = [layersOf(before), layersOf(after)];
  const layers: LayerDiff[] = [];
  const unseen = new Set(old);
  for (const layer of now) {
    const was = old.find((each) => unseen.has(each) && each.name === layer.name);
    if (was === undefined) {
      layers.push({ layer: layer.name, kind: 'added', ...nothing });
      continue;
    }
    unseen.delete(was);
    const change = layerDiff(was, layer, widthOf(before), widthOf(after));
    if (change !== undefined) layers.push(change);
  }
  for (const { name } of unseen) layers.push({ layer: name, kind: 'removed', ...nothing });
  return fields.length === 0 && layers.length === 0 ? undefined : { fields, layers };
}

function widthOf({ width }: JsonRecord): number {
  return typeof width === 'number' && width > 0 ? width : 1;
}

function layerDiff(before: Layer, after: Layer, oldWidth: number, nowWidth: number): LayerDiff | undefined {
  if (canonical(before.json) === canonical(after.json) && oldWidth === nowWidth) return undefined;
  const { data: _old, ...oldRest } = before.json;
  const { data: _now, ...nowRest } = after.json;
  const { changes: fields } = fieldChanges(oldRest, nowRest, noRenames);
  const tiles = tileChanges(tilesOf(before.json), tilesOf(after.json), oldWidth, nowWidth);
  if (fields.length === 0 && tiles.cells === 0) return undefined;
  return { layer: after.name, kind: 'changed', ...tiles, fields };
}

function tilesOf(layer: JsonRecord): readonly unknown[] {
  return isTileLayer(layer) ? layer.data : [];
}

/** Cells are compared by position, so that a wider map does not change all of them. */
function tileChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  oldWidth: number,
  nowWidth: number,
): Omit<LayerDiff, 'layer' | 'kind' | 'fields'> {
  const width = Math.max(oldWidth, nowWidth);
  const height = Math.ceil(Math.max(before.length / oldWidth, after.length / nowWidth));
  const tileAt = (tiles: readonly unknown[], ownWidth: number, x: number, y: number): unknown =>
    x < ownWidth ? (tiles[y * ownWidth + x] ?? 0) : 0;
  const changed = new Map<number, readonly [unknown, unknown]>();
  const counts = { filled: 0, cleared: 0, replaced: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [old, now] = [tileAt(before, oldWidth, x, y), tileAt(after, nowWidth, x, y)];
      if (old === now) continue;
      changed.set(y * width + x, [old, now]);
      counts[old === 0 ? 'filled' : now === 0 ? 'cleared' : 'replaced']++;
    }
  }
  return { cells: changed.size, ...counts, areas: rectangles(changed, width) };
}

/**
 * Covers the changed cells with rectangles. Each extends from a free cell as far right, then as far down as possible.
 */
function rectangles(changed: ReadonlyMap<number, readonly [unknown, unknown]>, width: number): TileChange[] {
  const free = new Set(changed.keys());
  const areas: TileChange[] = [];
  for (const cell of changed.keys()) {
    if (!free.has(cell)) continue;
    const x = cell % width;
    let columns = 1;
    while (x + columns < width && free.has(cell + columns)) columns++;
    const isFree = (row: number): boolean => {
      for (let i = 0; i < columns; i++) if (!free.has(cell + row * width + i)) return false;
      return true;
    };
    let rows = 1;
    while (isFree(rows)) rows++;
    const [before, after] = [new Set<unknown>(), new Set<unknown>()];
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < columns; i++) {
        const at = cell + row * width + i;
        free.delete(at);
        const [old, now] = changed.get(at)!;
        before.add(old);
        after.add(now);
      }
    }
    areas.push({
      x,
      y: Math.floor(cell / width),
      width: columns,
      height: rows,
      ...(before.size === 1 && { before: [...before][0] }),
      ...(after.size === 1 && { after: [...after][0] }),
    });
  }
  return areas;
}
