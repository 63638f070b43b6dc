import { type Entity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { attributeValue } from '../entities/attribute.ts';
import type { Game } from '../game.ts';

/**
 * Keeps the persistent score: the best value of the attribute that `settings.persistentScoreAttributeId` names
 * (reference: units#scores). If a player with an account leaves with a new best score, a trigger fires and an output
 * event lets the host store it.
 */
export function keepHighscore({ world, definition }: Game, player: Entity): void {
  const key = definition.settings.persistentScoreAttributeId;
  const { userId } = world.accountOf(player);
  if (key === undefined || userId === undefined) return;
  const { earlier, here } = world.components.score[rowOf(player)]!;
  const best = Math.max(here, attributeValue(world, player, key) ?? -Infinity);
  if (!(best > earlier) || !Number.isFinite(best)) return;
  world.post('persistence', { op: 'highscore', playerId: world.ref(player)?.id, userId, highscore: best });
  world.triggers.fireGlobal('playerGetsNewHighscore', payloadOf.player, player);
}
