/**
 * Rooms as Durable Objects: each room is in an object that the platform keeps alive, with its journal in the object's
 * storage. For workers with the compatibility flag `nodejs_compat`.
 */
export { reenact } from './front.ts';
export type { Game, ReenactOptions } from './options.ts';
export type { Bindings } from './platform.ts';
export { ReenactRoom } from './room-object.ts';
export { ReenactStore } from './store-object.ts';
