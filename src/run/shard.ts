/** A part of work that is split between processes or machines: `2/8` is the second of eight. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

export const shardsMax = 10_000;

/** Parses `2/8`; undefined if invalid. */
export function readShard(text: string): Shard | undefined {
  const parts = /^(\d{1,5})\/(\d{1,5})$/.exec(text);
  const [index, count] = [Number(parts?.[1]), Number(parts?.[2])];
  return index >= 1 && index <= count && count <= shardsMax ? { index, count } : undefined;
}

export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/**
 * Whether the item at this position belongs to the shard. Items are dealt out in turn, because slow ones are usually
 * adjacent. All shards must have the same list.
 */
export function isInShard(position: number, { index, count }: Shard): boolean {
  return position % count === index - 1;
}

/** The positions that belong to the shard; all of them without a shard. */
export function positionsIn(length: number, shard: Shard | undefined): number[] {
  const all = Array.from({ length }, (_, position) => position);
  return shard === undefined ? all : all.filter((position) => isInShard(position, shard));
}
