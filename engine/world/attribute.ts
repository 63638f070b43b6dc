import { cached } from '../core/cached.ts';
import type { AttributeDefinition } from '../definition/attribute.ts';
import { count, f64, fill, type Infer, list, map, record, table, u8 } from '../schema/index.ts';

/**
 * The attributes of an entity type: their keys, order and definitions. An entity's attributes are consecutive rows of
 * the attribute table, in the order of its layout.
 */
export interface AttributeLayout {
  readonly keys: readonly string[];
  readonly offsets: ReadonlyMap<string, number>;
  readonly definitions: readonly AttributeDefinition[];
}

export const emptyAttributeLayout: AttributeLayout = { keys: [], offsets: new Map(), definitions: [] };

export function attributeLayout(definitions: Iterable<readonly [string, AttributeDefinition]>): AttributeLayout {
  const keys: string[] = [];
  const list: AttributeDefinition[] = [];
  const offsets = new Map<string, number>();
  for (const [key, definition] of definitions) {
    offsets.set(key, keys.length);
    keys.push(key);
    list.push(definition);
  }
  return { keys, offsets, definitions: list };
}

export const attributeRows = table({
  value: f64(),
  min: f64(),
  max: f64(),
  /** The rate `regenerateSpeed` as set by the definition or a script. The dialect decides how much it adds per tick. */
  rate: f64(),
  /** 1 once an action, a bonus or regeneration has changed the value or a bound. */
  isChanged: u8(),
});

/** The state of an `AttributeTable`: all allocated rows, and the first rows of the free blocks by block size. */
export const attributesState = record({ rows: attributeRows, freeBlocks: map(count(), list(count())) });

const firstRows = 64;

/**
 * The attributes of all entities as columns: value, bounds and rate. Freed blocks are reused for blocks of the same
 * size.
 */
export class AttributeTable {
  value = new Float64Array(firstRows);
  min = new Float64Array(firstRows);
  max = new Float64Array(firstRows);
  rate = new Float64Array(firstRows);
  isChanged = new Uint8Array(firstRows);
  /** The number of rows allocated so far, whether they are in use or in `freeBlocks`. */
  count = 0;
  /** The first rows of the free blocks, by block size. */
  readonly freeBlocks = new Map<number, number[]>();

  /** Allocates a block of rows with the initial values of `layout`; returns its first row. */
  allocate(layout: AttributeLayout): number {
    const size = layout.keys.length;
    if (size === 0) return 0;
    let start = this.freeBlocks.get(size)?.pop();
    if (start === undefined) {
      start = this.count;
      this.count += size;
      if (this.count > this.value.length) this.grow();
    }
    for (let i = 0; i < size; i++) this.reset(start + i, layout.definitions[i]!);
    return start;
  }

  free(start: number, size: number): void {
    if (size === 0) return;
    // Freed rows are zeroed, because their former values must not influence the state hash.
    for (let row = start; row < start + size; row++) attributeRows.clear(this, row);
    cached<number, number[]>(this.freeBlocks, size, () => []).push(start);
  }

  /**
   * Resets a row to its definition. The value is clamped to the bounds; a missing bound is infinite, a missing value is
   * 0.
   */
  reset(row: number, definition: AttributeDefinition): void {
    const min = definition.min ?? -Infinity;
    const max = definition.max ?? Infinity;
    this.min[row] = min;
    this.max[row] = max;
    this.rate[row] = definition.regenerateSpeed ?? 0;
    this.value[row] = Math.max(min, Math.min(max, definition.value ?? 0));
  }

  /** Replaces the table's contents by those of a snapshot. */
  restore({ rows, freeBlocks }: Infer<typeof attributesState>): void {
    const former = this.count;
    this.count = rows.value.length;
    if (this.count > this.value.length) this.grow();
    attributeRows.fill(this, rows, former);
    fill(attributesState.fields.freeBlocks, this.freeBlocks, freeBlocks);
  }

  private grow() {
    let capacity = this.value.length;
    while (capacity < this.count) capacity *= 2;
    attributeRows.grow(this, capacity);
  }
}
