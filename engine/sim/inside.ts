import { peekGlobalSlot } from '../rules/entities/variable.ts';
import { admitToWatch, type JoinRefusal } from '../rules/players/admission.ts';
import type { JoinRequest } from '../rules/players/player.ts';
import type { Entity } from '../world/entity.ts';
import { typeOf } from '../world/types.ts';
import { insideOf, type Simulation } from './simulation.ts';

/** Why a person may not watch the game; undefined where it may. Nothing is changed. */
export function watchRefusal(sim: Simulation, request: JoinRequest): JoinRefusal | undefined {
  return admitToWatch(insideOf(sim).game, request);
}

/** The texts of the screen that every newcomer is shown, by area: HTML as the game wrote it. */
export function lastingTexts(sim: Simulation): ReadonlyMap<string, string> {
  return insideOf(sim).world.shown.uiTexts;
}

/**
 * The value of a global variable itself; `Simulation.variable` gives a copy with handles. An entity is its `EntityRef`. Objects and lists are the
 * game's own and read only. Undefined where no variable has the name.
 */
export function globalValue(sim: Simulation, name: string): unknown {
  const { world } = insideOf(sim);
  const slot = world.globals.layout.slots.get(name);
  return slot === undefined ? undefined : peekGlobalSlot(world, slot);
}

/** The states that an entity can be in, by key and name; none for what has no type. */
export function statesOf(sim: Simulation, entity: Entity): readonly { readonly key: string; readonly name: string }[] {
  const { world } = insideOf(sim);
  return world.exists(entity) ? (typeOf(world, entity)?.states ?? []) : [];
}
