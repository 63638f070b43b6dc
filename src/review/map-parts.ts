import { isRecord } from '../../engine/core/index.ts';
import { amount } from '../text/index.ts';
import { checksum, type JsonRecord } from './value-text.ts';

export interface Layer {
  readonly name: string;
  readonly json: JsonRecord;
}

/** The layers by name, in order; a layer without a name is called after its position. */
export function layersOf({ layers }: JsonRecord): readonly Layer[] {
  if (!Array.isArray(layers)) return [];
  return layers.flatMap((json: unknown, i) => {
    if (!isRecord(json)) return [];
    const { name } = json;
    return [{ name: typeof name === 'string' && name !== '' ? name : `#${i + 1}`, json }];
  });
}

export function isTileLayer(layer: JsonRecord): layer is JsonRecord & { readonly data: readonly number[] } {
  return Array.isArray(layer['data']) && layer['data'].length > 0;
}

/** `32 x 24 cells of 64 x 64 px` */
export function mapSize({ width, height, tilewidth, tileheight }: JsonRecord): string {
  return `${width} x ${height} cells of ${tilewidth} x ${tileheight} px`;
}

/** Counts tiles; the checksum shows that any of them changed. */
export function tilesText(data: readonly unknown[]): string {
  const filled = data.filter((tile) => tile !== 0);
  if (filled.length === 0) return 'no tiles';
  return `${amount(filled.length, 'tile')} of ${amount(new Set(filled).size, 'kind')}, checksum ${checksum(data.join())}`;
}
