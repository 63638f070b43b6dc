/** What is loaded on demand, apart from the door: a bundler would put what both name into one file. */

export const loadFileStore = () => import('./file-store.ts');
export const loadPersistenceService = () => import('./persistence-service.ts');
