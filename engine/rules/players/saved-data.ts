import { type Dictionary, isRecord } from '../../core/plain-object.ts';
import type { Game } from '../game.ts';
import type { QuestRecord } from './quest.ts';

/**
 * Data of a player and its unit that outlives a game (reference: players#persistence). Saving publishes plain data for
 * the host to store. The host returns it when the player joins, and scripts decide when to apply it. None of that data
 * is trusted.
 */

export interface SavedAttribute {
  readonly value: number;
  /** The bounds of the attribute; null for no bound. */
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
  /** The quantity; null if unlimited. */
  readonly quantity: number | null;
  /** The slot, counted from 0; null if the item was in no slot. */
  readonly slotIndex: number | null;
}
/** The quests by game id, because a player's data can come from several games. */
export interface SavedQuests {
  readonly active: { readonly [gameId: string]: { readonly [questId: string]: QuestRecord } };
  readonly completed: { readonly [gameId: string]: { readonly [questId: string]: QuestRecord } };
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

/** Untrusted data; every member must be checked. */
export type PlainRecord = Dictionary;

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
export const entityTypes: ReadonlySet<string> = new Set('unit item projectile player'.split(' '));
