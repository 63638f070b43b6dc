/**
 * The value of something that does not exist: of a player who left, a destroyed entity, or an attribute that an entity
 * does not have. It is neither true nor false, and no comparison with it is true. Therefore an expectation about a
 * missing entity cannot pass by accident. Only `== nothing` matches it.
 */
export class Missing {
  constructor(
    /** The reason, without a full stop, such as `alice is not in the game`. */
    readonly why: string,
    /**
     * Whether the value is missing only because a group is empty. An expectation such as `always` is then neither met
     * nor violated.
     */
    readonly isEmpty = false,
  ) {}
}
