import { component, settled } from '../ecs/component.ts';
import { entity } from '../schema/index.ts';

/** The unit that a player's camera follows; 0 for none. */
export const Camera = settled(component('camera', entity('unit')));
