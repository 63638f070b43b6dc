import { refAdapter } from '../components/handle.ts';
import type { GraphAdapters } from '../core/graph.ts';
import { PhysicsSaver, physicsState } from '../physics/state.ts';
import type { Game } from '../rules/game.ts';
import { count, type Infer, list, record, StateDigest, uncounted } from '../schema/index.ts';
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

/** Takes the state of a game, and its hash. Memory is reused by each call. */
export class StateSource {
  private readonly game: Game;
  private readonly physics: PhysicsSaver;
  private readonly digest: StateDigest;

  constructor(game: Game) {
    this.game = game;
    this.physics = new PhysicsSaver(game.physics);
    this.digest = new StateDigest(partsOf(game.world), stateAdapters);
  }

  /** Live parts where there are such, copies where planck keeps its own: good until the next tick and the next call. */
  state(inputs: readonly Input[], joined: number): SimulationState {
    const world = stateOfWorld(this.game.world);
    return { world, physics: this.physics.save(world.entities.rowsUsed), inputs, joined } as SimulationState;
  }

  /** 16 hexadecimal digits over everything that can influence the future, except for what is not yet in effect. */
  hash(): string {
    return this.digest.of((to) => simulationState.hash(this.state([], 0), to));
  }
}
