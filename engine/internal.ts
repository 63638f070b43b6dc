/** What our own tools and tests need of the inside. It changes with the inside; programs use `index.ts`. */
export { globalValue, statesOf } from './sim/inside.ts';
