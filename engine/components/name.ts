import { component } from '../ecs/component.ts';
import { text } from '../schema/index.ts';

/** The name that people see next to a unit, an item or a player. */
export const Name = component('name', text());
