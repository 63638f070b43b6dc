/** How many recent answers to pings are used. The answer with the shortest round trip gives the best estimate. */
const samplesMax = 8;

interface Sample {
  readonly roundTripMs: number;
  /** Server time minus client time, in ticks. */
  readonly offset: number;
}

/** Estimates the current tick of a room from the answers to pings. All times are milliseconds of the client's clock. */
export class RoomClock {
  private ticksPerMs = 0;
  private samples: Sample[] = [];
  private offset = 0;

  /** Starts over for a new connection, which may be to another server. */
  begin(rate: number, tick: number, nowMs: number) {
    this.ticksPerMs = rate / 1000;
    this.samples = [];
    this.offset = tick - nowMs * this.ticksPerMs;
  }

  /** Records the answer to a ping. `tick` is the server's tick when it answered. */
  answered(sentMs: number, nowMs: number, tick: number) {
    const roundTripMs = Math.max(0, nowMs - sentMs);
    // Assumes that the answer took half of the round trip.
    const offset = tick + (roundTripMs / 2) * this.ticksPerMs - nowMs * this.ticksPerMs;
    this.samples.push({ roundTripMs, offset });
    if (this.samples.length > samplesMax) this.samples.shift();
    this.offset = this.samples.reduce((a, b) => (b.roundTripMs < a.roundTripMs ? b : a)).offset;
  }

  /** The shortest of the recent round trips, ms; undefined before the first answer. */
  get roundTripMs(): number | undefined {
    return this.samples.length === 0 ? undefined : Math.min(...this.samples.map(({ roundTripMs }) => roundTripMs));
  }

  /** The estimated tick of the server, with its fraction. */
  tickAt(nowMs: number): number {
    return nowMs * this.ticksPerMs + this.offset;
  }
}
