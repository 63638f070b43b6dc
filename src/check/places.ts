import type { Definition } from '../../engine/index.ts';

/** A region or position, px. A position has no size. */
interface Place {
  readonly key: string;
  readonly dataType: string;
  readonly at: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The global regions and positions at the start. */
export function* placesOf({ variables }: Definition): Iterable<Place> {
  for (const { key, dataType, default: initial, pointer } of variables.values()) {
    if (dataType !== 'region' && dataType !== 'position') continue;
    if (typeof initial === 'object' && initial !== null)
      yield { key, dataType, at: `${pointer}/default`, x: 0, y: 0, width: 0, height: 0, ...initial };
  }
}

/** The size of the map, px; undefined if there is none. */
export function mapSizeOf({
  map,
  cellSize,
}: Definition): { readonly width: number; readonly height: number } | undefined {
  if (map === undefined || map.width === 0 || map.height === 0) return undefined;
  return { width: map.width * cellSize.width, height: map.height * cellSize.height };
}
