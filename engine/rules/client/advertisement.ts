import type { Entity } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { fires, rule } from '../effects.ts';
import type { Game } from '../game.ts';

export const adEnd = rule(
  'the end of advertisements',
  ['adResult'],
  fires('adPlayCompleted', 'adPlaySkipped', 'adPlayBlocked', 'adPlayFailed'),
);

/** Minimum time between two advertisements for everyone, simulated ms. */
const pauseMs = 60_000;

function isDue(world: World) {
  return world.clock.nowMs - world.shown.lastAdAtMs >= pauseMs;
}

/**
 * Plays an advertisement for everyone, at most once a minute. Each player's result arrives as an input (`adResult`).
 */
export function playAdForEveryone({ world }: Game): void {
  const plays = isDue(world);
  if (plays) world.shown.lastAdAtMs = world.clock.nowMs;
  world.post('ad', { op: plays ? 'play' : 'limitReached', to: 'everyone' });
}

/**
 * Plays an advertisement for one player. Refused for one minute after an advertisement for everyone. An advertisement
 * for one player does not delay later ones.
 */
export function playAdForPlayer({ world }: Game, player: Entity): void {
  world.post('ad', { op: isDue(world) ? 'play' : 'limitReached', to: { player } });
}
