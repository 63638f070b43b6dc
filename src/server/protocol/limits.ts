/** Size and refill of a token bucket. */
export interface BucketOptions {
  /** The amount that can be spent at once. */
  readonly size: number;
  readonly perSecond: number;
}

/** Spends what has been refilled since; starts full. Times are ms of one clock. */
export class TokenBucket {
  private readonly size: number;
  private readonly perMs: number;
  private tokens: number;
  private atMs: number;

  constructor({ size, perSecond }: BucketOptions, nowMs: number) {
    this.size = size;
    this.perMs = perSecond / 1000;
    this.tokens = size;
    this.atMs = nowMs;
  }

  /** Whether there was enough; if not, nothing is spent. */
  spend(amount: number, nowMs: number): boolean {
    if (this.left(nowMs) < amount) return false;
    this.tokens -= amount;
    return true;
  }

  /** Takes so much away, or all there is. */
  drain(amount: number, nowMs: number): void {
    this.tokens = Math.max(0, this.left(nowMs) - amount);
  }

  /** How full it is, 0 to 1. */
  fill(nowMs: number): number {
    return this.left(nowMs) / this.size;
  }

  /** The amount that can be spent now. */
  left(nowMs: number): number {
    if (nowMs > this.atMs) {
      this.tokens = Math.min(this.size, this.tokens + (nowMs - this.atMs) * this.perMs);
      this.atMs = nowMs;
    }
    return this.tokens;
  }
}

/** What one connection may send. A server tells its limits before it welcomes a player; those of a server that tells none are the defaults. */
export interface ClientLimits {
  readonly messages: BucketOptions;
  readonly bytes: BucketOptions;
  /** Messages for which `isLarge` holds. */
  readonly large: BucketOptions;
  /** Inputs that may be without a result. */
  readonly inputs: number;
}

/** The newest results of a player that are sent again when a lost connection is resumed. */
export const repeatedResultsMax = 256;

/** The burst has room for what a link delivers after some seconds of stalling, and for the inputs that a client resends when it resumes. */
export const defaultClientLimits: ClientLimits = {
  messages: { size: 400, perSecond: 90 },
  bytes: { size: 16 * 1024, perSecond: 6 * 1024 },
  large: { size: 10, perSecond: 2 },
  inputs: repeatedResultsMax,
};

/** A connection that has this share of its limits left is never refused anything, even where others have used up the limits of their address. */
export const modestFill = 0.6;

const smallBytes = 1024;
const largeKinds: ReadonlySet<string> = new Set(['chat', 'customInput', 'data', 'moderate']);

/** Long messages, and those that other people or long scripts read, are limited apart. */
export function isLarge(kind: string, bytes: number): boolean {
  return largeKinds.has(kind) || (bytes > smallBytes && kind !== 'join');
}
