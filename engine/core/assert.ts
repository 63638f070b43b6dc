/** Throws on a bug in the engine. Mistakes of games and players are issues or faults instead. */
export function assert(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Error(`Assertion failed: ${claim}`);
}
