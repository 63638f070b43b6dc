import type { Simulation } from '../../engine/index.ts';
import { AccountKeeper } from './account-keeper.ts';
import type { Store } from './store.ts';

/**
 * Stands between a simulation and a store: what the game says is to be kept of a player goes into the store, and what a player brings along
 * comes out of it.
 */
export class PersistenceService extends AccountKeeper {
  /** What the store refused, oldest first: the game plays on without it. */
  readonly errors: unknown[];

  /** Games are told apart by the id of their definition. */
  constructor(sim: Simulation, store: Store) {
    const errors: unknown[] = [];
    super(store, sim.definition.defaultData._id ?? '', { onError: (error) => errors.push(error) });
    this.errors = errors;
    sim.on('output', (event) => this.hear(event));
  }
}
