/** The commands that need `@reenact/server`. */
export { data } from './data.ts';
export { load } from './load.ts';
export { checkServer, serve } from './serve.ts';
