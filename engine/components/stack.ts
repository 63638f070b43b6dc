import { component } from '../ecs/component.ts';
import { f64 } from '../schema/index.ts';

/** The quantity of an item. Infinity, which definitions write as null, means unlimited. */
export const Stack = component('stack', { quantity: f64(), maxQuantity: f64() });
