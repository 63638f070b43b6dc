import type { Simulation } from '../../engine/index.ts';
import { joinDataOf, mergedWith, type SavedJoinData, saveOf } from './account-persistence.ts';
import type { AccountData } from './store.ts';

/**
 * Keeps in memory the data that the game saves about accounts, and returns it when they join again, as a server does.
 */
export class SavedAccounts {
  private readonly known = new Map<string, AccountData>();

  constructor(sim: Simulation) {
    sim.on('output', (event) => {
      const save = saveOf(event);
      if (save !== undefined) this.known.set(save.userId, mergedWith(this.known.get(save.userId) ?? {}, save));
    });
  }

  /** The saved data of an account. For an account that was never saved, the data is empty, but counts as read. */
  joinData(userId: string): SavedJoinData {
    return joinDataOf(this.known.get(userId) ?? {});
  }
}
