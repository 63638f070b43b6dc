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

/** What an entity is. The words are those of the game; the numbers are what the `kind` column holds. */
export const kinds = ['none', 'unit', 'item', 'projectile', 'player', 'region', 'sensor', 'wall', 'debris'] as const;
export type Kind = (typeof kinds)[number];

export const Kind = {
  none: 0,
  unit: 1,
  item: 2,
  projectile: 3,
  player: 4,
  region: 5,
  sensor: 6,
  wall: 7,
  debris: 8,
} as const satisfies Record<Kind, number>;

/** Where an entity is between being made and being forgotten: the values of the `life` column. */
export const Life = { free: 0, alive: 1, leaving: 2 } as const;

/**
 * How a script holds an entity in a variable, a list or an operand. There is exactly one per entity, so identity is equality; it goes on
 * naming the entity after its destruction, as the games expect (`entityExists` is then false).
 */
export class EntityRef {
  readonly entity: Entity;
  readonly kind: Kind;
  /** A name of its own that scripts can see: the variable of a region, the kind and number of anything else. */
  readonly id: string;

  constructor(entity: Entity, kind: Kind, id: string) {
    this.entity = entity;
    this.kind = kind;
    this.id = id;
  }

  /** In messages of ours. A script that prints an entity prints an object. */
  toString(): string {
    return this.id;
  }

  toJSON(): string {
    return this.id;
  }
}
