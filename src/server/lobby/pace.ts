/** A game that runs at less than this share of its rate is slow, which players notice. */
const keepsUpFrom = 0.9;
/** The period over which due ticks are counted. */
const periodSeconds = 2;

/** Measures how fast a room plays its game. */
export class Pace {
  /** The share of the ticks due in the latest period that were played; 1 if none was skipped. */
  speed = 1;
  /** Whether it was too slow in the latest two periods. A single slow period may be a coincidence. */
  isSlow = false;
  /** Processor time of a tick in the latest period, ms. */
  busyMs = 0;
  private readonly rate: number;
  private played = 0;
  private skipped = 0;
  private sumMs = 0;
  /** The first period is ignored, because the game is compiled during its first ticks. */
  private isFirst = true;

  constructor(rate: number) {
    this.rate = rate;
  }

  /** Whether it was fast enough in the latest period. */
  get keepsUp(): boolean {
    return this.speed >= keepsUpFrom;
  }

  /** Counts skipped ticks. True if `isSlow` changes with them. */
  overrun(ticks: number): boolean {
    this.skipped += ticks;
    return this.judge();
  }

  /** Counts a tick and its processor time. True if `isSlow` changes with it. */
  ticked(busyMs: number): boolean {
    this.played++;
    this.sumMs += busyMs;
    return this.judge();
  }

  private judge(): boolean {
    const { played, skipped, isSlow: wasSlow, keepsUp: keptUp } = this;
    if (played + skipped < this.rate * periodSeconds) return false;
    this.speed = this.isFirst ? 1 : played / (played + skipped);
    this.isSlow = !this.keepsUp && (wasSlow || !keptUp);
    if (played > 0) this.busyMs = this.sumMs / played;
    this.isFirst = false;
    this.played = 0;
    this.skipped = 0;
    this.sumMs = 0;
    return this.isSlow !== wasSlow;
  }
}
