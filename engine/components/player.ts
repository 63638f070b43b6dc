import { component } from '../ecs/component.ts';
import {
  constant,
  entity,
  f64,
  flag,
  type Infer,
  json,
  list,
  map,
  oneOf,
  optional,
  record,
  text,
} from '../schema/index.ts';

export const quest = record({ name: text(), description: text(), goal: f64(), progress: f64(), completed: flag() });
export type Quest = Infer<typeof quest>;
/** What a host knows of a player's account and scripts may ask for. */
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
  name: text(),
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
  /** Keys and buttons held down, in the order they were pressed. */
  keysDown: list(text()),
  /** World px; NaN until the mouse has moved. */
  mouseX: f64(Number.NaN),
  mouseY: f64(Number.NaN),
  cameraYaw: f64(),
  absoluteAngle: f64(Number.NaN),
  lastMessage: optional(text()),
  lastChatMessage: optional(text()),
  chatBanned: flag(),
  chatTimesMs: list(f64()),
  chatLengths: list(f64()),
  customInput: optional(text()),
  lastHtmlClick: json(),
  receivedData: json(),
  openShop: optional(text()),
  /** The dialogue that it can choose an option of. */
  openDialogue: optional(text()),
  /** Whom it trades with; 0 for nobody. */
  tradePartner: entity('player'),
  /** Who has asked it to trade; 0 for nobody. */
  tradeAskedBy: entity('player'),
  /** What lay on the table when it agreed: its own trade slots, then its partner's; undefined while it has not agreed. */
  tradeTerms: optional(list(entity('item'))),
  coins: f64(),
  points: f64(),
  realtimeCss: text(),
  quests: map(text(), quest),
  /** The best score of earlier games, as the host knows it. */
  highscore: f64(),
  /** The best value that the score's attribute has had in this game; -Infinity before it had any. */
  bestScore: f64(Number.NEGATIVE_INFINITY),
  /** What the host has kept of it from earlier games, plain data; undefined for nothing. */
  persisted: json(),
  persistenceLoaded: flag(),
});
export type PlayerState = Infer<typeof playerState>;

export const Player = component('player', playerState);
