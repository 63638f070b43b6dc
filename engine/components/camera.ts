import { component } from '../ecs/component.ts';
import { entity } from '../schema/index.ts';

/** The unit that a player's camera follows; 0 for none. */
export const Camera = component('camera', entity('unit'));
