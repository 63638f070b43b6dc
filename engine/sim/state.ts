import type { GraphAdapters } from '../core/graph.ts';
import { type PhysicsState, savePhysics } from '../physics/state.ts';
import type { Game } from '../rules/game.ts';
import { contextAdapter } from '../script/context-adapter.ts';
import type { Runtime } from '../script/runtime.ts';
import { definitionPartAdapter } from '../world/definition-parts.ts';
import { refAdapter, type WorldState, worldState } from '../world/snapshot.ts';
import type { Input } from './input.ts';

/** Everything that influences the future of a simulation, as a graph: what a snapshot holds, and what is compared when two runs part. */
export interface SimulationState {
  readonly world: WorldState;
  readonly physics: PhysicsState;
  /** Handed over and not yet in effect. */
  readonly inputs: readonly Input[];
  /** Players that joined without a client id of their own. */
  readonly joined: number;
}

/** Live parts where there are such, copies where planck keeps its own: good until the next tick. */
export function simulationState(game: Game, inputs: readonly Input[], joined: number): SimulationState {
  const world = worldState(game.world);
  return { world, physics: savePhysics(game.physics, world.rowsUsed), inputs, joined };
}

/** The classes of which there are objects in a state. */
export function stateAdapters(game: Game, runtime: Runtime): GraphAdapters {
  return [definitionPartAdapter(game.world), refAdapter, contextAdapter(runtime)];
}
