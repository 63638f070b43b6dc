/**
 * Loads modules on demand. These functions are not in the door, because a bundler would then put the modules into one
 * file.
 */

export const loadChecker = () => import('./checker.ts');
export const loadCheckThread = () => import('./check-thread.ts');
