import { component } from '../ecs/component.ts';
import { constant, entity, f64, flag, type Infer, json, list, oneOf, optional, record, text } from '../schema/index.ts';

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
export type PlayerAccount = Infer<typeof playerAccount>;
export const playerState = record({
  /** The name it joined with; renaming leaves it. */
  username: optional(text()),
  account: optional(playerAccount),
  controlledBy: oneOf(['human', 'computer']),
  isBot: flag(),
  /** `p1`, `c1` … or what the host gave. */
  clientId: text(),
  userId: optional(text()),
  ip: optional(text()),
  isMobile: flag(),
  joinedAtMs: f64(),
  roleIds: constant(list(text())),
  units: list(entity('unit')),
  selectedUnit: entity('unit'),
  cameraUnit: entity('unit'),
  customInput: optional(text()),
  lastHtmlClick: json(),
  receivedData: json(),
  openShop: optional(text()),
  /** The dialogue that it can choose an option of. */
  openDialogue: optional(text()),
  coins: f64(),
  points: f64(),
  realtimeCss: text(),
  /** The best score of earlier games, as the host knows it. */
  highscore: f64(),
  /** The best value that the score's attribute has had in this game; -Infinity before it had any. */
  bestScore: f64(Number.NEGATIVE_INFINITY),
  /** The data that the host has kept of it from earlier games, plain; undefined for nothing. */
  persisted: json(),
});
export type PlayerState = Infer<typeof playerState>;

export const Player = component('player', playerState);
