/** Where text goes. `process.stdout` is one. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal in characters; absent where there is none. */
  readonly columns?: number | undefined;
}

/** The process around a command, so that a command can be run without one. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls the listener when the user interrupts, instead of ending the process. The returned function stops that. */
  onInterrupt(listener: () => void): () => void;
}
