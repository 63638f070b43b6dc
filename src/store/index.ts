/** What accounts keep between sessions, and where. */

// Where it is kept.
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

// What joins and leaves a game with its players.
export { SavedAccounts } from './saved-accounts.ts';
export { AccountPersistence, type SavedJoinData } from './account-persistence.ts';
export type { PersistenceService } from './persistence-service.ts';

// Loaded when a run keeps accounts.
export { loadFileStore, loadPersistenceService } from './on-demand.ts';
