/** What is loaded on demand, apart from the door: a bundler would put what both name into one file. */

export const loadJournalPage = () => import('./journal-page.ts');
export const loadTestPage = () => import('./html.ts');
