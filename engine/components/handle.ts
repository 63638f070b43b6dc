import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';
import { component } from '../ecs/component.ts';
import type { Entity } from '../ecs/entity.ts';
import { type FieldType as KindOf, shared } from '../schema/index.ts';

/** Kinds of entities, named as in games; the numbers are the values of the column `kind`. */
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

/** Prefix of the ids of entities without a name of their own. */
const letters: Readonly<Record<Kind, string>> = {
  none: '',
  unit: 'u',
  item: 'i',
  projectile: 'b',
  player: 'p',
  region: 'r:',
  sensor: 's',
  wall: 'w',
  debris: 'd',
};

/**
 * A script's reference to an entity in a variable, a list or an operand. There is exactly one per entity, so references
 * are compared by identity. It keeps referring to the entity after its destruction, as games expect (`entityExists` is
 * then false).
 */
export class EntityRef {
  constructor(
    readonly entity: Entity,
    readonly kind: Kind,
    /**
     * Either the id itself, or the sequence number of the entity within its kind, from which the getter `id` builds the
     * id. Nearly all ids are built this way, and few of them are ever requested.
     */
    readonly name: string | number,
  ) {}

  /** The id that scripts can see: the variable name for a region, kind and number for most others. */
  get id(): string {
    return typeof this.name === 'string' ? this.name : letters[this.kind] + this.name;
  }

  /** The id, for messages of the engine. Scripts print an entity as an object instead. */
  toString(): string {
    return this.id;
  }

  toJSON(): string {
    return this.id;
  }
}

/**
 * Saves and restores references. References are compared by identity, so each entity must have exactly one after a
 * restore, too.
 */
export const refAdapter: GraphAdapter<EntityRef> = {
  owns: (value): value is EntityRef => value instanceof EntityRef,
  save: ({ entity, kind, name }) => [entity, kinds.indexOf(kind), name],
  restore([entity, number, name]) {
    const isEntity = typeof entity === 'number' && Number.isSafeInteger(entity) && entity >= 0;
    const kind = kinds[number as number];
    if (!isEntity || kind === undefined || name === undefined)
      throw new MalformedBytes('Damaged data: a saved reference to an entity is invalid.');
    return new EntityRef(entity, kind, name);
  },
  show: ({ id }) => `@${id}`,
};

export const ref = shared(refAdapter, 'handle');

/** The single reference to each entity. */
export const Handle = component('handle', ref as KindOf<EntityRef>);
