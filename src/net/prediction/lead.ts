/** Frames of this long ago and at least this many are considered. */
const windowMs = 3000;
const samplesMin = 20;
/** The pace is that of so long, in which a room that has to wait may play several ticks at once. */
const paceMs = 2500;
/** The lead covers this share of them. */
const covered = 0.98;
/** Time for the server to take an input from the socket into its tick. */
const marginMs = 4;
/** Per input in time, the surcharge for late inputs shrinks by this factor. */
const forgiven = 0.98;
const surchargeMaxMs = 150;
/** No longer than a server keeps an input for its tick. */
const leadMaxMs = 400;

/**
 * How far inputs are sent ahead of the server's clock, so that each arrives before its tick. A frame is as late here as
 * an input is there, if both directions are alike; where they are not, late inputs increase the lead. Times are ms.
 */
export class Lead {
  private readonly lags: { readonly atMs: number; readonly lagMs: number; readonly tick: number }[] = [];
  private surchargeMs = 0;
  private leastMs = 0;
  private mostMs = 0;

  /** The frame of `tick` arrived at `atMs`, when the client's estimate of the room clock was `lagMs` past that tick. */
  arrived(atMs: number, lagMs: number, tick: number): void {
    const { lags } = this;
    lags.push({ atMs, lagMs, tick });
    while (lags.length > samplesMin && lags[0]!.atMs < atMs - windowMs) lags.shift();
    const sorted = lags.map((each) => each.lagMs).sort((a, b) => a - b);
    this.leastMs = sorted[0]!;
    this.mostMs = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * covered))]!;
  }

  /** An input took effect `lateMs` after its tick. */
  applied(lateMs: number): void {
    if (lateMs > 0) this.surchargeMs = Math.min(surchargeMaxMs, this.surchargeMs + Math.min(20, lateMs / 2));
    else this.surchargeMs *= forgiven;
  }

  /**
   * How far the room is behind the client's clock of it: a server that is too slow skips ticks, and pings notice that
   * later than frames.
   */
  behindMs(roundTripMs: number): number {
    return Math.max(0, this.leastMs - roundTripMs / 2);
  }

  /** How many ticks per ms recent frames have shown. */
  paceAt(nowMs: number): number {
    const { lags } = this;
    const first = lags.findLast(({ atMs }) => atMs <= nowMs - paceMs) ?? lags[0];
    return first === undefined ? 0 : (lags.at(-1)!.tick - first.tick) / Math.max(paceMs, nowMs - first.atMs);
  }

  ms(roundTripMs: number): number {
    const lagMs = Math.max(0, this.mostMs - this.behindMs(roundTripMs));
    return Math.min(leadMaxMs, lagMs + marginMs + this.surchargeMs);
  }
}
