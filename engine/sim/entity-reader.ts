import type { RegionState } from '../components/region.ts';
import type { Physics } from '../physics/physics.ts';
import { pixelsPerMetre } from '../physics/scale.ts';
import { attributeRow } from '../rules/entities/attribute.ts';
import { type Entity, Kind, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { internalsOf, type Simulation } from './simulation.ts';

/**
 * Reads entities by their numbers without handles or allocations, for callers that read many of them in every tick.
 * Unless stated otherwise, the entity must exist and be of a kind that has the property; the methods do not check this.
 */
export class EntityReader {
  private readonly world: World;
  private readonly physics: Physics;

  constructor(sim: Simulation) {
    const { world, game } = internalsOf(sim);
    this.world = world;
    this.physics = game.physics;
  }

  /**
   * All entities of a kind, oldest first; the list may contain entities that no longer exist. Valid until the next
   * tick.
   */
  all(kind: Exclude<Kind, 'none'>): readonly Entity[] {
    return this.world.lists[Kind[kind]]!.entries;
  }

  exists(entity: Entity): boolean {
    return this.world.exists(entity);
  }

  is(entity: Entity, kind: Exclude<Kind, 'none'>): boolean {
    return this.world.is(entity, Kind[kind]);
  }

  /** The id of an entity; undefined if the entity no longer exists. */
  idOf(entity: Entity): string | undefined {
    return this.world.ref(entity)?.id;
  }

  /** Position of the centre, px. */
  x(entity: Entity): number {
    return this.world.components.transform.x[rowOf(entity)]!;
  }

  y(entity: Entity): number {
    return this.world.components.transform.y[rowOf(entity)]!;
  }

  /** The velocity of the entity's body, px per second; 0 without a body. */
  velocityX(entity: Entity): number {
    return this.physics.velocityX(entity) * pixelsPerMetre;
  }

  velocityY(entity: Entity): number {
    return this.physics.velocityY(entity) * pixelsPerMetre;
  }

  isHidden(entity: Entity): boolean {
    return this.world.components.visibility.hidden[rowOf(entity)] === 1;
  }

  /** The owner of an entity; 0 if it has none. */
  owner(entity: Entity): Entity {
    return this.world.ownerOf(entity);
  }

  /** The index of the entity's type among the types of its kind, in the order of the definition. */
  typeIndex(entity: Entity): number {
    return this.world.components.identity.type[rowOf(entity)]!;
  }

  /** The index of the entity's state among the states of its type; -1 if it has none. */
  stateIndex(entity: Entity): number {
    return this.world.components.identity.state[rowOf(entity)]!;
  }

  /** Whether a person or a bot controls the player. */
  isHuman(player: Entity): boolean {
    return this.world.isHuman(player);
  }

  /** The item in a slot of a unit, counted from 0; 0 if the slot is empty. */
  itemIn(unit: Entity, slot: number): Entity {
    const item = this.world.inventoryOf(unit).slots[slot];
    return item !== undefined && this.world.exists(item) ? item : noEntity;
  }

  /** The player with a client id; 0 if it is not in the game. */
  playerOf(clientId: string): Entity {
    return this.world.playerOf(clientId);
  }

  selectedUnit(player: Entity): Entity {
    return this.world.selectedUnitOf(player);
  }

  /**
   * The key of the shop from which the player can buy, even after its window was closed; undefined before the first
   * shop.
   */
  openShop(player: Entity): string | undefined {
    return this.world.components.page[rowOf(player)]?.shop;
  }

  /** The value of an attribute; undefined if the entity's type has no such attribute. */
  attribute(entity: Entity, key: string): number | undefined {
    const row = attributeRow(this.world, entity, key);
    return row < 0 ? undefined : this.world.attributes.value[row]!;
  }

  /** The name, top-left corner and size of a region, px; undefined if the region no longer exists. */
  region(entity: Entity): Readonly<RegionState> | undefined {
    return this.world.exists(entity) ? this.world.components.region[rowOf(entity)] : undefined;
  }
}
