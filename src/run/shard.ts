/** One part of work that several processes or machines share: `2/8` is the second of eight. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

export const shardsMax = 10_000;

/** Reads `2/8`; undefined for what is none. */
export function readShard(text: string): Shard | undefined {
  const parts = /^(\d{1,5})\/(\d{1,5})$/.exec(text);
  const [index, count] = [Number(parts?.[1]), Number(parts?.[2])];
  return index >= 1 && index <= count && count <= shardsMax ? { index, count } : undefined;
}

export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/**
 * Whether the shard does the work at a position of the list, which all shards have in the same order. They take turns: what is slow stands
 * together in most lists.
 */
export function isInShard(position: number, { index, count }: Shard): boolean {
  return position % count === index - 1;
}

/** Positions of a list that the shard does; all of them where there are no shards. */
export function positionsIn(length: number, shard: Shard | undefined): number[] {
  const all = Array.from({ length }, (_, position) => position);
  return shard === undefined ? all : all.filter((position) => isInShard(position, shard));
}
