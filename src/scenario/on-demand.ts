/** What is loaded on demand, apart from the door: a bundler would put what both name into one file. */

export const loadScenarioOf = () => import('./playing/from-journal.ts');
