/** A bug of ours stops here; what a game or a player does wrong is an issue or a fault instead. */
export function assert(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Error(`Assertion failed: ${claim}`);
}
