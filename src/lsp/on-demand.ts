/**
 * Loads modules on demand. It is separate from the door, because otherwise a bundler would put these modules into one
 * file.
 */

export const loadChecker = () => import('./checker.ts');
export const loadCheckThread = () => import('./check-thread.ts');
