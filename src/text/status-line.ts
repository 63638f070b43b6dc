import { type Output, widthOf } from './terminal.ts';

/**
 * A progress line that is overwritten in place. If the output is not a terminal, a new line is printed every `lineMs`
 * instead; by default, nothing is printed.
 */
export class StatusLine {
  private isShown = false;
  private sinceMs: number | undefined;
  private lineAtMs = performance.now();

  constructor(
    private readonly screen: Output,
    private readonly lineMs: number = Infinity,
  ) {}

  /** Shows progress and the time left. `share`: how much of the work is done, from 0 to 1. */
  showProgress(text: string, share: number) {
    const now = performance.now();
    this.sinceMs ??= now;
    const left = timeLeft(share, now - this.sinceMs);
    this.show(left === undefined ? text : `${text}, ${left} left`);
  }

  show(text: string) {
    if (this.screen.isTTY !== true) {
      if (performance.now() - this.lineAtMs < this.lineMs) return;
      this.lineAtMs = performance.now();
      this.screen.write(`${text}\n`);
      return;
    }
    this.isShown = true;
    // The last column stays empty, because some terminals wrap the line as soon as it is filled.
    this.screen.write(`\r${text.slice(0, widthOf(this.screen) - 1)}\x1b[K`);
  }

  /** Erases the progress line. */
  clear() {
    if (this.isShown) this.screen.write('\r\x1b[K');
    this.isShown = false;
  }
}

/** The time that the rest of some work takes at the speed so far, as text; undefined before anything is done. */
export function timeLeft(share: number, elapsedMs: number): string | undefined {
  return share > 0 && elapsedMs > 0 ? duration(((1 - share) / share) * (elapsedMs / 1000)) : undefined;
}

function duration(seconds: number) {
  const whole = Math.ceil(Math.max(0, seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
