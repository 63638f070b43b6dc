import type { Dictionary } from '../core/plain-object.ts';
import { peekGlobalSlot } from '../rules/entities/variable.ts';
import { admitToWatch, type JoinRefusal } from '../rules/players/admission.ts';
import type { JoinRequest } from '../rules/players/player.ts';
import type { CompiledScript, SourceLocation } from '../script/program.ts';
import type { ScriptObserver } from '../script/running/context.ts';
import { type Entity, EntityRef, noEntity, rowOf } from '../world/entity.ts';
import type { OutputKind } from '../world/outbox.ts';
import type { TileMap } from '../world/tile-map.ts';
import type { Timers } from '../world/timer.ts';
import { isEntityMember, type Payload, type PayloadKey, type TriggerType, triggersOf } from '../world/triggers.ts';
import { typeOf } from '../world/types.ts';
import type { Edit } from './editor.ts';
import type { Input } from './input.ts';
import { internalsOf, type Simulation } from './simulation.ts';

/** Why a person may not watch the game; undefined if allowed. Changes nothing. */
export function spectatorRefusal(sim: Simulation, request: JoinRequest): JoinRefusal | undefined {
  return admitToWatch(internalsOf(sim).game, request);
}

/** The host's data about the person behind a player. */
export function personOf(
  sim: Simulation,
  clientId: string,
): { readonly ip: string | undefined; readonly isMuted: boolean } {
  const { game } = internalsOf(sim);
  const { components } = game.world;
  const player = game.world.playerOf(clientId);
  if (player === noEntity) return { ip: undefined, isMuted: false };
  const row = rowOf(player);
  return { ip: components.account[row]?.ip, isMuted: components.chat[row]?.isMuted === true };
}

/**
 * Queues an input that a client sent or a journal recorded. Throws only if the input is malformed; `Simulation.input`
 * also rejects likely mistakes of the caller.
 */
export function inputUnchecked(sim: Simulation, input: Input): void {
  internalsOf(sim).queue(input);
}

/** Repeats a change that a journal recorded. Throws `UsageError` if the change is impossible in this simulation. */
export function applyEdit(sim: Simulation, { change: [method, ...args] }: Edit): void {
  Reflect.apply(sim.edit[method], sim.edit, internalsOf(sim).handles.ofRecorded(args) as readonly unknown[]);
}

/** The HTML, unsanitised, that is shown to every new player, by area of the screen. */
export function persistentTexts(sim: Simulation): ReadonlyMap<string, string> {
  return internalsOf(sim).world.shown.uiTexts;
}

/**
 * The value of a global variable without copying it (`Simulation.variable` returns a copy with handles). Entities are
 * `EntityRef`s; objects and lists are live and must not be changed. Undefined if there is no such variable.
 */
export function globalValue(sim: Simulation, name: string): unknown {
  const { world } = internalsOf(sim);
  const slot = world.globals.layout.slots.get(name);
  return slot === undefined ? undefined : peekGlobalSlot(world, slot);
}

/**
 * Converts a script value for expressions: an entity, or each entity in a list, becomes its handle. Other objects and
 * lists are live and must not be changed.
 */
export function valueWithHandles(sim: Simulation, value: unknown): unknown {
  if (value instanceof EntityRef) return internalsOf(sim).handles.ofRef(value);
  if (!Array.isArray(value) || !value.some((each) => each instanceof EntityRef)) return value;
  return value.map((each: unknown) => valueWithHandles(sim, each));
}

/**
 * The members of a payload by name. The declaration decides which of them are entities: these become handles, or
 * undefined if the world has forgotten the entity. Values that the host provided stay plain values.
 */
export function decodePayload(sim: Simulation, { host, ...members }: Payload): Dictionary {
  const found: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(members)) {
    if (value !== undefined) found[member] = isEntityMember(member as PayloadKey) ? sim.handle(value as Entity) : value;
  }
  return { ...found, ...host };
}

/**
 * Like `globalValue`, for a variable of an entity. Undefined if there is no such variable or the entity no longer
 * exists.
 */
export function entityVariable(sim: Simulation, entity: Entity, name: string): unknown {
  const { world } = internalsOf(sim);
  const set = world.exists(entity) ? world.components.variables[rowOf(entity)] : undefined;
  const slot = set?.layout.slots.get(name);
  return slot === undefined ? undefined : set!.values[slot];
}

