import { UserError } from '../../engine/core/index.ts';
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

/** Ends a command with a message. Any error that is not a `UserError` is a bug in this program. */
export class Failure extends UserError {
  override readonly name = 'Failure';

  constructor(
    readonly code: PrintedCode,
    message: string,
    readonly exitCode: number = exitCodes.usage,
    override readonly details: readonly string[] = [],
  ) {
    super(message);
  }
}
