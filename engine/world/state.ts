import type { Cost } from '../definition/ability.ts';
import type { Entity } from './entity.ts';

/**
 * What an entity of a kind has beyond its component columns: lists, texts and maps that few systems touch and none walks every tick.
 * Plain data without methods, so that a snapshot can copy it.
 */

export interface Point {
  x: number;
  y: number;
}

export interface Buff {
  attribute: string;
  /** What is taken back from the maximum when it ends. */
  amount: number;
  /** What was really added to the value, taken back with it. */
  gained: number;
  endsAtMs: number;
}

/** An ability in use or cooling down. Times are simulated ms; Infinity where the ability sets none. */
export interface AbilityUse {
  active: boolean;
  coolsAtMs: number;
  endsAtMs: number;
}

/** A cast that waits for the unit's next tick. `script` is a script key; `event` and `ability` belong to the newer shape. */
export interface QueuedCast {
  readonly kind: 'script' | 'builtIn' | 'startCasting' | 'stopCasting';
  /** Script key, name of what is built in, or ability id. */
  readonly name: string;
  readonly cost: Cost;
  /** Where the definition asks for it, as faults name places. */
  readonly place: string;
}

export type AiMode = 'idle' | 'move' | 'fight' | 'flee';

export interface AiState {
  mode: AiMode;
  target: Entity;
  /** Where it walks to when it has no target. */
  destination: Point | undefined;
  /** Where it returns to. */
  home: Point | undefined;
  nextActionAtMs: number;
  fleeEndsAtMs: number;
  /** Cells of an a* path still to walk, goal first: x, y, x, y … in cells. */
  path: number[];
  /** Where the target was when the path was made. */
  pathTarget: Point | undefined;
  /** Whether the path leads to its goal; otherwise it is only the goal, for want of a way. */
  isReachable: boolean;
  /** Index of the unit type that what follows was taken from. */
  unitType: number;
  pathFinding: string;
  idleBehaviour: string;
  sensorResponse: string;
  attackResponse: string;
  /** px; Infinity for no limit. Scripts may change these. */
  maxTravelDistance: number;
  letGoDistance: number;
  maxAttackRange: number;
}

export interface UnitState {
  name: string;
  /** Slots of the inventory, then of the backpack, then 5 for trades: an item or 0. */
  slots: Entity[];
  inventorySize: number;
  backpackSize: number;
  /** Index into `slots` of the selected slot. */
  currentSlot: number;
  /** The item the unit holds; 0 for none. */
  heldItem: Entity;
  sensor: Entity;
  sensorRadius: number;
  ai: AiState | undefined;
  buffs: Buff[];
  castQueue: QueuedCast[];
  abilities: Map<string, AbilityUse>;
  /** Until then it takes no orders from keys or AI; Infinity for until it is told otherwise, 0 for not at all. */
  stunEndsAtMs: number;
  /** Until then it is slow; 0 for not at all. */
  slowEndsAtMs: number;
  /** Whether its AI was on before it was hidden. */
  aiBeforeHiding: boolean;
  /** Saved data may be written only after it was loaded (reference: players#persistence). */
  persistenceLoaded: boolean;
}

/** What an item still has to do when a delay is over. */
export interface DelayedUse {
  /** `effect`: everything after the triggers of a use. `strike`: only the blow of a melee weapon. `reload`: its ammunition is back. */
  readonly part: 'effect' | 'strike' | 'reload';
  readonly dueMs: number;
}

/** One buff of the catalogue that an item has (specification, Buff type). */
export interface RolledBuff {
  readonly name: string;
  readonly value: number;
}

export interface ItemState {
  name: string;
  description: string;
  /** Where the item is held relative to its carrier's centre, as of the last tick (px). */
  anchor: Point;
  /** How it lies when it is dropped, radians: as it was held at the last tick, the turn of the unit's anchor included. */
  dropAngle: number;
  /** Whether it turns to where its carrier aims. */
  aims: boolean;
  /** Whether its carrier has its passive bonuses now. */
  bonusGiven: boolean;
  /** The player who has its passive bonuses for players; 0 for none. */
  bonusPlayer: Entity;
  /** In the order they fall due; empty unless the type has delays. */
  delayed: DelayedUse[];
  /** What the item rolled of the buffs that its type lists; of `boolean` ones the value is 1. */
  rolled: RolledBuff[];
  /** Shown by clients only; undefined until a script sets it. */
  inventoryImage: string | undefined;
  slotColor: string | undefined;
}

