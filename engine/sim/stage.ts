import { createProjectile } from '../rules/combat/projectile.ts';
import { announceCreated } from '../rules/entities/announce.ts';
import { attributeRow, updateAttribute } from '../rules/entities/attribute.ts';
import { destroyEntity } from '../rules/entities/destroy.ts';
import { setState } from '../rules/entities/state.ts';
import { refById, writeGlobal, writeVariable } from '../rules/entities/variable.ts';
import { createItem } from '../rules/items/item.ts';
import { giveItem } from '../rules/items/pick-up.ts';
import { createUnit } from '../rules/lifecycle/create-unit.ts';
import { changeUnitType } from '../rules/lifecycle/unit-type.ts';
import { assignPlayerType } from '../rules/players/player.ts';
import { type Entity, Kind, noEntity, rowOf } from '../world/entity.ts';
import type { Payload } from '../world/triggers.ts';
import type { Simulation } from './simulation.ts';

export interface Placed {
  /** Key of a type. */
  readonly type: string;
  /** px, centre. */
  readonly x: number;
  readonly y: number;
  /** Radians, 0 up, clockwise. Default 0. */
  readonly angle?: number | undefined;
}

/**
 * Arranges a world between two ticks, as the scripts of the game could: for tests, tools and the situations they begin with. None of this is
 * an input, so a recorded play knows nothing of it. Everything gives 0 or false when there is no such thing; nothing throws.
 */
export class Stage {
  private readonly sim: Simulation;

  constructor(sim: Simulation) {
    this.sim = sim;
  }

  /** `owner` is a player, 0 for nobody. */
  createUnit({ type, x, y, angle = 0 }: Placed, owner: Entity): Entity {
    const { game } = this.sim;
    const found = game.world.types.unit.get(type);
    return found === undefined ? noEntity : this.act(() => createUnit(game, { type: found, owner, x, y, angle }));
  }

  /** An item that lies in the world. */
  createItem({ type, x, y, angle = 0 }: Placed, quantity?: number): Entity {
    const { game } = this.sim;
    if (game.world.types.item.get(type) === undefined) return noEntity;
    return this.act(() => {
      const item = createItem(game, { type, x, y, angle, quantity });
      if (game.world.exists(item)) announceCreated(game, item);
      return item;
    });
  }

  /** A projectile at rest; `source` is the unit that is to have made it, 0 for none. */
  createProjectile({ type, x, y, angle = 0 }: Placed, source: Entity): Entity {
    const { game } = this.sim;
    if (game.world.types.projectile.get(type) === undefined) return noEntity;
    return this.act(() => {
      const projectile = createProjectile(game, { type, x, y, angle, sourceUnit: source });
      if (game.world.exists(projectile)) announceCreated(game, projectile);
      return projectile;
    });
  }

  /** False when the unit may not carry it or has no room. */
  giveItem(unit: Entity, type: string, quantity?: number): boolean {
    const { game } = this.sim;
    const found = game.world.types.item.get(type);
    if (found === undefined || !game.world.is(unit, Kind.unit)) return false;
    return this.act(() => giveItem(game, unit, { type: found, quantity }));
  }

  destroy(entity: Entity): void {
    this.act(() => destroyEntity(this.sim.game, entity));
  }

  /** px. */
  move(entity: Entity, x: number, y: number): void {
    this.sim.game.physics.moveTo(entity, x, y);
  }

  /** Clamped to the attribute's bounds, and told to the scripts where it reaches one. */
  setAttribute(entity: Entity, key: string, value: number): boolean {
    return this.act(() => updateAttribute(this.sim.game, entity, key, value));
  }

  hasAttribute(entity: Entity, key: string): boolean {
    return attributeRow(this.sim.world, entity, key) >= 0;
  }

  /** Any value fits a global variable. */
  setGlobal(name: string, value: unknown): boolean {
    return writeGlobal(this.sim.world, name, value);
  }

  /** A variable of an entity or player, which takes only what fits its type. */
  setVariable(entity: Entity, key: string, value: unknown): 'stored' | 'no-such-variable' | 'type-mismatch' {
    if (!this.sim.world.exists(entity)) return 'no-such-variable';
    return writeVariable(this.sim.world, entity, key, value);
  }

  /** The type of a unit or of a player. */
  setType(entity: Entity, key: string): boolean {
    const { game } = this.sim;
    const { world } = game;
    if (world.is(entity, Kind.player)) return this.act(() => assignPlayerType(game, entity, key));
    const type = world.types.unit.get(key);
    if (type === undefined || !world.is(entity, Kind.unit)) return false;
    this.act(() => changeUnitType(game, entity, type));
    return true;
  }

  setState(entity: Entity, key: string): void {
    if (this.sim.world.exists(entity)) this.act(() => setState(this.sim.game, entity, key));
  }

  /** A script by its key, as if `payload` had started it: the entity's own first, then the game's. False when there is none. */
  runScript(key: string, entity: Entity, payload: Payload): boolean {
    return this.act(() => this.sim.runtime.runScript(key, entity, payload));
  }

  /** The living entity under the id that people see (`u1`, `i2`, `p1`); 0 for none. */
  entity(id: string): Entity {
    return refById(this.sim.world, id)?.entity ?? noEntity;
  }

  /** A unit's player, an item's carrier, a projectile's shooter; 0 for none. */
  ownerOf(entity: Entity): Entity {
    const { world } = this.sim;
    return world.exists(entity) ? world.components.identity.owner[rowOf(entity)]! : noEntity;
  }

  /** Scripts that run between ticks have a budget of their own. */
  private act<T>(work: () => T): T {
    this.sim.runtime.startTick();
    return work();
  }
}
