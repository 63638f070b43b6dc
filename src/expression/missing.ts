/**
 * Stands in an expression for a value whose holder is absent. The holder is a player who left, a destroyed entity, or an entity without the
 * attribute. It is neither true nor false, and no comparison with it holds. So no expectation about an absent entity passes for that reason
 * alone. Only `== nothing` can ask for it.
 */
export class Missing {
  /** A sentence without its full stop: `alice is not in the game`. */
  readonly why: string;
  /** It is about a group without members: what must always hold of all zombies waits for one to come. */
  readonly isEmpty: boolean;

  constructor(why: string, isEmpty = false) {
    this.why = why;
    this.isEmpty = isEmpty;
  }
}
