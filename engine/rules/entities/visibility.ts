import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { disableAi, dropTargets, enableAi, stopMoving } from '../ai/ai.ts';
import type { Game } from '../game.ts';
import { showCarriedItems } from '../items/item.ts';
import { rebuildBody } from './state.ts';

/** Takes an entity out of sight and out of the physics. A hidden unit does nothing until it is shown (reference: units#visibility). */
export function hideEntity(game: Game, entity: Entity): void {
  const { world } = game;
  const row = rowOf(entity);
  const c = world.components;
  if (c.identity.kind[row] === Kind.unit) {
    if (c.visibility.hidden[row] === 1) return;
    const state = world.units[row]!;
    // What keys and scripts ask of it stays asked: a unit that is shown while its key is down walks on.
    c.velocity.x[row] = 0;
    c.velocity.y[row] = 0;
    stopMoving(game, entity);
    if (!world.exists(entity) || c.visibility.hidden[row] === 1) return;
    state.aiBeforeHiding = c.ai.enabled[row] === 1;
    if (state.aiBeforeHiding) disableAi(game, entity);
    if (!world.exists(entity)) return;
    c.visibility.hidden[row] = 1;
    showCarriedItems(game, entity);
    dropTargets(game, entity);
  } else {
    c.visibility.hidden[row] = 1;
  }
  rebuildBody(game, entity);
}

export function showEntity(game: Game, entity: Entity): void {
  const { world } = game;
  const row = rowOf(entity);
  const c = world.components;
  if (c.identity.kind[row] === Kind.unit) {
    if (c.visibility.hidden[row] === 0) return;
    c.visibility.hidden[row] = 0;
    world.wake(entity);
    showCarriedItems(game, entity);
    if (world.units[row]!.aiBeforeHiding) enableAi(game, entity);
  } else {
    c.visibility.hidden[row] = 0;
  }
  rebuildBody(game, entity);
}
