import { component } from '../ecs/component.ts';
import { constant, f64, flag, type Infer, json, list, optional, record, text } from '../schema/index.ts';

/** Data about a player's account, which the host provides and scripts can query. */
export const accountRecord = record({
  /** When the player was last in the game, as Unix time in milliseconds. */
  lastPlayedMs: optional(f64()),
  invitedUsers: optional(f64()),
  usesAdblock: optional(flag()),
  /** The player's best value of the persistent score in earlier games. */
  highscore: optional(f64()),
  coins: optional(f64()),
});
export const playerAccount = constant(accountRecord);

export const accountState = record({
  /** The name that the player joined with; renaming does not change it. */
  username: optional(text()),
  /** The id of the player's account; absent for a guest. */
  userId: optional(text()),
  ip: optional(text()),
  roleIds: constant(list(text())),
  /** The account record that the host provided when the player joined. */
  kept: optional(playerAccount),
  /** Stored data from earlier games, as the host supplied it: a plain record; undefined if the host supplied none. */
  saved: json(),
});
export type AccountState = Infer<typeof accountState>;

/** The account of the person behind a player, as the host knows it. */
export const Account = component('account', accountState);
