import { component } from '../ecs/component.ts';
import { count, f64, record } from '../schema/index.ts';

/**
 * At tick `atTick`, the player's client displayed other units as they were at the earlier tick `tick`, which may have a
 * fraction. Only players whose clients report this have the component.
 */
export const Seen = component('seen', record({ tick: f64(), atTick: count() }));
