/** Answers that are looked back on: the quickest of them says most about the server's clock. */
const samplesMax = 8;

interface Sample {
  readonly roundTripMs: number;
  /** Ticks of the server less ticks of this clock. */
  readonly offset: number;
}

/** The current tick of a server, estimated from the answers to pings. Times are those of the client's clock, ms. */
export class RoomClock {
  private ticksPerMs = 0;
  private samples: Sample[] = [];
  private offset: number | undefined;

  /** A new connection: what was known of the clock is of another server, perhaps. */
  begin(rate: number, tick: number, nowMs: number): void {
    this.ticksPerMs = rate / 1000;
    this.samples = [];
    this.offset = tick - nowMs * this.ticksPerMs;
  }

  /** An answer: `tick` is where the server was when it answered. */
  answered(sentMs: number, nowMs: number, tick: number): void {
    const roundTripMs = Math.max(0, nowMs - sentMs);
    // It answered half of the way ago, as far as anybody can know.
    const offset = tick + (roundTripMs / 2) * this.ticksPerMs - nowMs * this.ticksPerMs;
    this.samples.push({ roundTripMs, offset });
    if (this.samples.length > samplesMax) this.samples.shift();
    let best = this.samples[0]!;
    for (const sample of this.samples) if (sample.roundTripMs < best.roundTripMs) best = sample;
    this.offset = best.offset;
  }

  /** Of the quickest answer of late, ms; undefined before the first. */
  get roundTripMs(): number | undefined {
    return this.samples.length === 0 ? undefined : Math.min(...this.samples.map(({ roundTripMs }) => roundTripMs));
  }

  /** The server's tick, with its fraction. */
  tickAt(nowMs: number): number {
    return nowMs * this.ticksPerMs + (this.offset ?? 0);
  }
}
