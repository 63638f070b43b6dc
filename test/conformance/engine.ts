/** The internals of the engine that the players of recordings need. */
import type { Entity, ScriptObserver, Simulation, StateView } from '../../engine/index.ts';
import { viewState } from '../../engine/sim/view.ts';
import { internalsOf, type Program, viewIdentity, type World } from '../../engine/tools.ts';

export function viewOf(sim: Simulation): StateView {
  return viewState(internalsOf(sim).world, internalsOf(sim).game.physics);
}

export function faultsOf(sim: Simulation): string[] {
  return internalsOf(sim)
    .world.faults.list()
    .map(({ at, code, message, count }) => `${at} ${code} ${message} (${count}x)`);
}

/** How often each script ran, by key, over global scripts and those of types. Scripts that did not run are left out. */
export function scriptRunsOf(sim: Simulation): Map<string, number> {
  const { runtime } = internalsOf(sim);
  const runs = new Map<string, number>();
  for (const { index, key } of runtime.program.scripts) {
    const count = runtime.runs[index]!;
    if (count > 0) runs.set(key, (runs.get(key) ?? 0) + count);
  }
  return runs;
}

/** How many actions of each type were started. Types that did not run are left out. */
export function actionRunsOf(sim: Simulation): Map<string, number> {
  return internalsOf(sim).runtime.actionCounts();
}

/** `<script>/actions/<path> (<type>)` of the action with a number in the program. */
export function actionText(program: Program, action: number): string | undefined {
  const location = program.location(action);
  return location && `${location.script.place}/actions/${location.path} (${location.type})`;
}

/**
 * Starts to watch the scripts of a world as soon as its runtime exists, while its simulation is still being built. The
 * program must have been compiled to be watched.
 */
export function observeScripts(world: World, observer: ScriptObserver): void {
  (world.triggers.port as unknown as { observer: ScriptObserver | undefined }).observer = observer;
}

export type RandomStream = ReturnType<World['random']['stream']>;

/** Replaces the source of all random numbers of a world. */
export function replaceChance(world: World, stream: (name: string) => RandomStream): void {
  world.random.stream = stream;
}

export type Identity = NonNullable<ReturnType<typeof viewIdentity>>;

/**
 * Last known labels and types of entities, because an entity can run scripts, or be in a payload, after it was
 * destroyed.
 */
export class Identities {
  private readonly known = new Map<Entity, Identity>();

  of(world: World, entity: Entity | undefined): Identity | undefined {
    if (entity === undefined) return undefined;
    const now = viewIdentity(world, entity);
    if (now !== undefined) this.known.set(entity, now);
    return now ?? this.known.get(entity);
  }
}
