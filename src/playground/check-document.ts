/** The checks of scripts are a chunk of their own, because a game is played without them. */
export { checkGame } from '../check/index.ts';
