/**
 * Loads modules on demand. The function is separate from `index.ts`, because otherwise a bundler would put these
 * modules into one file.
 */

export const loadCompileCache = () => import('./compile-cache.ts');
