import { component } from '../ecs/component.ts';
import { constant, f64, flag, type Infer, json, list, optional, record, text } from '../schema/index.ts';

/** The data of a player's account that a host has and scripts may ask for. */
export const accountRecord = record({
  /** When the player was here last, ms since 1970. */
  lastPlayedMs: optional(f64()),
  invitedUsers: optional(f64()),
  usesAdblock: optional(flag()),
  /** Best value of the persistent score in earlier games. */
  highscore: optional(f64()),
  coins: optional(f64()),
});
export const playerAccount = constant(accountRecord);

export const accountState = record({
  /** The name that the player joined with; renaming leaves it. */
  username: optional(text()),
  /** Absent for a guest. */
  userId: optional(text()),
  ip: optional(text()),
  roleIds: constant(list(text())),
  /** The record of the host, as it was when the player joined. */
  kept: optional(playerAccount),
  /** The data that the host has kept of it from earlier games, a plain record; undefined for nothing; a list while it is awaited (`LateData`). */
  saved: json(),
});
export type AccountState = Infer<typeof accountState>;

/** The person behind a player, as the host knows it. */
export const Account = component('account', accountState);
