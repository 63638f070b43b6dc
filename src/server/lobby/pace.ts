/** Below this part of its rate a game is slow: players notice. */
const keepsUpFrom = 0.9;
/** How long ticks are counted, ms. */
const countingMs = 2000;

/** How fast a room plays its game: 1 where it gives up no tick. */
export class Pace {
  /** Ticks played, as a part of those that were due, in the latest count. */
  speed = 1;
  /** Whether it was too slow in the latest two counts: one may be an accident of the machine. */
  isSlow = false;
  private played = 0;
  private givenUp = 0;
  private sinceMs: number;
  /** The first count is not used: a game is compiled while it plays its first ticks. */
  private isFirst = true;

  constructor(nowMs: number) {
    this.sinceMs = nowMs;
  }

  /** Whether the latest count is good. */
  get keepsUp(): boolean {
    return this.speed >= keepsUpFrom;
  }

  gaveUp(ticks: number): void {
    this.givenUp += ticks;
  }

  /** True where `isSlow` changes with this tick. */
  ticked(nowMs: number): boolean {
    this.played++;
    if (nowMs < this.sinceMs + countingMs) return false;
    const wasSlow = this.isSlow;
    const keptUp = this.keepsUp;
    this.speed = this.isFirst ? 1 : this.played / (this.played + this.givenUp);
    this.isSlow = !this.keepsUp && (wasSlow || !keptUp);
    this.isFirst = false;
    this.played = 0;
    this.givenUp = 0;
    this.sinceMs = nowMs;
    return this.isSlow !== wasSlow;
  }
}
