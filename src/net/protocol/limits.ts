/** The size and the refill rate of a token bucket. */
export interface BucketOptions {
  /** The amount that can be spent at once. */
  readonly size: number;
  readonly perSecond: number;
}

/** The maximum number of keys that a player can hold. */
const releasesMax = 64;

/** A token bucket, which starts full. All times are ms of one clock. */
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

  /** Spends `amount` and returns true, or spends nothing and returns false if there are not enough tokens. */
  spend(amount: number, nowMs: number): boolean {
    if (this.left(nowMs) < amount) return false;
    this.tokens -= amount;
    return true;
  }

  /** Gives back tokens that were spent. */
  refund(amount: number) {
    this.tokens = Math.min(this.size, this.tokens + amount);
  }

  /** Spends `amount`, or everything if there is less. */
  drain(amount: number, nowMs: number) {
    this.tokens = Math.max(0, this.left(nowMs) - amount);
  }

  /** The fill level, from 0 to 1. */
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

/**
 * Accepts releases of keys even beyond a limit if the keys were pressed within the limit, so that no limit leaves keys
 * pressed.
 */
export class Releases {
  private left = 0;

  /** Whether a message of this kind is accepted: within the limit, or as a release. */
  accept(kind: string | undefined, isWithinLimit: boolean): boolean {
    if (isWithinLimit) {
      if (kind === 'keyDown') this.left = Math.min(releasesMax, this.left + 1);
      return true;
    }
    if (kind !== 'keyUp' || this.left === 0) return false;
    this.left--;
    return true;
  }
}

/** The limits of one connection. A server sends them before the `welcome`; if it sends none, the defaults apply. */
export interface ClientLimits {
  readonly messages: BucketOptions;
  readonly bytes: BucketOptions;
  /** The limit for messages that are large according to `isLarge`. */
  readonly large: BucketOptions;
  /** Inputs that may be pending, that is, sent but without a result. */
  readonly inputs: number;
}

/** How many of a player's newest input results are sent again when a connection is resumed. */
export const resentResultsMax = 256;

/**
 * The sizes of the buckets allow for the burst after a network stall of a few seconds, and for the inputs that a client
 * resends when it resumes.
 */
export const defaultClientLimits: ClientLimits = {
  messages: { size: 400, perSecond: 90 },
  bytes: { size: 16 * 1024, perSecond: 6 * 1024 },
  large: { size: 10, perSecond: 2 },
  inputs: resentResultsMax,
};

/**
 * A connection that has at least this share of its own limits left is exempt from the shared limits of its IP address.
 */
export const exemptFill = 0.6;

const smallBytes = 1024;
const largeKinds = new Set('chat customInput data moderate report'.split(' '));

/**
 * Whether a message counts against the `large` limit: a long message, or one of a kind that is shown to other people or
 * starts long scripts.
 */
export function isLarge(kind: string, bytes: number): boolean {
  return largeKinds.has(kind) || (bytes > smallBytes && kind !== 'join');
}
