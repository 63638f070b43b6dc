import { component } from '../ecs/component.ts';
import { count, f64, list, record } from '../schema/index.ts';

/**
 * The last positions of a unit, oldest first, px. `tick` is the tick of the newest position. Recorded only while a
 * player has the component `seen`.
 */
export const Trail = component('trail', record({ tick: count(), x: list(f64()), y: list(f64()) }));
