/** The commands of `@reenact/server`: the published program finds them in that package, if it is installed. */
export { load } from './load.ts';
export { serve } from './serve.ts';
