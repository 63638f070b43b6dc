import type { BucketOptions } from '../base/options.ts';

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
    this.refill(nowMs);
    if (this.tokens < amount) return false;
    this.tokens -= amount;
    return true;
  }

  /** How full it is, 0 to 1. */
  fill(nowMs: number): number {
    this.refill(nowMs);
    return this.tokens / this.size;
  }

  private refill(nowMs: number): void {
    if (nowMs <= this.atMs) return;
    this.tokens = Math.min(this.size, this.tokens + (nowMs - this.atMs) * this.perMs);
    this.atMs = nowMs;
  }
}
