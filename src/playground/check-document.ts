/** This module makes the bundler put the checks of scripts into a separate file, which is not loaded for playing. */
export { checkGame } from '../check/index.ts';
