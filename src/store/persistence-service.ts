import type { Simulation } from '../../engine/index.ts';
import { AccountPersistence } from './account-persistence.ts';
import type { Store } from './store.ts';

/**
 * Stands between a simulation and a store. Data of a player that the game saves goes into the store, and data that a player brings along
 * comes out of it.
 */
export class PersistenceService extends AccountPersistence {
  /** Errors of the store, oldest first: the game plays on without them. */
  readonly errors: unknown[];

  /** Games are distinguished by the id of their definition. */
  constructor(sim: Simulation, store: Store) {
    const errors: unknown[] = [];
    super(store, sim.definition.defaultData._id ?? '', { onError: (error) => errors.push(error) });
    this.errors = errors;
    sim.on('output', (event) => this.receive(event));
  }
}
