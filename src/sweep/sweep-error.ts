type SweepProblem =
  | 'bad-values'
  | 'bad-setting'
  | 'unknown-member'
  | 'too-many-plays'
  | 'other-sweep'
  | 'damaged-results'
  | 'missing-results';

/** An error in the settings or the stored results of a sweep. */
export class SweepError extends Error {
  override readonly name = 'SweepError';
  readonly code: SweepProblem;

  constructor(code: SweepProblem, message: string) {
    super(message);
    this.code = code;
  }
}
