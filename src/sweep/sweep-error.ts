type SweepProblem =
  | 'bad-values'
  | 'bad-setting'
  | 'unknown-member'
  | 'too-many-plays'
  | 'other-sweep'
  | 'damaged-results'
  | 'missing-results';

/** A mistake in the settings of a sweep, or in results that were kept. */
export class SweepError extends Error {
  override readonly name = 'SweepError';
  readonly code: SweepProblem;

  constructor(code: SweepProblem, message: string) {
    super(message);
    this.code = code;
  }
}
