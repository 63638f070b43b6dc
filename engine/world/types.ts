import type { BodyType } from '../definition/body.ts';
import type { ItemType } from '../definition/item.ts';
import type { PlayerType } from '../definition/player.ts';
import type { ProjectileType } from '../definition/projectile.ts';
import type { UnitType } from '../definition/unit.ts';
import type { AttributeLayout } from './attribute.ts';
import { type Entity, Kind, rowOf } from './entity.ts';
import type { VariableLayout } from './variable.ts';

export interface RuntimeState {
  readonly key: string;
  readonly name: string;
  /** False if the state does not mention a body. An entity that enters such a state keeps its current body. */
  readonly namesBody: boolean;
  /**
   * Undefined if the state names no body, names one that the type does not have, or names `none`. For `none`, the body
   * with this key can count instead: see `bodyOf` in `type-tables.ts`.
   */
  readonly body: BodyType | undefined;
}

/** A type of the definition, with everything its entities need at run time looked up in advance. */
export interface RuntimeType<D> {
  /** Position among the types of its kind, in document order. */
  readonly index: number;
  readonly key: string;
  readonly name: string;
  readonly definition: D;
  readonly attributes: AttributeLayout;
  readonly variables: VariableLayout;
  readonly states: readonly RuntimeState[];
  readonly stateIndex: ReadonlyMap<string, number>;
  /** The state that new entities have and that unknown state keys fall back to; -1 if the type has none. */
  readonly defaultState: number;
}

export type RuntimeUnitType = RuntimeType<UnitType>;
export type RuntimeItemType = RuntimeType<ItemType>;
export type RuntimeProjectileType = RuntimeType<ProjectileType>;
type RuntimePlayerType = RuntimeType<PlayerType>;

/** The types of one kind, by index and by key. */
export class TypeTable<D> {
  private readonly keys: readonly string[];
  private readonly made: (RuntimeType<D> | undefined)[];
  private readonly indices: ReadonlyMap<string, number>;

  /** `make` is called on the first use of each type, because most games have more types than they use. */
  constructor(
    keys: Iterable<string>,
    private readonly make: (key: string, index: number) => RuntimeType<D>,
  ) {
    this.keys = [...keys];
    this.made = this.keys.map(() => undefined);
    this.indices = new Map(this.keys.map((key, index) => [key, index]));
  }

  get(key: string): RuntimeType<D> | undefined {
    const index = this.indices.get(key);
    return index === undefined ? undefined : this.at(index);
  }

  /** The type with an index; undefined if the index is out of range. */
  at(index: number): RuntimeType<D> | undefined {
    return this.made[index] ?? this.first(index);
  }

  /** All types. Reading this property makes those that were not used before. */
  get list(): readonly RuntimeType<D>[] {
    return this.keys.map((_, index) => this.at(index)!);
  }

  private first(index: number): RuntimeType<D> | undefined {
    const key = this.keys[index];
    if (key === undefined) return undefined;
    const type = this.make(key, index);
    this.made[index] = type;
    return type;
  }
}

/** All types of a game by kind of entity. */
export interface TypeTables {
  readonly unit: TypeTable<UnitType>;
  readonly item: TypeTable<ItemType>;
  readonly projectile: TypeTable<ProjectileType>;
  readonly player: TypeTable<PlayerType>;
}

/** The members of `World` that the functions below need. */
interface Typed {
  readonly components: {
    readonly identity: { readonly kind: ArrayLike<number>; readonly type: ArrayLike<number> };
  };
  readonly types: TypeTables;
}

export type AnyRuntimeType = RuntimeUnitType | RuntimeItemType | RuntimeProjectileType | RuntimePlayerType;

/**
 * The type of a unit, item, projectile or player; undefined for entities of other kinds and for players without a type.
 * The function reads the row without checking the generation, so callers may pass a destroyed entity only while
 * `World.remembers` it.
 */
export function typeOf({ components, types }: Typed, entity: Entity): AnyRuntimeType | undefined {
  const row = rowOf(entity);
  const index = components.identity.type[row]!;
  if (index < 0) return undefined;
  switch (components.identity.kind[row]) {
    case Kind.unit:
      return types.unit.at(index);
    case Kind.item:
      return types.item.at(index);
    case Kind.projectile:
      return types.projectile.at(index);
    case Kind.player:
      return types.player.at(index);
    default:
      return undefined;
  }
}

// Like `typeOf`, for callers that know the kind of the entity. Every unit, item and projectile has a type; a player has
// none until a script assigns one.

export function unitTypeOf({ components, types }: Typed, unit: Entity): RuntimeUnitType {
  return types.unit.at(components.identity.type[rowOf(unit)]!)!;
}

export function itemTypeOf({ components, types }: Typed, item: Entity): RuntimeItemType {
  return types.item.at(components.identity.type[rowOf(item)]!)!;
}

export function projectileTypeOf({ components, types }: Typed, projectile: Entity): RuntimeProjectileType {
  return types.projectile.at(components.identity.type[rowOf(projectile)]!)!;
}

export function playerTypeOf({ components, types }: Typed, player: Entity): RuntimePlayerType | undefined {
  return types.player.at(components.identity.type[rowOf(player)]!);
}
