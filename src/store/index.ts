/** The data that accounts keep between sessions, and the stores that keep it. */

// Stores and their data.
export type { AccountData, Store } from './store.ts';
export * from './account-store.ts';
export * from './records.ts';

// Saving and loading the data while players join and play.
export { SavedAccounts } from './saved-accounts.ts';
export { AccountPersistence, type SavedJoinData } from './account-persistence.ts';

// Modules that are loaded only when a run keeps accounts.
export { loadAccountStore, loadPersistenceService } from './on-demand.ts';
