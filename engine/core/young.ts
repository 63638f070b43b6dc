/**
 * Returns the function unchanged. V8 allocates a function literal that is assigned directly to a member in the old
 * generation, so everything that it references lives until a major garbage collection. A function that is passed as an
 * argument is allocated in the young generation.
 */
export function inYoungGeneration<F extends (...args: never[]) => unknown>(made: F): F {
  return made;
}
