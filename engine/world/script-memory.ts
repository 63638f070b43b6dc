import { entity, flag, type Infer, json, list, optional, record, text } from '../schema/index.ts';

/** The "last created unit" of scripts and the like. Entities; resolved when read (reference: scripts#last-values). */
const lastEntities = record({
  createdUnit: entity(),
  createdItem: entity(),
  createdProjectile: entity(),
  touchingUnit: entity(),
  touchedUnit: entity(),
  touchedItem: entity(),
  touchedProjectile: entity(),
  touchedDebris: entity(),
  attackingUnit: entity(),
  attackedUnit: entity(),
  attackingItem: entity(),
  usedItem: entity(),
  castingUnit: entity(),
  dialoguePlayer: entity(),
  purchasedUnit: entity(),
});
export type LastEntities = Infer<typeof lastEntities>;

/** Values that scripts can ask for later without having kept them themselves. */
export const scriptMemory = record({
  last: lastEntities,
  lastPurchasedUnitType: optional(text()),
  lastQuestId: optional(text()),
  lastPostResponse: json(),
  /** The last text of the chat, by any player. */
  lastChatMessage: optional(text()),
  /** Entities the last ray met, nearest first. */
  lastRaycast: list(entity()),
  hasCastRay: flag(),
});
