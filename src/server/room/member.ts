import type { Releases } from '../../net/index.ts';
import type { RecentResults } from './recent-results.ts';

/** A player that joined through the server. */
export interface Member {
  readonly id: string;
  readonly joinedMs: number | undefined;
  /** The number of the latest input, accepted or refused. */
  sequence: number;
  /** See `RoomPlayer`. */
  resumableFromMs: number | undefined;
  readonly results: RecentResults;
  /** How many of its inputs are waiting for a tick. */
  waiting: number;
  readonly releases: Releases;
  /** The connection that plays it; undefined while the connection is lost. */
  session: number | undefined;
}
