import { tag } from '../ecs/component.ts';

/**
 * Marks an item that has never lain in the world: in the reference it has no turns until it does (reference:
 * items-projectiles#item-states).
 */
export const Unmounted = tag('unmounted');