/**
 * The type of an entity, also after the destruction of the entity while the world remembers it; undefined after that,
 * or if the entity has no type.
 */
export function rememberedType(
  sim: Simulation,
  entity: Entity,
): { readonly key: string; readonly name: string } | undefined {
  const { world } = internalsOf(sim);
  return world.remembers(entity) ? typeOf(world, entity) : undefined;
}

/** Whether an entity exists, or was destroyed but can still be read; see `World.remembers`. */
export function isRemembered(sim: Simulation, entity: Entity): boolean {
  return internalsOf(sim).world.remembers(entity);
}

/** The current map. Must not be changed. */
export function mapOf(sim: Simulation): TileMap {
  return internalsOf(sim).world.map;
}

/** The pending timers of scripts. Must not be changed. */
export function timersOf(sim: Simulation): Timers {
  return internalsOf(sim).world.timers;
}

/** The number of times that a trigger has fired since this simulation was created, restored or forked. */
export function firedCount(sim: Simulation, trigger: TriggerType): number {
  return internalsOf(sim).world.triggers.counts[triggersOf(sim.definition).index(trigger)]!;
}

/** Counts since the simulation was created, restored or forked. The arrays and `outputs` are live. */
export interface PlayCounts {
  /** Executed actions, by index in `scriptsIn(sim).locations`. */
  readonly locations: Float64Array;
  /** Runs of scripts, by index in `scriptsIn(sim).scripts`. */
  readonly scripts: Float64Array;
  /** Executed actions, by type. */
  readonly actions: ReadonlyMap<string, number>;
  readonly triggers: ReadonlyMap<TriggerType, number>;
  readonly outputs: ReadonlyMap<OutputKind, number>;
}

/**
 * Counts how often scripts and actions have run, triggers have fired and output events were published since the
 * simulation was created, restored or forked.
 *
 * @experimental
 */
export function playCounts(sim: Simulation): PlayCounts {
  const { world, runtime } = internalsOf(sim);
  const { counts } = world.triggers;
  return {
    locations: runtime.counts,
    scripts: runtime.runs,
    get actions() {
      return runtime.actionCounts();
    },
    get triggers() {
      return new Map(triggersOf(sim.definition).types.map((type, index) => [type, counts[index]!]));
    },
    outputs: world.outbox.counts,
  };
}

/** The scripts of a simulation, and the locations of their actions. */
export interface ScriptsOfPlay {
  readonly scripts: readonly CompiledScript[];
  readonly locations: readonly SourceLocation[];
}

/**
 * The scripts of a simulation and the locations of their actions, which `playCounts` refers to by index.
 *
 * @experimental
 */
export function scriptsIn(sim: Simulation): ScriptsOfPlay {
  return internalsOf(sim).runtime.program;
}

/** The source location with a number, such as that of an output event; undefined if no script is involved. */
export function actionAt(sim: Simulation, location: number): SourceLocation | undefined {
  return internalsOf(sim).runtime.program.location(location);
}

/** The location of the running action; -1 if no script is running. */
export function currentLocation(sim: Simulation): number {
  return internalsOf(sim).runtime.location;
}

/**
 * Sets the observer, which is called for every script and action that runs from now on; undefined removes it. A
 * simulation has at most one observer.
 *
 * @experimental
 */
export function observeScripts(sim: Simulation, observer: ScriptObserver | undefined): void {
  internalsOf(sim).runtime.observer = observer;
}

/** Whether a script of the game listens to a trigger. */
export function listensTo(sim: Simulation, trigger: TriggerType): boolean {
  return internalsOf(sim).runtime.subscribed[triggersOf(sim.definition).index(trigger)] === 1;
}

/** Number of actions that scripts ran in the last tick. */
export function actionsOfTick(sim: Simulation): number {
  const { world, runtime } = internalsOf(sim);
  return world.limits.actionsPerTick - runtime.budget;
}

/** Keys and names of the states that an entity can be in; empty if it has no type. */
export function statesOf(sim: Simulation, entity: Entity): readonly { readonly key: string; readonly name: string }[] {
  const { world } = internalsOf(sim);
  return world.exists(entity) ? (typeOf(world, entity)?.states ?? []) : [];
}
