export type SweepProblem =
  | 'bad-values'
  | 'bad-setting'
  | 'unknown-member'
  | 'too-many-plays'
  | 'other-sweep'
  | 'damaged-results'
  | 'missing-results';

/** What is wrong with the settings of a sweep, or with results that were kept. */
export class SweepError extends Error {
  readonly code: SweepProblem;

  constructor(code: SweepProblem, message: string) {
    super(message);
    this.code = code;
  }
}
