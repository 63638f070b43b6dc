import * as nodeModule from 'node:module';

/**
 * Makes Node keep the bytecode of all modules that are loaded from now on in its compile cache, which shortens the next
 * start. Undefined before Node 22.8. `NODE_COMPILE_CACHE` names the folder of the cache, and
 * `NODE_DISABLE_COMPILE_CACHE=1` turns it off.
 */
// The installed types are those of Node 20, which does not have this function.
export const { enableCompileCache } = nodeModule as { enableCompileCache?: () => unknown };
