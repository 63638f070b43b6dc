import type { BodyType } from '../definition/body.ts';
import type { ItemType } from '../definition/item.ts';
import type { PlayerType } from '../definition/player.ts';
import type { ProjectileType } from '../definition/projectile.ts';
import type { UnitType } from '../definition/unit.ts';
import type { AttributeLayout } from './attribute.ts';
import type { VariableLayout } from './variable.ts';

export interface RuntimeState {
  readonly key: string;
  readonly name: string;
  /** False where the state says nothing about a body: the entity then keeps the one it has. */
  readonly namesBody: boolean;
  /** Undefined where the state names `none`, or a body the type does not have. */
  readonly body: BodyType | undefined;
}

/** A type of the definition with everything an entity of it needs at run time looked up once. */
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
  /** The state that new entities have and that unknown state keys fall back to; -1 where the type has none. */
  readonly defaultState: number;
}

export type RuntimeUnitType = RuntimeType<UnitType>;
export type RuntimeItemType = RuntimeType<ItemType>;
export type RuntimeProjectileType = RuntimeType<ProjectileType>;
export type RuntimePlayerType = RuntimeType<PlayerType>;

/** The types of one kind, by index and by key. */
export class TypeTable<D> {
  readonly list: readonly RuntimeType<D>[];
  private readonly byKey: ReadonlyMap<string, RuntimeType<D>>;

  constructor(list: readonly RuntimeType<D>[]) {
    this.list = list;
    this.byKey = new Map(list.map((type) => [type.key, type]));
  }

  get(key: string): RuntimeType<D> | undefined {
    return this.byKey.get(key);
  }
}
