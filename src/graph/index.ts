/** A game as a diagram: the states of its switches, what starts its scripts, and which variables they set. */

export { graphOf } from './game-graph.ts';
export { graphSvg } from './graph-svg.ts';
