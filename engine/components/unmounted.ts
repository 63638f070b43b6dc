import { tag } from '../ecs/component.ts';

/** An item that has not lain in the world yet: in the reference it has no turns until then (reference: items-projectiles#item-states). */
export const Unmounted = tag('unmounted');
