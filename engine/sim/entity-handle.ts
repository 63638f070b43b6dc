import { UsageError } from '../core/usage-error.ts';
import { attributeRow } from '../rules/entities/attribute.ts';
import { readVariable } from '../rules/entities/variable.ts';
import { type Entity, type EntityRef, type Kind, noEntity, rowOf } from '../world/entity.ts';
import { type AnyRuntimeType, typeOf } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { requireAttribute, requireVariable } from './known-names.ts';

/** The members of `Handles` that every handle needs. */
export interface HandleSource {
  readonly world: World;
  /** Converts a script value for programs: a deep copy with handles in place of entities. */
  outward(value: unknown): unknown;
}

/**
 * A read-only reference to an entity. It always reads the current state, also in the middle of a tick. Each entity has
 * exactly one handle, so handles can be compared with `===`. Once the entity is gone, `exists` is false, and members
 * that read the state of the entity throw `UsageError` (`entity-gone`); `id`, `kind` and `entity` remain readable.
 */
export abstract class EntityHandle<H extends HandleSource = HandleSource> {
  abstract readonly kind: Exclude<Kind, 'none'>;
  /** Private at run time, so that code that prints or compares a handle does not walk the whole world. */
  readonly #handles: H;

  constructor(
    handles: H,
    /** The entity; undefined only for a player that has not joined yet. */
    protected ref: EntityRef | undefined,
  ) {
    this.#handles = handles;
  }

  protected get handles(): H {
    return this.#handles;
  }

  protected get world(): World {
    return this.#handles.world;
  }

  protected get components(): World['components'] {
    return this.world.components;
  }

  /** The entity's number, as used in events; see `Simulation.handle`. */
  get entity(): Entity {
    return this.ref?.entity ?? noEntity;
  }

  /**
   * The id for people and scripts: `u1` for a unit, `i1` for an item, `b1` for a projectile, `r:<variable>` for a
   * region; for a player, its client id or `p1`.
   */
  get id(): string {
    if (this.ref === undefined) throw this.gone();
    return this.ref.id;
  }

  get exists(): boolean {
    return this.isThere;
  }

  private get isThere() {
    const { entity } = this;
    return entity !== noEntity && this.world.ref(entity) === this.ref;
  }

  /**
   * The key of the entity's type; undefined if the entity has no type, like regions, debris, and players before a
   * script assigns one.
   */
  get type(): string | undefined {
    return this.runtimeType?.key;
  }

  /** The display name of the entity's type. */
  get typeName(): string | undefined {
    return this.runtimeType?.name;
  }

  /**
   * The value of an attribute; undefined if the entity's type has no such attribute. Throws `UsageError` if no type of
   * the game has an attribute with this key.
   */
  attribute(key: string): number | undefined {
    const at = this.attributeRow(key);
    return at < 0 ? undefined : this.world.attributes.value[at]!;
  }

  /** The current bounds of an attribute; undefined if the entity's type has no such attribute. */
  attributeBounds(key: string): { readonly min: number; readonly max: number } | undefined {
    const at = this.attributeRow(key);
    const { min, max } = this.world.attributes;
    return at < 0 ? undefined : { min: min[at]!, max: max[at]! };
  }

  /** The keys and values of all attributes of the entity, in the order of its type. */
  get attributes(): { readonly [key: string]: number } {
    const keys = this.runtimeType?.attributes.keys ?? [];
    return Object.fromEntries(keys.map((key) => [key, this.attribute(key)!]));
  }

  /**
   * The value of a variable of the entity, with handles in place of entities; undefined if the variable has no value or
   * the entity's type has no such variable.
   */
  variable(key: string): unknown {
    this.demandExistence();
    const layout = this.components.variables[rowOf(this.entity)]?.layout;
    if (layout?.slots.has(key) !== true) requireVariable(this.world, key);
    return this.handles.outward(readVariable(this.world, this.entity, key));
  }

  /** Whether the entity has a variable of this name, with or without a value. */
  hasVariable(key: string): boolean {
    return this.components.variables[this.row]?.layout.slots.has(key) ?? false;
  }

  /** The names and values of all variables of the entity. */
  get variables(): { readonly [key: string]: unknown } {
    const row = this.row;
    const names = this.components.variables[row]?.layout.names ?? [];
    return Object.fromEntries(names.map((name) => [name, this.variable(name)]));
  }

  /** The id, for messages; the kind if there is no id yet. */
  toString(): string {
    return this.ref?.id ?? this.kind;
  }

  /** The form in which views write the entity, such as `@u1`. */
  toJSON(): string {
    return `@${this.toString()}`;
  }

  /** Whether the handle belongs to the same simulation as `handles`. */
  isOf(handles: HandleSource): boolean {
    const own: HandleSource = this.#handles;
    return own === handles;
  }

  /** Throws once the entity is gone. */
  demandExistence(): void {
    if (!this.isThere) throw this.gone();
  }

  protected gone(): UsageError {
    return new UsageError(
      'entity-gone',
      `The ${this.kind} ${this} no longer exists. Check \`exists\` before you use its handle.`,
    );
  }

  /** The row of the entity's components. Throws once the entity is gone. */
  protected get row(): number {
    this.demandExistence();
    return rowOf(this.entity);
  }

  protected get runtimeType(): AnyRuntimeType | undefined {
    this.demandExistence();
    return typeOf(this.world, this.entity);
  }

  private attributeRow(key: string): number {
    this.demandExistence();
    const at = attributeRow(this.world, this.entity, key);
    if (at < 0) requireAttribute(this.world, key);
    return at;
  }
}
