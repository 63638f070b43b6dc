import { type Output, StatusLine, timeLeft } from '../text/index.ts';

interface ProgressNow {
  readonly simulatedSeconds: number;
  readonly secondsMax: number;
  readonly wallMs: number;
}

const barWidth = 24;
const refreshMs = 100;

/** A progress line for a run. Prints nothing if the output is not a terminal. */
export class Progress {
  private readonly line: StatusLine;
  private shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(screen: Output) {
    this.line = new StatusLine(screen);
  }

  show(now: ProgressNow): void {
    if (now.wallMs - this.shownAtMs < refreshMs) return;
    this.shownAtMs = now.wallMs;
    this.line.show(progressLine(now));
  }

  /** Erases the progress line. */
  clear(): void {
    this.line.clear();
  }
}

export function progressLine({ simulatedSeconds, secondsMax, wallMs }: ProgressNow): string {
  const share = secondsMax > 0 ? Math.min(1, simulatedSeconds / secondsMax) : 1;
  const filled = Math.round(share * barWidth);
  const bar = `${'='.repeat(filled)}${' '.repeat(barWidth - filled)}`;
  const wallSeconds = wallMs / 1000;
  const speed = wallSeconds > 0 ? simulatedSeconds / wallSeconds : 0;
  const left = timeLeft(share, speed > 0 ? wallMs : 0);
  return `[${bar}] ${simulatedSeconds.toFixed(1)} of ${secondsMax} s  ${speedText(speed)}${left === undefined ? '' : `  ${left} left`}`;
}

/** Formats a speed in simulated seconds per second. */
export function speedText(speed: number): string {
  return `${speed >= 100 ? speed.toFixed(0) : speed.toFixed(1)}x real time`;
}
