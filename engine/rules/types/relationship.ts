import type { Entity } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { playerTypeKey } from './type-key.ts';

export type Relationship = 'hostile' | 'friendly' | 'neutral';

/**
 * How player `viewer` sees player `other`. Only the relationship table of the viewer's type counts (reference:
 * players#relationships).
 */
export function relationship(world: World, viewer: Entity, other: Entity): Relationship {
  const from = playerTypeKey(world, viewer);
  const to = playerTypeKey(world, other);
  if (from === undefined || to === undefined) return 'neutral';
  return world.types.player.get(from)?.definition.relationships.get(to) ?? 'neutral';
}
