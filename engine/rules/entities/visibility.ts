import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { disableAi, dropTargets, enableAi, stopMoving } from '../ai/ai.ts';
import type { Game } from '../game.ts';
import { showCarriedItems } from '../items/item.ts';
import { rebuildBody } from './state.ts';

/** Takes an entity out of sight and out of the physics. A hidden unit does nothing until it is shown (reference: units#visibility). */
export function hideEntity(game: Game, entity: Entity): void {
  const { world } = game;
  const row = rowOf(entity);
  const c = world.columns;
  if (c.kind[row] === Kind.unit) {
    if (c.hidden[row] === 1) return;
    const state = world.units[row]!;
    // What keys and scripts ask of it stays asked: a unit that is shown while its key is down walks on.
    c.vectorX[row] = 0;
    c.vectorY[row] = 0;
    stopMoving(game, entity);
    if (!world.exists(entity) || c.hidden[row] === 1) return;
    state.aiBeforeHiding = c.ai[row] === 1;
    if (state.aiBeforeHiding) disableAi(game, entity);
    if (!world.exists(entity)) return;
    c.hidden[row] = 1;
    showCarriedItems(game, entity);
    dropTargets(game, entity);
  } else {
    c.hidden[row] = 1;
  }
  rebuildBody(game, entity);
}

export function showEntity(game: Game, entity: Entity): void {
  const { world } = game;
  const row = rowOf(entity);
  const c = world.columns;
  if (c.kind[row] === Kind.unit) {
    if (c.hidden[row] === 0) return;
    c.hidden[row] = 0;
    world.wake(entity);
    showCarriedItems(game, entity);
    if (world.units[row]!.aiBeforeHiding) enableAi(game, entity);
  } else {
    c.hidden[row] = 0;
  }
  rebuildBody(game, entity);
}
