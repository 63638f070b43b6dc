/**
 * Modules that are loaded on demand. `index.ts` must not import them: a bundler puts a module that is also imported
 * statically into the main file.
 */

export const loadJournalPage = () => import('./journal-page.ts');
export const loadTestPage = () => import('./html.ts');
