import type { Host } from './host.ts';
import type { CellSize } from './map.ts';
import type { Metadata } from './metadata.ts';
import type { Sections } from './sections.ts';
import type { Settings } from './settings.ts';

/**
 * A game definition in its normal form: every section is present, all values are frozen, and each field has only one
 * shape.
 */
export interface Definition extends Omit<Sections, 'settings' | 'defaultData'> {
  readonly settings: Settings;
  readonly defaultData: Metadata;
  /** Pixels per cell of the played map. */
  readonly cellSize: CellSize;
  /** RFC 6901 pointer of the data object: `""`, `/data` or `/gameJson/data`. */
  readonly pointer: string;
  /** The operations and triggers of the host; absent if it declares none. */
  readonly host?: Host;
}
