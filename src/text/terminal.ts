/** Where text goes. `process.stdout` is one. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal in characters; absent where there is none. */
  readonly columns?: number | undefined;
}

/** Characters in a line. Terminals that do not know how wide they are say 0. */
export function widthOf({ columns = 0 }: Output): number {
  return columns >= 40 ? columns : 100;
}

/** The process around a command, so that a command can be run without one. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls the listener when the user interrupts, instead of ending the process. The returned function stops that. */
  onInterrupt(listener: () => void): () => void;
  /** As `onInterrupt`, for a machine or a supervisor that wants the process to end. */
  onTerminate?(listener: () => void): () => void;
}
