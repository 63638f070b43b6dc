/** What is loaded on demand, apart from the door: a bundler would put what both name into one file. */

export const loadChecker = () => import('./checker.ts');
export const loadCheckThread = () => import('./check-thread.ts');
