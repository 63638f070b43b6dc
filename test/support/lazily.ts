/**
 * A value that several tests share, made when the first of them asks for it. Files of tests are collected without
 * playing anything, so that one test can be run without the plays of all others.
 */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
