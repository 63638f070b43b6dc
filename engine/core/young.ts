/**
 * Returns the function unchanged. V8 allocates a function literal in the old generation if the literal is assigned
 * directly to a member, so everything that the function references lives until a major garbage collection. A function
 * that is passed as an argument is allocated in the young generation.
 */
export function inYoungGeneration<F extends (...args: never[]) => unknown>(made: F): F {
  return made;
}
