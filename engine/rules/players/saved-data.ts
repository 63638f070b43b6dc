import type { Quest } from '../../components/quests.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/**
 * Data of a player and its unit that outlives a game (reference: players#persistence). Saving publishes plain data for the host to keep. The host
 * gives it back when the player joins, and scripts decide when it is applied. None of that data is trusted.
 */

export interface SavedAttribute {
  readonly value: number;
  /** Null for no bound. */
  readonly min: number | null;
  readonly max: number | null;
  readonly regenerateSpeed: number;
}
export type SavedAttributes = { readonly [key: string]: SavedAttribute };
export type SavedVariables = { readonly [key: string]: { readonly dataType: string; readonly value: unknown } };
export interface SavedItem {
  readonly itemTypeId: string;
  readonly attributes: SavedAttributes;
  readonly variables: SavedVariables;
  /** Null for an endless supply. */
  readonly quantity: number | null;
  /** From 0; null where it was in none. */
  readonly slotIndex: number | null;
}
/** By id of the game, because the data of one player can come from several games. */
export interface SavedQuests {
  readonly active: { readonly [gameId: string]: { readonly [questId: string]: Omit<Quest, 'completed'> } };
  readonly completed: { readonly [gameId: string]: { readonly [questId: string]: Omit<Quest, 'completed'> } };
}
export interface SavedPlayer {
  readonly attributes: SavedAttributes;
  readonly variables: SavedVariables;
  readonly quests: SavedQuests;
}
export interface SavedUnit {
  readonly attributes: SavedAttributes;
  readonly variables: SavedVariables;
  readonly inventoryItems: readonly SavedItem[];
}

/** What a save says: the parts that were saved. */
export interface SavedParts {
  readonly player?: SavedPlayer;
  readonly unit?: SavedUnit;
}

/** A save of what was never loaded: the host merges it with what it has (`mergeSaved`). `since`: the parts as they were when scripts asked to load. */
export interface UnmergedSave {
  readonly data: SavedParts;
  readonly since: { readonly player?: unknown; readonly unit?: unknown };
}

/** What there is of a player's data while the host could not read it. */
export interface LateData {
  /** The player as it was when scripts asked to load its data, in the form in which it is saved; left out while none has asked. */
  readonly player?: SavedPlayer;
  /** The unit for which they asked, by its id, and what it was then. */
  readonly unit?: { readonly id: string; readonly data: SavedUnit };
  /** A save that scripts asked for meanwhile. */
  readonly save?: UnmergedSave;
}

/** Data from outside, in which each member has to be looked at. */
export type PlainRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is PlainRecord {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

export function questsOf(data: unknown): { readonly active: PlainRecord; readonly completed: PlainRecord } {
  const player = isRecord(data) ? data['player'] : undefined;
  const quests = isRecord(player) ? player['quests'] : undefined;
  const part = (name: string): PlainRecord => {
    const value = isRecord(quests) ? quests[name] : undefined;
    return isRecord(value) ? value : {};
  };
  return { active: part('active'), completed: part('completed') };
}

export function gameIdOf({ definition }: Game): string {
  return definition.defaultData._id ?? '';
}

/** Types of variables that hold entities. */
export const entityTypes: ReadonlySet<string> = new Set(['unit', 'item', 'projectile', 'player']);

/** Of a player whose data the host could not read yet. */
export function lateDataOf({ world }: Game, player: Entity): LateData | undefined {
  const saved = world.components.account[rowOf(player)]?.saved;
  // The host's data is a record: a list is never that.
  return Array.isArray(saved) ? (saved[0] as LateData) : undefined;
}

export function setLateData({ world }: Game, player: Entity, late: LateData): void {
  world.components.account[rowOf(player)]!.saved = [late];
}
