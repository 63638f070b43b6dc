/** What is loaded on demand, apart from the door: a bundler would put what both name into one file. */

export const loadHistory = () => import('./time/history.ts');
export const loadSearch = () => import('./time/search.ts');
