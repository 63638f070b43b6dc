import { Kind } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/** The number of humans and bots in the game. */
export function humans({ world }: Game): number {
  let count = 0;
  for (const player of world.lists[Kind.player]!.entries) {
    if (world.exists(player) && world.isHuman(player)) count++;
  }
  return count;
}

/**
 * Must be called when a human or bot has joined or left. Records the time since which the game has had no humans or
 * bots; before the first of them joins, the game does not count as empty.
 */
export function updateEmptySince(game: Game): void {
  const { world } = game;
  if (humans(game) > 0) world.server.emptySinceMs = Infinity;
  else if (world.server.emptySinceMs === Infinity) world.server.emptySinceMs = world.clock.nowMs;
}
