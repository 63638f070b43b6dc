/**
 * What an expression gets in place of a value whose holder is not there: a player who left, an entity that is gone, an attribute that this one
 * does not have. It is neither true nor false, and nothing that is compared with it holds, so that no expectation about somebody who is not
 * there passes for that reason alone. Only `== nothing` can ask for it.
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
