import { peekGlobalSlot } from '../rules/entities/variable.ts';
import type { Entity } from '../world/entity.ts';
import { typeOf } from '../world/types.ts';
import type { Simulation } from './simulation.ts';

/**
 * The value of a global variable itself, where `Simulation.variable` gives a copy with handles: an entity is its `EntityRef`, objects and lists are
 * the game's own and read only. Undefined where no variable has the name.
 */
export function globalValue({ world }: Simulation, name: string): unknown {
  const slot = world.globals.layout.slots.get(name);
  return slot === undefined ? undefined : peekGlobalSlot(world, slot);
}

/** The states that an entity can be in, by key and name; none for what has no type. */
export function statesOf(
  { world }: Simulation,
  entity: Entity,
): readonly { readonly key: string; readonly name: string }[] {
  return world.exists(entity) ? (typeOf(world, entity)?.states ?? []) : [];
}
