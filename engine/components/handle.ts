import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';
import { component } from '../ecs/component.ts';
import type { Entity } from '../ecs/entity.ts';
import { type Kind as KindOf, shared } from '../schema/index.ts';

/** Kinds of entities. The words are those of the game; the numbers are those of the column `kind`. */
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

/** The beginning of the id of an entity that has no name of its own. */
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
 * How a script holds an entity in a variable, a list or an operand. There is exactly one per entity, so identity is equality; it goes on
 * naming the entity after its destruction, as the games expect (`entityExists` is then false).
 */
export class EntityRef {
  readonly entity: Entity;
  readonly kind: Kind;
  /** The whole id, or the number of the entity in its kind: most have that, and few are ever asked for their id. */
  readonly name: string | number;

  constructor(entity: Entity, kind: Kind, name: string | number) {
    this.entity = entity;
    this.kind = kind;
    this.name = name;
  }

  /** A name of its own that scripts can see: the variable of a region, the kind and number of anything else. */
  get id(): string {
    return typeof this.name === 'string' ? this.name : letters[this.kind] + this.name;
  }

  /** In messages of ours. A script that prints an entity prints an object. */
  toString(): string {
    return this.id;
  }

  toJSON(): string {
    return this.id;
  }
}

/** Scripts hold entities by references that are compared by identity: one reference stays one reference. */
export const refAdapter: GraphAdapter<EntityRef> = {
  owns: (value): value is EntityRef => value instanceof EntityRef,
  save: ({ entity, kind, name }) => [entity, kinds.indexOf(kind), name],
  restore([entity, number, name]) {
    const isEntity = typeof entity === 'number' && Number.isSafeInteger(entity) && entity >= 0;
    const kind = kinds[number as number];
    if (!isEntity || kind === undefined || name === undefined) throw new MalformedBytes('A handle names no entity.');
    return new EntityRef(entity, kind, name);
  },
  show: ({ id }) => `@${id}`,
};

export const ref = shared(refAdapter, 'handle');

/** The one handle of each entity. */
export const Handle = component('handle', ref as KindOf<EntityRef>);
