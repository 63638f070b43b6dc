import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/**
 * Makes a player's camera follow a unit. The camera belongs to the client; the game only stores which unit it follows.
 */

export function trackUnit({ world }: Game, player: Entity, unit: Entity): void {
  world.components.camera[rowOf(player)] = unit;
  world.post('camera', { op: 'track', unitId: world.ref(unit)?.id, to: { player } });
}

export function stopTracking({ world }: Game, player: Entity): void {
  world.components.camera[rowOf(player)] = noEntity;
  world.post('camera', { op: 'stopTracking', to: { player } });
}
