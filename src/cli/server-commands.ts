/** The commands of `@reenact/server`. The published program imports them from that package if it is installed. */
export { data } from './data.ts';
export { load } from './load.ts';
export { checkServer, serve } from './serve.ts';
