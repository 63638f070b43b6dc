import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

export const Facing = component('facing', {
  /** The angle that the unit wants to face, radians; NaN until one is set. */
  angle: f64(NaN),
  /** 1 while mirrored: the anchors of items and the start positions of bullets are then mirrored, too. */
  flip: u8(),
});
