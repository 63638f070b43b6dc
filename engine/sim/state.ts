import type { GraphAdapters } from '../core/graph.ts';
import { physicsState, savePhysics } from '../physics/state.ts';
import type { Game } from '../rules/game.ts';
import { count, type Infer, list, record } from '../schema/index.ts';
import { contextState } from '../script/context-state.ts';
import { refAdapter } from '../world/ref.ts';
import { stateOfWorld, worldState } from '../world/snapshot.ts';
import { type Input, input } from './input.ts';

/** Everything that influences the future of a simulation: what a snapshot holds, and what is compared when two runs part. */
export const simulationState = record({
  world: worldState(contextState),
  physics: physicsState,
  /** Handed over and not yet in effect. */
  inputs: list(input),
  /** Players that joined without a client id of their own. */
  joined: count(),
});
export type SimulationState = Infer<typeof simulationState>;

/** The classes of which objects can stand in what scripts remember. */
export const stateAdapters: GraphAdapters = [refAdapter];

/** Live parts where there are such, copies where planck keeps its own: good until the next tick. */
export function stateOf(game: Game, inputs: readonly Input[], joined: number): SimulationState {
  const world = stateOfWorld(game.world);
  return { world, physics: savePhysics(game.physics, world.entities.rowsUsed), inputs, joined } as SimulationState;
}
