import type { Simulation } from '../../engine/index.ts';
import { AccountPersistence } from './account-persistence.ts';
import type { Store } from './store.ts';

/**
 * Connects a simulation to a store: writes the data that the game saves about its players, and loads it when they join.
 */
export class PersistenceService extends AccountPersistence {
  /** The errors of the store, oldest first. The game continues after an error. */
  readonly errors: unknown[];

  /** The field `_id` of the definition identifies the game. */
  constructor(sim: Simulation, store: Store) {
    const errors: unknown[] = [];
    super(store, sim.definition.defaultData._id ?? '', { onError: (error) => errors.push(error) });
    this.errors = errors;
    sim.on('output', (event) => this.receive(event));
  }
}
