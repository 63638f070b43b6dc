/**
 * Loads modules on demand. It is separate from the door, because otherwise a bundler would put these modules into one
 * file.
 */

export const loadAccountStore = () => import('./account-store.ts');
export const loadPersistenceService = () => import('./persistence-service.ts');
