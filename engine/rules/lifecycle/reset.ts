import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { attributeLayoutOf, wakeRegeneration } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';

/**
 * Resets the attributes of an entity to the starting values of its type, within their bounds and without firing
 * triggers. A unit first loses its items and gets its default items again (reference: operations#resetentity).
 */
export function resetEntity(game: Game, entity: Entity): void {
  const { world } = game;
  const row = rowOf(entity);
  const unit = world.components.inventory[row];
  if (world.components.identity.kind[row] === Kind.unit && unit !== undefined) {
    for (const item of [...unit.slots]) if (world.exists(item)) destroyEntity(game, item);
    if (!world.exists(entity)) return;
    world.components.inventory[row]!.currentSlot = 0;
    emit(game, 'outfitting', entity, undefined);
    if (!world.exists(entity)) return;
  }
  const layout = attributeLayoutOf(world, entity);
  const start = world.components.attributes.start[row]!;
  const { value, min, max } = world.attributes;
  const isHeldToPresent = game.rules.resetUsesCurrentBounds;
  layout.definitions.forEach((definition, i) => {
    const least = isHeldToPresent ? min[start + i]! : (definition.min ?? -Infinity);
    const most = isHeldToPresent ? max[start + i]! : (definition.max ?? Infinity);
    value[start + i] = Math.max(least, Math.min(most, definition.value ?? 0));
  });
  wakeRegeneration(world, entity);
}
