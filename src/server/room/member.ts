import type { Releases } from '../../net/index.ts';
import type { RecentResults } from './recent-results.ts';

/** A player that joined through the server. */
export interface Member {
  readonly id: string;
  readonly joinedMs: number | undefined;
  /** The number of its latest input, whether accepted or refused. */
  sequence: number;
  /** Resume tokens issued before this time are invalid; see `RoomPlayer`. */
  resumableFromMs: number | undefined;
  readonly results: RecentResults;
  /** The number of its inputs that wait for a tick. */
  waiting: number;
  readonly releases: Releases;
  /** The connection that plays it; undefined while the connection is lost. */
  session: number | undefined;
}
