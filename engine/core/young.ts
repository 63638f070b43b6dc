/**
 * Gives back the function. V8 makes a function that is assigned to a member where it is written among the old objects. Everything that it reaches then
 * stays until a large collection of garbage. A function that is handed over is young, as all else of a game that is soon given up.
 */
export function young<F extends (...args: never[]) => unknown>(made: F): F {
  return made;
}
