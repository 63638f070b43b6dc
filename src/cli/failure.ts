/** The exit codes of the process. */
export const exitCodes = {
  ok: 0,
  /** A definition has errors; for `run`, ones that prevent running. */
  errors: 1,
  /** The command line is wrong, or a file cannot be read. */
  usage: 2,
  /** `--until` never became true. */
  neverTrue: 3,
  /** Two plays that should be the same are not. */
  diverged: 4,
  /** A mistake of ours (EX_SOFTWARE of sysexits.h). */
  internal: 70,
  /** Ended by the user: 128 and the number of SIGINT, as shells count it. */
  interrupted: 130,
} as const;

const failureName = 'Failure';

/** Ends a command with one clear line. Anything else that is thrown is a mistake of ours. */
export class Failure extends Error {
  override readonly name = failureName;
  readonly code: string;
  readonly exitCode: number;
  /** More lines to show below the message. */
  readonly details: readonly string[];

  constructor(code: string, message: string, exitCode: number = exitCodes.usage, details: readonly string[] = []) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** A `Failure` of this program, or of the server's, which has a class of its own. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && error.name === failureName;
}
