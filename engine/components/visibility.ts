import { component } from '../ecs/component.ts';
import { u8 } from '../schema/index.ts';

export const Visibility = component('visibility', {
  /** 1 while the entity is hidden. A hidden entity has no body, and a hidden unit runs no behaviour. */
  hidden: u8(),
});
