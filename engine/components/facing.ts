import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

export const Facing = component('facing', {
  /** The angle that the unit wants to face, radians; NaN until one is set. */
  angle: f64(Number.NaN),
  /** 1 when mirrored: anchors and bullet starts flip with it. */
  flip: u8(),
});
