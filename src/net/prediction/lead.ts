/** The lead is computed from the frames of the last `windowMs`, but from at least `samplesMin` frames. */
const windowMs = 3000;
const samplesMin = 20;
/**
 * The pace of a room is measured over this time, because a room that had to wait may play several ticks in quick
 * succession.
 */
const paceMs = 2500;
/** The lead is chosen so that this share of the frames would have been in time. */
const covered = 0.98;
/** The time that a server needs to take an input from the socket into a tick. */
const marginMs = 4;
/** Each input that is in time reduces the surcharge for late inputs by this factor. */
const forgiven = 0.98;
const surchargeMaxMs = 150;
/** The maximum lead. A server keeps an input that arrives before its tick for longer than this. */
const leadMaxMs = 400;

/**
 * Determines how far inputs are sent ahead of the server's clock, so that each arrives before its tick. If both
 * directions of the connection are alike, an input is as late at the server as a frame is here; if they are not, late
 * inputs increase the lead. Times are in ms.
 */
export class Lead {
  private readonly lags: { readonly atMs: number; readonly lagMs: number; readonly tick: number }[] = [];
  private surchargeMs = 0;
  private leastMs = 0;
  private mostMs = 0;

  /**
   * Records that the frame of `tick` arrived at `atMs`, when the client's estimate of the room clock was `lagMs` past
   * that tick.
   */
  arrived(atMs: number, lagMs: number, tick: number) {
    const { lags } = this;
    lags.push({ atMs, lagMs, tick });
    while (lags.length > samplesMin && lags[0]!.atMs < atMs - windowMs) lags.shift();
    const sorted = lags.map((each) => each.lagMs).sort((a, b) => a - b);
    this.leastMs = sorted[0]!;
    this.mostMs = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * covered))]!;
  }

  /** Records that an input took effect `lateMs` after its tick; 0 if it was in time. */
  applied(lateMs: number) {
    if (lateMs > 0) this.surchargeMs = Math.min(surchargeMaxMs, this.surchargeMs + Math.min(20, lateMs / 2));
    else this.surchargeMs *= forgiven;
  }

  /**
   * How far the room lags behind the client's estimate of its clock, in ms. A server that is too slow skips ticks,
   * which frames show sooner than pings.
   */
  behindMs(roundTripMs: number): number {
    return Math.max(0, this.leastMs - roundTripMs / 2);
  }

  /** The number of ticks per ms in recent frames. */
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
