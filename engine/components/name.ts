import { component } from '../ecs/component.ts';
import { text } from '../schema/index.ts';

/** What people read beside a unit, an item or a player. */
export const Name = component('name', text());
