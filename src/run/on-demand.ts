/**
 * Modules that are loaded on demand. The door does not import them, because a bundler would put a module that is also
 * imported statically into the main file.
 */

export const loadSummary = () => import('./summary.ts');
export const loadSummaryText = () => import('./summary-text.ts');
export const loadThreadEntry = () => import('./thread-entry.ts');
