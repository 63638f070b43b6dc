import type { Quest } from '../../components/quests.ts';
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
