import { isRecord } from '../../core/plain-object.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';
import type { QuestRecord } from './quest.ts';

/**
 * Data of a player and its unit that outlives a game (reference: players#persistence). Saving publishes plain data for
 * the host to store. The host returns it when the player joins, and scripts decide when to apply it. None of that data
 * is trusted.
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
  /** Counted from 0; null if the item was in no slot. */
  readonly slotIndex: number | null;
}
/** By game id, because a player's data can come from several games. */
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

/** The parts that were saved. */
export interface SavedParts {
  readonly player?: SavedPlayer;
  readonly unit?: SavedUnit;
}

/**
 * A save of data that was never loaded: the host merges it with what it has stored (`mergeSaved`). `since`: the parts
 * as they were when scripts asked to load them.
 */
export interface UnmergedSave {
  readonly data: SavedParts;
  readonly since: { readonly player?: unknown; readonly unit?: unknown };
}

/** The state of a player's data while the host cannot read it. */
export interface LateData {
  /** The player as it was when scripts asked to load its data, in the saved form; absent until then. */
  readonly player?: SavedPlayer;
  /** The id of the unit for which scripts asked, and what it was then. */
  readonly unit?: { readonly id: string; readonly data: SavedUnit };
  /** A save that scripts requested in the meantime. */
  readonly save?: UnmergedSave;
}

/** Untrusted data; every member must be checked. */
export type PlainRecord = Readonly<Record<string, unknown>>;

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

/** The late data of a player whose stored data the host could not read yet; undefined for any other player. */
export function lateDataOf({ world }: Game, player: Entity): LateData | undefined {
  const saved = world.components.account[rowOf(player)]?.saved;
  // The host's data is always a record, so a list marks late data.
  return Array.isArray(saved) ? (saved[0] as LateData) : undefined;
}

export function setLateData({ world }: Game, player: Entity, late: LateData): void {
  world.components.account[rowOf(player)]!.saved = [late];
}
