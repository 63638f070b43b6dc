import type { Machine } from '../../machine/index.ts';
import type { SharedListener } from '../journal.ts';
import type { Observer } from '../operator/observer.ts';
import type { RedisPorts } from './ports.ts';

export interface RedisJournalOptions {
  /** `redis://…`, `rediss://…` or `redis-sentinel://…`. */
  readonly url: string;
  /** How many replicas must have a write before it counts as kept. */
  readonly replicas: number;
  /** How long a process may be silent before others consider it dead, ms. */
  readonly leaseMs: number;
  /** How long after the death of their process rooms that nobody takes over are removed, ms. */
  readonly orphanMs: number;
  /** The address at which clients reach this process, for clients that ask another process. */
  readonly publicUrl: string | undefined;
  /** Signs what a process publishes about itself with the token secret. */
  readonly sealOf: (entry: string) => string;
  /** Identifies the store of saved data, so that processes notice if they use different ones. */
  readonly storeMark: string;
  /** Whether the rooms of dead processes are taken over immediately, or only when a client asks for one. */
  readonly takes: 'all' | 'asked';
  readonly listener: SharedListener;
  readonly onNotice: Observer['problem'];
  readonly machine: Pick<Machine, 'clock' | 'random'>;
  /** How many bytes of ticks are queued while nothing can be written; beyond that they are lost. Default 64 MB. */
  readonly waitingBytesMax?: number;
  /** Default: `installedPorts`. */
  readonly ports?: RedisPorts;
}
