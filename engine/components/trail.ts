import { component } from '../ecs/component.ts';
import { count, f64, list, record } from '../schema/index.ts';

/** Where a unit was, oldest place first, px. `tick` is that of the newest. Only recorded while a player has `seen`. */
export const Trail = component('trail', record({ tick: count(), x: list(f64()), y: list(f64()) }));
