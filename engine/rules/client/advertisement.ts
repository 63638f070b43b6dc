import type { Entity } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';

/** Between two advertisements for everyone, simulated ms. */
const pauseMs = 60_000;

function isDue(world: World): boolean {
  return world.clock.nowMs - world.shown.lastAdAtMs >= pauseMs;
}

/** At most once a minute. The result comes back as an input (`adResult`), player by player. */
export function playAdForEveryone({ world }: Game): void {
  const plays = isDue(world);
  if (plays) world.shown.lastAdAtMs = world.clock.nowMs;
  world.post('ad', { op: plays ? 'play' : 'limitReached', to: 'everyone' });
}

/** Waits for the minute of the last advertisement for everyone, and starts none of its own. */
export function playAdForPlayer({ world }: Game, player: Entity): void {
  world.post('ad', { op: isDue(world) ? 'play' : 'limitReached', to: { player } });
}
