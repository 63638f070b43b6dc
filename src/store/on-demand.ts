/**
 * Loads modules on demand. The functions are separate from `index.ts`, because otherwise a bundler would put these
 * modules into one file.
 */

export const loadAccountStore = () => import('./account-store.ts');
export const loadPersistenceService = () => import('./persistence-service.ts');
