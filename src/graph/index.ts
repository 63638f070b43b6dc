/** A game as a diagram: the states of its switches, what starts its scripts, and which variables they set. */

export { graphOf, partOf } from './game-graph.ts';
export { drawn, transitionText } from './drawing.ts';
