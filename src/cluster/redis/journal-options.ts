import type { Machine } from '../../machine/index.ts';
import type { SharedListener } from '../journal.ts';
import type { Observer } from '../operator/observer.ts';
import type { RedisPorts } from './ports.ts';

export interface RedisJournalOptions {
  /** The URL of the database: `redis://…`, `rediss://…` or `redis-sentinel://…`. */
  readonly url: string;
  /** The number of replicas that must have a write before it counts as kept. */
  readonly replicas: number;
  /** How long a process may fail to renew its lease before others consider it dead, ms. */
  readonly leaseMs: number;
  /** Rooms that no process takes over are removed this long after the death of their process, ms. */
  readonly orphanMs: number;
  /** The URL at which clients reach this process, for clients that ask another process. */
  readonly publicUrl: string | undefined;
  /** Signs, with the token secret, what a process publishes about itself. */
  readonly sealOf: (entry: string) => string;
  /** Identifies the store of saved data, so that processes notice if they use different ones. */
  readonly storeMark: string;
  /** Whether the rooms of dead processes are taken over immediately, or only when a client asks for one. */
  readonly takes: 'all' | 'asked';
  readonly listener: SharedListener;
  readonly onNotice: Observer['problem'];
  readonly machine: Pick<Machine, 'clock' | 'random'>;
  /**
   * The maximum number of bytes of ticks that are queued while nothing can be written; further ticks are lost. Default
   * 64 MB.
   */
  readonly waitingBytesMax?: number;
  /** The client maker and compression. Default: `installedPorts`. */
  readonly ports?: RedisPorts;
}
