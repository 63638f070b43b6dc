import { count, f64, flag, type Infer, json, optional, record, text, where } from '../schema/index.ts';
import { ref } from '../world/ref.ts';
import { payload } from '../world/triggers.ts';
import { ScriptContext } from './context.ts';
import type { Runtime } from './runtime.ts';

/** The members of a context beside its simulation. Contexts wait in timers and requests: with them snapshots keep what put-off actions see. */
export const contextState = record({
  self: count(),
  selfKind: count(),
  selfType: f64(),
  payload,
  selectedUnit: ref,
  selectedItem: ref,
  selectedProjectile: ref,
  selectedPlayer: ref,
  selectedRegion: where(
    json(),
    'no region',
    (region) => region === undefined || (typeof region === 'object' && region !== null),
  ),
  selectedDebris: ref,
  selectedEntity: ref,
  selectedUnitType: optional(text()),
  selectedItemType: optional(text()),
  selectedElement: json(),
  selectedElementKey: optional(text()),
  isBroken: flag(),
  shared: count(),
  roundsLeft: f64(),
  roundPauseMs: f64(),
});
type ContextState = Infer<typeof contextState>;

/** The compiler wants each member of a context to be declared, but for those of its runtime and of a list that runs. */
type Missing = Exclude<
  keyof ScriptContext,
  keyof ContextState | 'runtime' | 'game' | 'copy' | 'fault' | 'rounds' | 'round'
>;

/** The context that `state` was saved of. */
export function contextOf(runtime: Runtime, state: [Missing] extends [never] ? unknown : never): ScriptContext {
  return Object.assign(new ScriptContext(runtime), state as ContextState);
}
