import { tag } from '../ecs/component.ts';

/**
 * Marks an item that has never lain in the world. In the reference, such an item is not updated until it lies in the
 * world (reference: items-projectiles#item-states).
 */
export const Unmounted = tag('unmounted');
