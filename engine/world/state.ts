import type { Cost } from '../definition/ability.ts';
import {
  constant,
  count,
  entity,
  f64,
  flag,
  type Infer,
  index,
  json,
  type Kind,
  list,
  map,
  oneOf,
  optional,
  part,
  record,
  text,
} from '../schema/index.ts';

/**
 * The state of an entity of a kind beyond its component columns: lists, texts and maps that few systems touch and none walks every tick.
 * Plain data without methods. A new field is a line here; the rest follows (see `engine/schema/index.ts`).
 */

/** px. */
export const point = record({ x: f64(), y: f64() });
export type Point = Infer<typeof point>;

export const buff = record({
  attribute: text(),
  /** The part that is taken back from the maximum when it ends. */
  amount: f64(),
  /** The part that was added to the value and is taken back with it. */
  gained: f64(),
  endsAtMs: f64(),
});
export type Buff = Infer<typeof buff>;

/** An ability in use or cooling down. Times are simulated ms; Infinity where the ability sets none. */
export const abilityUse = record({ active: flag(), coolsAtMs: f64(), endsAtMs: f64() });
export type AbilityUse = Infer<typeof abilityUse>;

/** A cast that waits for the unit's next tick. `script` is a script key; `event` and `ability` belong to the newer shape. */
export const queuedCast = constant(
  record({
    kind: oneOf(['script', 'builtIn', 'startCasting', 'stopCasting']),
    /** Script key, name of what is built in, or ability id. */
    name: text(),
    cost: part<Cost>('cost'),
    /** Where the definition asks for it, as faults name places. */
    place: text(),
  }),
);
export type QueuedCast = Infer<typeof queuedCast>;

export const aiModes = ['idle', 'move', 'fight', 'flee'] as const;
export type AiMode = (typeof aiModes)[number];

export const aiState = record({
  mode: oneOf(aiModes),
  target: entity(),
  /** Where it walks to when it has no target. */
  destination: optional(point),
  /** Where it returns to. */
  home: optional(point),
  nextActionAtMs: f64(),
  fleeEndsAtMs: f64(),
  /** Cells of an a* path still to walk, goal first: x, y, x, y … in cells. */
  path: list(f64()),
  /** Where the target was when the path was made. */
  pathTarget: optional(point),
  /** Whether the path leads to its goal; otherwise it is only the goal, for want of a way. */
  isReachable: flag(true),
  /** Index of the unit type that what follows was taken from. */
  unitType: f64(),
  pathFinding: text(),
  idleBehaviour: text('stay'),
  sensorResponse: text('none'),
  attackResponse: text('none'),
  /** px; Infinity for no limit. Scripts may change these. */
  maxTravelDistance: f64(Number.POSITIVE_INFINITY),
  letGoDistance: f64(Number.POSITIVE_INFINITY),
  maxAttackRange: f64(),
});
export type AiState = Infer<typeof aiState>;

export const unitState = record({
  name: text(),
  /** Slots of the inventory, then of the backpack, then 5 for trades: an item or 0. */
  slots: list(entity('item')),
  inventorySize: count(),
  backpackSize: count(),
  /** Index into `slots` of the selected slot. */
  currentSlot: f64(),
  /** The item the unit holds; 0 for none. */
  heldItem: entity('item'),
  ai: optional(aiState),
  buffs: list(buff),
  castQueue: list(queuedCast),
  abilities: map(text(), abilityUse),
  /** Until then it takes no orders from keys or AI; Infinity for no end, 0 for not at all. */
  stunEndsAtMs: f64(),
  /** Until then it is slow; 0 for not at all. */
  slowEndsAtMs: f64(),
  /** Whether its AI was on before it was hidden. */
  aiBeforeHiding: flag(),
  /** Saved data may be written only after it was loaded (reference: players#persistence). */
  persistenceLoaded: flag(),
});
export type UnitState = Infer<typeof unitState>;

/** The act of an item that waits for the end of a delay. */
export const delayedUse = constant(
  record({
    /** `effect`: everything after the triggers of a use. `strike`: only the blow of a melee weapon. `reload`: its ammunition is back. */
    part: oneOf(['effect', 'strike', 'reload']),
    dueMs: f64(),
  }),
);
export type DelayedUse = Infer<typeof delayedUse>;

/** One buff of the catalogue that an item has (specification, Buff type). */
export const rolledBuff = constant(record({ name: text(), value: f64() }));
export type RolledBuff = Infer<typeof rolledBuff>;

export const itemState = record({
  name: text(),
  description: text(),
  /** Where the item is held relative to its carrier's centre, as of the last tick (px). */
  anchor: point,
  /** How it lies when it is dropped, radians: as it was held at the last tick, the turn of the unit's anchor included. */
  dropAngle: f64(),
  /** Whether it turns to where its carrier aims. */
  aims: flag(),
  /** Whether its carrier has its passive bonuses now. */
  bonusGiven: flag(),
  /** The player who has its passive bonuses for players; 0 for none. */
  bonusPlayer: entity('player'),
  /** In the order they fall due; empty unless the type has delays. */
  delayed: list(delayedUse),
  /** The rolled values of the buffs that the item's type lists; of `boolean` ones the value is 1. */
  rolled: list(rolledBuff),
  /** Shown by clients only; undefined until a script sets it. */
  inventoryImage: optional(text()),
  slotColor: optional(text()),
});
export type ItemState = Infer<typeof itemState>;

/** A request that a script made to the web and that the host answers later (reference: output-events#answers). */
export function webRequest<C>(context: Kind<C>) {
  return constant(
    record({
      /** `post` stores one member of the answer and fires no trigger; `request` and `secure` store all of it. */
      kind: oneOf(['post', 'request', 'secure']),
      /** Global variable that the answer goes to; undefined for none. */
      variable: optional(text()),
      /** The entity whose script asked; 0 for a global script. */
      asker: entity(),
      /** Numbers of the action lists that go on with the answer or without one, and what they need for it; -1 for none. */
      onSuccess: index('job', 'or none'),
      onFailure: index('job', 'or none'),
      state: context,
    }),
  );
}
export type WebRequest = Infer<ReturnType<typeof webRequest<unknown>>>;

export const quest = record({ name: text(), description: text(), goal: f64(), progress: f64(), completed: flag() });
export type Quest = Infer<typeof quest>;

/** Facts of a player's account that the host knows and scripts may ask for. */
export const playerAccount = constant(
  record({
    /** When the player was here last, ms since 1970. */
    lastPlayedMs: optional(f64()),
    invitedUsers: optional(f64()),
    usesAdblock: optional(flag()),
    /** Best value of the persistent score in earlier games. */
    highscore: optional(f64()),
    coins: optional(f64()),
  }),
);
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
  /** Its partner in a trade; 0 for none. */
  tradePartner: entity('player'),
  /** The player that has asked it to trade; 0 for none. */
  tradeAskedBy: entity('player'),
  /** The items on the table when it agreed: its own trade slots, then its partner's; undefined while it has not agreed. */
  tradeTerms: optional(list(entity('item'))),
  coins: f64(),
  points: f64(),
  realtimeCss: text(),
  quests: map(text(), quest),
  /** The best score of earlier games, as the host knows it. */
  highscore: f64(),
  /** The best value that the score's attribute has had in this game; -Infinity before it had any. */
  bestScore: f64(Number.NEGATIVE_INFINITY),
  /** Its data from earlier games, kept by the host, plain; undefined for none. */
  persisted: json(),
  persistenceLoaded: flag(),
});
export type PlayerState = Infer<typeof playerState>;
