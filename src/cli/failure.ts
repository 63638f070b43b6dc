import type { PrintedCode } from './code-tables.ts';

/** The exit codes of the process. */
export const exitCodes = {
  ok: 0,
  /** A definition has errors; for `run`, these are errors that prevent running it. */
  errors: 1,
  /** The command line is invalid, or a file cannot be read. */
  usage: 2,
  /** `--until` never became true. */
  neverTrue: 3,
  /** Two runs that should be identical differ. */
  diverged: 4,
  /** A bug in this program (EX_SOFTWARE of sysexits.h). */
  internal: 70,
  /** The user interrupted the command. The code is 128 + SIGINT, as shells report it. */
  interrupted: 130,
} as const;

const failureName = 'Failure';

/** Ends a command with a one-line message. Any other error that is thrown is a bug in this program. */
export class Failure extends Error {
  override readonly name = failureName;

  constructor(
    readonly code: PrintedCode,
    message: string,
    readonly exitCode: number = exitCodes.usage,
    /** Lines to print below the message. */
    readonly details: readonly string[] = [],
  ) {
    super(message);
  }
}

/** Also recognises a `Failure` of the server package, which has its own copy of the class. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && error.name === failureName;
}
