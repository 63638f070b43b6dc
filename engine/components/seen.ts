import { component } from '../ecs/component.ts';
import { count, f64, record } from '../schema/index.ts';

/**
 * What a player saw of others: in tick `atTick`, their places in `tick`, which may have a fraction. Only for players
 * whose clients say so.
 */
export const Seen = component('seen', record({ tick: f64(), atTick: count() }));
