/** What is loaded on demand, apart from the door: a bundler would put what both name into one file. */

export const loadSummary = () => import('./summary.ts');
export const loadSummaryText = () => import('./summary-text.ts');
export const loadThreadEntry = () => import('./thread-entry.ts');
