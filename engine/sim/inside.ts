import { peekGlobalSlot } from '../rules/entities/variable.ts';
import { admitToWatch, type JoinRefusal } from '../rules/players/admission.ts';
import type { JoinRequest } from '../rules/players/player.ts';
import { lateDataOf } from '../rules/players/saved-data.ts';
import type { ScriptWatcher } from '../script/context.ts';
import type { CompiledScript, SourceLocation } from '../script/program.ts';
import { type Entity, EntityRef, noEntity, rowOf } from '../world/entity.ts';
import type { OutputKind } from '../world/outbox.ts';
import type { TileMap } from '../world/tile-map.ts';
import { type TriggerType, triggerIndex, triggerTypes } from '../world/triggers.ts';
import { typeOf } from '../world/types.ts';
import { playerByClientId } from './input.ts';
import { insideOf, type Simulation } from './simulation.ts';

/** Why a person may not watch the game; undefined where it may. Nothing is changed. */
export function watchRefusal(sim: Simulation, request: JoinRequest): JoinRefusal | undefined {
  return admitToWatch(insideOf(sim).game, request);
}

/** Whether the data of a player's account is still to be brought (input `savedData`). */
export function awaitsSavedData(sim: Simulation, clientId: string): boolean {
  const { game } = insideOf(sim);
  const player = playerByClientId(game, clientId);
  return player !== noEntity && lateDataOf(game, player) !== undefined;
}

/** The texts of the screen that every new player is shown, by area: HTML as the game wrote it. */
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

/**
 * A value of a script as expressions have it: an entity, and each of a list of entities, as its handle. Other objects and lists are the game's own and
 * read only.
 */
export function valueWithHandles(sim: Simulation, value: unknown): unknown {
  if (value instanceof EntityRef) return insideOf(sim).handles.ofRef(value);
  if (!Array.isArray(value) || !value.some((each) => each instanceof EntityRef)) return value;
  return value.map((each: unknown) => valueWithHandles(sim, each));
}

/** The value of an entity's own variable, as `globalValue`. Undefined where it has no such variable, and for what is gone. */
export function ownValue(sim: Simulation, entity: Entity, name: string): unknown {
  const { world } = insideOf(sim);
  const set = world.exists(entity) ? world.components.variables[rowOf(entity)] : undefined;
  const slot = set?.layout.slots.get(name);
  return slot === undefined ? undefined : set!.values[slot];
}

/** The type of an entity, also of one that is gone and still remembered; undefined once it is forgotten, and for what has none. */
export function rememberedType(
  sim: Simulation,
  entity: Entity,
): { readonly key: string; readonly name: string } | undefined {
  const { world } = insideOf(sim);
  return world.remembers(entity) ? typeOf(world, entity) : undefined;
}

/** Exists, or is gone and still remembered by scripts. */
export function isRemembered(sim: Simulation, entity: Entity): boolean {
  return insideOf(sim).world.remembers(entity);
}

/** The map as it is now, in tiles. Read only. */
export function mapOf(sim: Simulation): TileMap {
  return insideOf(sim).world.map;
}

/** How often a trigger has fired since the game began. */
export function firedCount(sim: Simulation, trigger: TriggerType): number {
  return insideOf(sim).world.triggers.counts[triggerIndex(trigger)]!;
}

/** How many events of a kind were published since the game began. */
export function postedCount(sim: Simulation, kind: OutputKind): number {
  return insideOf(sim).world.outbox.counts.get(kind) ?? 0;
}

/** How often each script has run since the game began, by its number in the program. It goes on counting. */
export function scriptRuns(sim: Simulation): Float64Array {
  return insideOf(sim).runtime.runs;
}

/** How often things have happened since the game began. */
export interface PlayCounts {
  /** Actions, by their location in `scriptsIn(sim).locations`. It goes on counting. */
  readonly locations: Float64Array;
  /** Runs of scripts, by their place in `scriptsIn(sim).scripts`. It goes on counting. */
  readonly scripts: Float64Array;
  /** By type. */
  readonly actions: ReadonlyMap<string, number>;
  readonly triggers: ReadonlyMap<TriggerType, number>;
  readonly outputs: ReadonlyMap<OutputKind, number>;
}

export function playCounts(sim: Simulation): PlayCounts {
  const { world, runtime } = insideOf(sim);
  const { counts } = world.triggers;
  return {
    locations: runtime.counts,
    scripts: runtime.runs,
    actions: runtime.actionCounts(),
    triggers: new Map(triggerTypes.map((type, index) => [type, counts[index]!])),
    outputs: world.outbox.counts,
  };
}

/** The scripts of a simulation, and the locations of their actions. */
export interface ScriptsOfPlay {
  readonly scripts: readonly CompiledScript[];
  readonly locations: readonly SourceLocation[];
}

export function scriptsIn(sim: Simulation): ScriptsOfPlay {
  return insideOf(sim).runtime.program;
}

/** The action at a location, such as that of an output event; undefined for what no script caused. */
export function actionAt(sim: Simulation, location: number): SourceLocation | undefined {
  return insideOf(sim).runtime.program.location(location);
}

/** The location of the action that runs now; -1 where no script runs. */
export function currentLocation(sim: Simulation): number {
  return insideOf(sim).runtime.location;
}

/** Calls `watcher` for what scripts do from now on; undefined ends it. A simulation has one watcher. */
export function watchScripts(sim: Simulation, watcher: ScriptWatcher | undefined): void {
  insideOf(sim).runtime.watcher = watcher;
}

/** Whether a script of the game listens to a trigger. */
export function listensTo(sim: Simulation, trigger: TriggerType): boolean {
  return insideOf(sim).runtime.subscribed[triggerIndex(trigger)] === 1;
}

/** Actions that scripts have run in the last tick. */
export function actionsOfTick(sim: Simulation): number {
  const { world, runtime } = insideOf(sim);
  return world.limits.actionsPerTick - runtime.budget;
}

/** The states that an entity can be in, by key and name; none for what has no type. */
export function statesOf(sim: Simulation, entity: Entity): readonly { readonly key: string; readonly name: string }[] {
  const { world } = insideOf(sim);
  return world.exists(entity) ? (typeOf(world, entity)?.states ?? []) : [];
}
