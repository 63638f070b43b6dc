/**
 * The value of something that does not exist: of a player who left, a destroyed entity, or an attribute that an entity
 * does not have. It is neither true nor false, and no comparison with it holds, so that no expectation about a missing
 * entity passes merely because of that. Only `== nothing` matches it.
 */
export class Missing {
  constructor(
    /** The reason, without a full stop: `alice is not in the game`. */
    readonly why: string,
    /** Whether it results from an empty group: a rule for all zombies waits until there is one. */
    readonly isEmpty: boolean = false,
  ) {}
}
