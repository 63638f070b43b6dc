/** The commands that need `@reenact/server`. */
export { data } from './data/data.ts';
export { load } from './load/load.ts';
export { checkServer, serve } from './serve/serve.ts';
