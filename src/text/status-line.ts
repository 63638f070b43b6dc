import { type Output, widthOf } from './terminal.ts';

/** One line that is written over and over, to say how far something is; nothing where the output is no terminal. */
export class StatusLine {
  private readonly screen: Output;
  private isShown = false;

  constructor(screen: Output) {
    this.screen = screen;
  }

  show(text: string): void {
    if (this.screen.isTTY !== true) return;
    this.isShown = true;
    // The last column stays free: some terminals break the line when it is written to.
    this.screen.write(`\r${text.slice(0, widthOf(this.screen) - 1)}\x1b[K`);
  }

  /** Takes the line away. */
  clear(): void {
    if (this.isShown) this.screen.write('\r\x1b[K');
    this.isShown = false;
  }
}
