import { isRecord } from '../../engine/core/index.ts';
import type { AnyHandle, PlayerHandle, Simulation } from '../../engine/index.ts';
import { type Effect, internalsOf, PersistenceLoaded, rowOf } from '../../engine/tools.ts';
import { idOf } from '../expression/index.ts';

/** The data of a player that the host saved in earlier games; undefined if there is none. */
export function savedOf(sim: Simulation, player: PlayerHandle): Readonly<Record<string, unknown>> | undefined {
  const saved = internalsOf(sim).world.components.account[rowOf(player.entity)]?.saved;
  return isRecord(saved) && Object.keys(saved).length > 0 ? saved : undefined;
}

/** Whether an effect restores the saved data of a player or a unit. */
export function isRestoring(effect: Effect): boolean {
  if (effect.does !== 'changes' || effect.aspect !== 'attribute') return false;
  return effect.may === true && (effect.of === 'player' || effect.of === 'unit');
}

/**
 * A line that says that a saved attribute or variable was not restored, if its saved value differs from the current
 * one.
 */
export function unrestoredLines(sim: Simulation, of: AnyHandle, key: string, value: unknown): readonly string[] {
  const player = of.kind === 'unit' ? of.owner : of;
  const saved = player?.kind === 'player' ? savedOf(sim, player)?.[of.kind] : undefined;
  const { world } = internalsOf(sim);
  if (!isRecord(saved)) return [];
  const parts = [saved['attributes'], saved['variables']].filter(isRecord);
  const found = parts.map(({ [key]: each }) => (isRecord(each) ? (each['value'] ?? each['default']) : each));
  const kept = found.find((each) => each !== undefined);
  if (kept === undefined || kept === value) return [];
  const why = world.has(of.entity, PersistenceLoaded)
    ? `the saved data was loaded when ${idOf(of)} did not have ${key} yet`
    : 'no script loaded the saved data';
  return [`${JSON.stringify(kept)} was saved as ${key} of ${idOf(player!)}, but ${why}.`];
}
