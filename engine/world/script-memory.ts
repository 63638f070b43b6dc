import { entity, flag, type Infer, json, list, optional, record, text } from '../schema/index.ts';

/**
 * The entities behind "last created unit" and similar values. Whether such an entity still exists is checked when a
 * script reads the value (reference: scripts#last-values).
 */
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

/** Values of recent events that scripts can read although no script has stored them. */
export const scriptMemory = record({
  last: lastEntities,
  lastPurchasedUnitType: optional(text()),
  lastQuestId: optional(text()),
  lastPostResponse: json(),
  /** The latest chat message, by any player. */
  lastChatMessage: optional(text()),
  /** Entities hit by the latest ray, nearest first. */
  lastRaycast: list(entity()),
  hasCastRay: flag(),
});
