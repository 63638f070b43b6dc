import {
  count,
  entity,
  type FieldType,
  f64,
  flag,
  type Infer,
  json,
  list,
  map,
  optional,
  record,
  text,
} from '../schema/index.ts';
import { webRequest } from './web-request.ts';

/**
 * State of the server that runs a game. `context` is the schema of the script context kept until a web request is
 * answered.
 */
export function serverState<C>(context: FieldType<C>) {
  return record({
    /** Pending web requests by number. */
    requests: map(count(), webRequest(context)),
    requestsMade: count(),
    /** When the latest requests were made, simulated ms, oldest first; for the rate limit. */
    requestTimesMs: list(f64()),
    /** False while scripts refuse new players. */
    acceptingPlayers: flag(true),
    /** Account ids and IP addresses that moderators have banned since the game started. */
    bannedUsers: list(text()),
    bannedIps: list(text()),
    /**
     * When the last human or bot left, simulated ms; Infinity while one is present, and before the first one has
     * joined.
     */
    emptySinceMs: f64(Infinity),
    /**
     * Players who are about to be disconnected, sorted by time. A player leaves at `dueMs`, in simulated ms; `sequence`
     * orders players among the timers that are due at the same time.
     */
    leaving: list(record({ player: entity(), message: text(), dueMs: f64(), sequence: count() })),
    /** True once a script or the server's life span has ended the game. */
    ended: flag(),
  });
}
type ServerState = Infer<ReturnType<typeof serverState<unknown>>>;

/** The initial state can be made without the schema of `context`, because a new game has no pending requests. */
const atStart = serverState<unknown>(optional(json()));
export const newServerState = (): ServerState => atStart.create();
