import { Releases } from '../../net/index.ts';
import { RecentResults } from './recent-results.ts';

/** A player that joined through the server. */
export class Member {
  /** The number of the player's inputs that wait for a tick. */
  waiting = 0;
  readonly releases = new Releases();
  /** Resume tokens issued before this time are invalid; see `RoomPlayer`. */
  resumableFromMs: number | undefined;
  /** The connection of the player; undefined while the connection is lost. */
  session: number | undefined;

  constructor(
    readonly id: string,
    /** The number of the player's latest input, whether accepted or refused. */
    public sequence: number,
    readonly joinedMs: number | undefined,
    readonly results: RecentResults = new RecentResults(),
  ) {}
}
