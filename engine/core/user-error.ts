/**
 * An error that a user causes and can resolve, such as an invalid expression or a damaged file. Commands print its code
 * and message, without a stack trace.
 */
export abstract class UserError extends Error {
  /** The code never changes, so programs may depend on it. */
  abstract readonly code: string;
  /** Lines to print below the message. */
  readonly details: readonly string[] = [];
  /**
   * Identifies errors of this class even across bundles: the server package contains its own copy of the class, so
   * `instanceof` would not recognise its errors.
   */
  protected readonly isOfUser = true;
}

export function isUserError(error: unknown): error is UserError {
  return error instanceof Error && 'isOfUser' in error;
}
