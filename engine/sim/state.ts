import { refAdapter } from '../components/handle.ts';
import type { GraphAdapters } from '../core/graph.ts';
import { physicsState, savePhysics } from '../physics/state.ts';
import type { Game } from '../rules/game.ts';
import { count, hashOf, type Infer, list, outsideHash, record } from '../schema/index.ts';
import { contextState } from '../script/running/context.ts';
import { partsOf } from '../world/definition-parts.ts';
import { stateOfWorld, worldState } from '../world/snapshot.ts';
import { type Input, input } from './input.ts';

/**
 * Everything that influences the future of a simulation: the content of snapshots, and what is compared when two runs
 * diverge.
 */
export const simulationState = record({
  world: worldState(contextState),
  physics: physicsState,
  /** Pending inputs. */
  inputs: outsideHash(list(input)),
  /** The number of players who have joined without a client id, from which the id of the next one is made. */
  joined: outsideHash(count()),
});
export type SimulationState = Infer<typeof simulationState>;

/** Adapters that save the class instances which can occur in script values. */
export const stateAdapters: GraphAdapters = [refAdapter];

/**
 * The state of a game, valid until the next tick, because it refers to live data. Only the bodies, contacts and tree of
 * physics are copies.
 */
export function stateOf({ world, physics }: Game, inputs: readonly Input[], joined: number): SimulationState {
  const state = { world: stateOfWorld(world), physics: savePhysics(physics, world.entities.rowsUsed), inputs, joined };
  return state as SimulationState;
}

/**
 * A hash of everything that can influence the future except pending inputs, as 16 hexadecimal digits. Throws
 * `TooManyBytes` if the state has more than `bytesMax` bytes.
 */
export function hashOfGame(game: Game, bytesMax: number): string {
  return hashOf(simulationState, stateOf(game, [], 0), partsOf(game.world), stateAdapters, bytesMax);
}
