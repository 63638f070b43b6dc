import { ServerError } from '../operator/codes.ts';
import type { RedisConnection } from './connection.ts';
import type { RedisJournalOptions } from './journal-options.ts';

/**
 * The maximum difference between the clocks of Redis and this machine, ms. With a larger one, bans and tokens end at
 * noticeably different times. A smaller limit would give false alarms, because Redis may take some seconds to answer.
 */
const clockDifferenceMsMax = 10_000;

/** Checks the configuration of Redis, and warns the operator of risks. Throws `ServerError` if it cannot be used. */
export async function checkDatabase(
  redis: RedisConnection,
  { replicas, machine, onNotice }: Pick<RedisJournalOptions, 'replicas' | 'machine' | 'onNotice'>,
): Promise<void> {
  if ((await redis.info('cluster')).get('cluster_enabled') === '1') {
    throw new ServerError(
      'bad-journal',
      'Redis Cluster is not supported. Use a single Redis server, with or without replicas.',
    );
  }
  const [persistence, memory] = [await redis.info('persistence'), await redis.info('memory')];
  if (replicas === 0 && Number((await redis.info('replication')).get('connected_slaves') ?? 0) > 0) {
    onNotice(
      'journal-volatile',
      'Redis has a replica: if the replica becomes the primary, inputs that were acknowledged may be lost. Set --journal-replicas 1.',
    );
  }
  if (persistence.get('aof_enabled') !== '1') {
    onNotice(
      'journal-volatile',
      'Redis has no append-only file, so the journal is lost when Redis restarts, and rooms then only survive in their processes. Set appendonly yes.',
    );
  }
  const policy = memory.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    onNotice(
      'journal-volatile',
      `Redis evicts keys when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy noeviction.`,
    );
  }
  const redisMs = Number((await redis.info('server')).get('server_time_usec')) / 1000;
  const aheadMs = machine.clock.date() - redisMs;
  // Versions of Redis before 7 do not report their time.
  if (Math.abs(aheadMs) > clockDifferenceMsMax) {
    onNotice(
      'clock-differs',
      `The clock of this machine is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of Redis. Synchronise both clocks (NTP).`,
    );
  }
}
