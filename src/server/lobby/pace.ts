/** A game that runs at less than this share of its rate is slow, which players notice. */
const keepsUpFrom = 0.9;
/** The period over which ticks are counted, ms. */
const periodMs = 2000;

/** Measures how fast a room plays its game. */
export class Pace {
  /** The share of the ticks due in the latest period that were played; 1 if none was skipped. */
  speed = 1;
  /** Whether it was too slow in the latest two periods. A single slow period may be a coincidence. */
  isSlow = false;
  private played = 0;
  private skipped = 0;
  private sinceMs: number;
  /** The first period is ignored, because the game is compiled during its first ticks. */
  private isFirst = true;

  constructor(nowMs: number) {
    this.sinceMs = nowMs;
  }

  /** Whether it was fast enough in the latest period. */
  get keepsUp(): boolean {
    return this.speed >= keepsUpFrom;
  }

  overrun(skippedTicks: number): void {
    this.skipped += skippedTicks;
  }

  /** Counts a tick. True if `isSlow` changes with it. */
  ticked(nowMs: number): boolean {
    this.played++;
    if (nowMs < this.sinceMs + periodMs) return false;
    const wasSlow = this.isSlow;
    const keptUp = this.keepsUp;
    this.speed = this.isFirst ? 1 : this.played / (this.played + this.skipped);
    this.isSlow = !this.keepsUp && (wasSlow || !keptUp);
    this.isFirst = false;
    this.played = 0;
    this.skipped = 0;
    this.sinceMs = nowMs;
    return this.isSlow !== wasSlow;
  }
}
