import type { Simulation } from '../../engine/index.ts';
import { joinDataOf, mergedWith, type SavedJoinData, saveOf } from './account-persistence.ts';
import type { AccountData } from './store.ts';

/** Keeps the data that the game saves about accounts, as a server does, for their next join. */
export class SavedAccounts {
  private readonly known: Map<string, AccountData>;

  /** `before`: what was saved before `sim` was forked. */
  constructor(sim: Simulation, before?: SavedAccounts) {
    this.known = new Map(before?.known);
    sim.on('output', (event) => {
      const save = saveOf(event);
      if (save !== undefined) this.known.set(save.userId, mergedWith(this.known.get(save.userId) ?? {}, save));
    });
  }

  /** An account that was never saved joins with an empty record, because its data counts as read. */
  joinData(userId: string): SavedJoinData {
    return joinDataOf(this.known.get(userId) ?? {});
  }
}
