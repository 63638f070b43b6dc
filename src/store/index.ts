/** The data that accounts keep between sessions, and the stores that keep it. */

// Stores and their data.
export {
  accountBytesMax,
  type AccountData,
  isStoredAccount,
  type ListedStore,
  MemoryStore,
  type Store,
  type StoredAccount,
} from './store.ts';
export { FileStore } from './file-store.ts';

// Saving and loading the data while players join and play.
export { SavedAccounts } from './saved-accounts.ts';
export { AccountPersistence, type SavedJoinData } from './account-persistence.ts';
export type { PersistenceService } from './persistence-service.ts';

// Modules that are loaded only when a run keeps accounts.
export { loadFileStore, loadPersistenceService } from './on-demand.ts';
