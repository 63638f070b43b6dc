import { type Output, widthOf } from './terminal.ts';

/** A progress line that is overwritten in place. Shows nothing if the output is not a terminal. */
export class StatusLine {
  private readonly screen: Output;
  private isShown = false;

  constructor(screen: Output) {
    this.screen = screen;
  }

  show(text: string): void {
    if (this.screen.isTTY !== true) return;
    this.isShown = true;
    // The last column stays free: some terminals wrap the line when it is written to.
    this.screen.write(`\r${text.slice(0, widthOf(this.screen) - 1)}\x1b[K`);
  }

  /** Erases the line. */
  clear(): void {
    if (this.isShown) this.screen.write('\r\x1b[K');
    this.isShown = false;
  }
}
