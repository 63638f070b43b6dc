/**
 * An entity is a number: a row index in the low bits and the row's generation above it. A number kept after its entity is gone never
 * names another one, because the generation of a row grows each time the row is reused. 0 is no entity.
 */
export type Entity = number;

export const noEntity: Entity = 0;

const indexBits = 20;
const indexCount = 1 << indexBits;
const indexMask = indexCount - 1;

/** The row of an entity in every component column. */
export function rowOf(entity: Entity): number {
  // The low 20 bits; ids above 2^31 lose their high bits here, which is what is wanted.
  return entity & indexMask;
}

export function makeEntity(row: number, generation: number): Entity {
  return generation * indexCount + row;
}

export function generationOf(entity: Entity): number {
  return Math.floor(entity / indexCount);
}

/** Where an entity is between being made and being forgotten. */
export const Life = { free: 0, alive: 1, leaving: 2 } as const;
