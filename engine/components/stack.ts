import { component } from '../ecs/component.ts';
import { f64 } from '../schema/index.ts';

/** How much there is of an item. Infinity stands for the null of definitions: endless. */
export const Stack = component('stack', { quantity: f64(), maxQuantity: f64() });
