import {
  count,
  entity,
  f64,
  flag,
  type Infer,
  json,
  type Kind,
  list,
  map,
  optional,
  record,
  text,
} from '../schema/index.ts';
import { webRequest } from './web-request.ts';

/** State of the server of a game, beside the game itself. `context` is the state that scripts keep for answers they wait for. */
export function serverState<C>(context: Kind<C>) {
  return record({
    /** Requests to the web that have no answer yet, by number. */
    requests: map(count(), webRequest(context)),
    requestsMade: count(),
    /** When the latest requests were made, simulated ms, oldest first. */
    requestTimesMs: list(f64()),
    /** False while scripts refuse new players. */
    acceptingPlayers: flag(true),
    /** Accounts and addresses that moderators have banned since the game started. */
    bannedUsers: list(text()),
    bannedIps: list(text()),
    /** When the last human left, simulated ms; Infinity while one is there, and before the first came. */
    emptySinceMs: f64(Number.POSITIVE_INFINITY),
    /** Players whose connection is being closed: they leave at that simulated time, among the timers by `sequence`. In order. */
    leaving: list(record({ player: entity(), message: text(), dueMs: f64(), sequence: count() })),
    /** Set when a script or the server's life span ended the game. */
    ended: flag(),
  });
}
type ServerState = Infer<ReturnType<typeof serverState<unknown>>>;

/** At the start of a game nothing is asked for yet, so what waits for an answer needs no kind. */
const atStart = serverState<unknown>(optional(json()));
export const newServerState = (): ServerState => atStart.create();
