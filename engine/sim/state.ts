import { refAdapter } from '../components/handle.ts';
import type { GraphAdapters } from '../core/graph.ts';
import { physicsState, savePhysics } from '../physics/state.ts';
import type { Game } from '../rules/game.ts';
import { count, hashOf, type Infer, list, record, uncounted } from '../schema/index.ts';
import { contextState } from '../script/context.ts';
import { partsOf } from '../world/definition-parts.ts';
import { stateOfWorld, worldState } from '../world/snapshot.ts';
import { type Input, input } from './input.ts';

/** Everything that influences the future of a simulation: what a snapshot holds, and what is compared when two runs part. */
export const simulationState = record({
  world: worldState(contextState),
  physics: physicsState,
  /** Handed over and not yet in effect. */
  inputs: uncounted(list(input)),
  /** Players that joined without a client id of their own. */
  joined: uncounted(count()),
});
export type SimulationState = Infer<typeof simulationState>;

/** The classes of which objects can stand in what scripts remember. */
export const stateAdapters: GraphAdapters = [refAdapter];

/** Live parts where there are such, copies where planck keeps its own: good until the next tick. */
export function stateOf({ world, physics }: Game, inputs: readonly Input[], joined: number): SimulationState {
  const state = { world: stateOfWorld(world), physics: savePhysics(physics, world.entities.rowsUsed), inputs, joined };
  return state as SimulationState;
}

/** 16 hexadecimal digits over everything that can influence the future, except for what is not yet in effect. */
export function hashOfGame(game: Game): string {
  return hashOf(simulationState, stateOf(game, [], 0), partsOf(game.world), stateAdapters);
}
