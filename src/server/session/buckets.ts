import { type BucketOptions, TokenBucket } from '../../net/index.ts';

/** If there are more buckets than this, all are forgotten, so that memory is bounded. */
const keptMax = 10_000;

/** Token buckets by key. */
export class Buckets<K> {
  private readonly byKey = new Map<K, TokenBucket>();

  /** The bucket of a key, which is made with these options if there is none. */
  of(key: K, options: BucketOptions, nowMs: number): TokenBucket {
    let bucket = this.byKey.get(key);
    if (bucket === undefined) {
      if (this.byKey.size >= keptMax) this.byKey.clear();
      bucket = new TokenBucket(options, nowMs);
      this.byKey.set(key, bucket);
    }
    return bucket;
  }
}
