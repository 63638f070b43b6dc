/**
 * Modules that are loaded on demand. The door does not import them, because a bundler would put a module that is also
 * imported statically into the main file.
 */

export const loadObjectives = () => import('./objectives.ts');
