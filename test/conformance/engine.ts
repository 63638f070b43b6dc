/** All that the players of recordings need of the inside of the engine. */
import type { Entity, ScriptWatcher, Simulation, StateView } from '../../engine/index.ts';
import { insideOf, type Program, viewIdentity, viewState, type World } from '../../engine/internal.ts';

export function viewOf(sim: Simulation): StateView {
  return viewState(insideOf(sim).world, insideOf(sim).game.physics);
}

export function faultsOf(sim: Simulation): string[] {
  return insideOf(sim)
    .world.faults.list()
    .map(({ at, code, message, count }) => `${at} ${code} ${message} (${count}x)`);
}

/** Runs by script key, scripts of the game and of types together; only what ran. */
export function scriptRunsOf(sim: Simulation): Map<string, number> {
  const { runtime } = insideOf(sim);
  const runs = new Map<string, number>();
  for (const { index, key } of runtime.program.scripts) {
    const count = runtime.runs[index]!;
    if (count > 0) runs.set(key, (runs.get(key) ?? 0) + count);
  }
  return runs;
}

/** Begun actions by type; only what ran. */
export function actionRunsOf(sim: Simulation): Map<string, number> {
  return insideOf(sim).runtime.actionCounts();
}

/** `<script>/actions/<path> (<type>)` of an action by its number in the program. */
export function actionText(program: Program, action: number): string | undefined {
  const location = program.location(action);
  return location && `${location.script.place}/actions/${location.path} (${location.type})`;
}

/** Watches scripts of a world whose simulation is still being built, once it has its runtime. The program must be one to be watched. */
export function watchScripts(world: World, watcher: ScriptWatcher): void {
  (world.triggers.port as unknown as { watcher: ScriptWatcher | undefined }).watcher = watcher;
}

export type RandomStream = ReturnType<World['random']['stream']>;

/** Replaces where all chance of one world comes from. */
export function replaceChance(world: World, stream: (name: string) => RandomStream): void {
  world.random.stream = stream;
}

export type Identity = NonNullable<ReturnType<typeof viewIdentity>>;

/** Labels and types of entities as they were last known: an entity can run scripts, or stand in a payload, after it was destroyed. */
export class Identities {
  private readonly known = new Map<Entity, Identity>();

  of(world: World, entity: Entity | undefined): Identity | undefined {
    if (entity === undefined) return undefined;
    const now = viewIdentity(world, entity);
    if (now !== undefined) this.known.set(entity, now);
    return now ?? this.known.get(entity);
  }
}
