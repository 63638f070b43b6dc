import { component } from '../ecs/component.ts';
import { u8 } from '../schema/index.ts';

export const Visibility = component('visibility', {
  /** 1 while hidden: no body, and a unit then runs no behaviour. */
  hidden: u8(),
});
