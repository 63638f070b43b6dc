import type { Dictionary } from '../../engine/core/index.ts';

/** A destination for text, such as `process.stdout`. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal in characters; absent if the output is not a terminal. */
  readonly columns?: number | undefined;
}

/**
 * The number of characters per line. A terminal that does not know its width reports 0, so 100 is assumed for less than
 * 40.
 */
export function widthOf({ columns = 0 }: Output): number {
  return columns >= 40 ? columns : 100;
}

/**
 * The parts of the process that a command uses. It is an interface, so that tests can run commands without a process.
 */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Dictionary<string | undefined>;
  /**
   * Calls the listener on an interrupt (Ctrl+C), which then does not end the process. The returned function removes the
   * listener.
   */
  onInterrupt(listener: () => void): () => void;
  /** Whether code of the project may run. Default: true. */
  readonly isTrusted?: boolean;
  /** Receives the answer of a command as data, in addition to the printed text. */
  onAnswer?(data: object): void;
  /** Like `onInterrupt`, for a termination signal from the system or a supervisor. */
  onTerminate?(listener: () => void): () => void;
}

/** Prints the answer of a command as one JSON object, or as text. */
export function printAnswer(terminal: Terminal, isJson: boolean | undefined, data: object, text: () => string) {
  terminal.onAnswer?.(data);
  terminal.stdout.write(isJson ? `${JSON.stringify(data, null, 2)}\n` : text());
}