/** What a weapon does to whom it hits; absent on projectiles that scripts made. */
export interface Damage {
  readonly targetsAffected: readonly string[];
  readonly unitAttributes: ReadonlyMap<string, number>;
  readonly playerAttributes: ReadonlyMap<string, number>;
  readonly sourceUnit: Entity;
  readonly sourceItem: Entity;
  readonly sourcePlayer: Entity;
  /** N, for one step, away from where the blow came from; 0 for none. */
  readonly knockbackForce: number;
  /** What the weapon rolled of these buffs; absent for nothing. */
  readonly stunChance?: number | undefined;
  readonly slowChance?: number | undefined;
}

export interface ProjectileState {
  sourceItem: Entity;
  damage: Damage | undefined;
  /** Units do not stop it. */
  penetrates: boolean;
  /** The unit it hurt last; 0 for none. */
  hurtUnit: Entity;
  /** Where it was made, px, and how far from there it gets; absent for any distance. */
  readonly range?: { readonly x: number; readonly y: number; readonly distance: number } | undefined;
}

export interface RegionState {
  /** Name of its variable. */
  name: string;
  /** Top-left corner and size, px. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A prop of the map, and where the map has it. */
export interface DebrisState {
  /** What the map calls it. */
  name: string;
  /** px, centre. */
  x: number;
  y: number;
  /** Radians, clockwise. */
  angle: number;
  /** Its body, as the map says it; 0 for what the map leaves open. */
  type: 'dynamic' | 'static' | 'kinematic';
  density: number;
  friction: number;
  restitution: number;
}

/** A request that a script made to the web and that the host answers later (reference: output-events#answers). */
export interface WebRequest {
  /** `post` stores one member of the answer and tells nobody; `request` and `secure` store all of it. */
  readonly kind: 'post' | 'request' | 'secure';
  /** Global variable that the answer goes to; undefined for none. */
  readonly variable: string | undefined;
  /** The entity whose script asked; 0 for a global script. */
  readonly asker: Entity;
  /** Numbers of the action lists that go on with the answer or without one, and what they need for it; -1 for none. */
  readonly onSuccess: number;
  readonly onFailure: number;
  readonly state: unknown;
}

export interface Quest {
  name: string;
  description: string;
  goal: number;
  progress: number;
  completed: boolean;
}

/** What a host knows of a player's account and scripts may ask for. */
export interface PlayerAccount {
  /** When the player was here last, ms since 1970. */
  readonly lastPlayedMs?: number | undefined;
  readonly invitedUsers?: number | undefined;
  readonly usesAdblock?: boolean | undefined;
  /** Best value of the persistent score in earlier games. */
  readonly highscore?: number | undefined;
  readonly coins?: number | undefined;
}

export interface PlayerState {
  name: string;
  /** The name it joined with; renaming leaves it. */
  username?: string | undefined;
  account?: PlayerAccount | undefined;
  controlledBy: 'human' | 'computer';
  isBot: boolean;
  /** `p1`, `c1` … or what the host gave. */
  clientId: string;
  userId: string | undefined;
  ip: string | undefined;
  isMobile: boolean;
  joinedAtMs: number;
  roleIds: readonly string[];
  units: Entity[];
  selectedUnit: Entity;
  cameraUnit: Entity;
  /** Keys and buttons held down, in the order they were pressed. */
  keysDown: string[];
  /** World px; NaN until the mouse has moved. */
  mouseX: number;
  mouseY: number;
  cameraYaw: number;
  absoluteAngle: number;
  lastMessage: string | undefined;
  lastChatMessage: string | undefined;
  chatBanned: boolean;
  chatTimesMs: number[];
  chatLengths: number[];
  customInput: string | undefined;
  lastHtmlClick: unknown;
  receivedData: unknown;
  openShop: string | undefined;
  /** The dialogue that it can choose an option of. */
  openDialogue: string | undefined;
  /** Whom it trades with; 0 for nobody. */
  tradePartner: Entity;
  /** Who has asked it to trade; 0 for nobody. */
  tradeAskedBy: Entity;
  /** What lay on the table when it agreed: its own trade slots, then its partner's; undefined while it has not agreed. */
  tradeTerms: Entity[] | undefined;
  coins: number;
  points: number;
  realtimeCss: string;
  quests: Map<string, Quest>;
  /** The best score of earlier games, as the host knows it. */
  highscore: number;
  /** The best value that the score's attribute has had in this game; -Infinity before it had any. */
  bestScore: number;
  /** What the host has kept of it from earlier games, plain data; undefined for nothing. */
  persisted: unknown;
  persistenceLoaded: boolean;
}
