/**
 * An entity is a number: a row index in the low bits and the row's generation above it. Each time a row is reused its
 * generation grows, so a number kept after its entity was destroyed never refers to another entity. 0 is no entity.
 */
export type Entity = number;

export const noEntity: Entity = 0;

const indexBits = 20;
const indexCount = 1 << indexBits;
const indexMask = indexCount - 1;

/** The row of an entity in every component column. */
export function rowOf(entity: Entity): number {
  // The bitwise operator truncates entities above 2^31 to 32 bits. This does no harm, because only the low 20 bits
  // matter.
  return entity & indexMask;
}

export function makeEntity(row: number, generation: number): Entity {
  return generation * indexCount + row;
}

export function generationOf(entity: Entity): number {
  return Math.floor(entity / indexCount);
}

/** The stages in the life of an entity. */
export const Life = { free: 0, alive: 1, leaving: 2 } as const;
