import type { Observer, RoomJournal } from '../../cluster/index.ts';
import type { ServerClock } from '../../machine/index.ts';
import type { Definitions } from '../definitions/served.ts';
import type { RoomsById } from './room.ts';
import type { Seats } from './seats.ts';
import type { ThreadPool } from './thread-pool.ts';

/** The objects that the classes of the lobby share. */
export interface LobbyParts {
  readonly rooms: RoomsById;
  readonly library: Definitions;
  readonly observer: Observer;
  readonly journal: RoomJournal;
  readonly clock: ServerClock;
  readonly pool: ThreadPool;
  readonly seats: Seats;
}
