import { component } from '../ecs/component.ts';
import { u8 } from '../schema/index.ts';

export const Ai = component('ai', {
  /** 1 while the unit's AI is on. */
  enabled: u8(),
});
